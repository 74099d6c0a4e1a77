#include "terminal/screen.h"

#include <fmt/format.h>

#include "base/escape.h"

namespace gossamer::terminal {

std::string clock(Duration time) {
  const auto seconds = time / 1s;
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string plain_text(std::string_view text, std::size_t bytes_max) {
  const bool is_cut = text.size() > bytes_max;
  std::string safe = base::escape_for_terminal(text.substr(0, bytes_max));
  std::ranges::replace_if(safe, [](char c) { return (c & 0x80) != 0; }, '?');
  if (is_cut) safe += "...";
  return safe;
}

}  // namespace gossamer::terminal

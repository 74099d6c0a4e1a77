// Builds lines for a terminal; none is needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/time.h"

namespace gossamer::terminal {

// The terminal that shows the lines.
struct Screen {
  std::size_t columns = 80;
  bool has_color = false;
  std::size_t rows = 24;
};

// One line of a screen. Colours take no columns.
struct ScreenLine {
  std::string text;
  std::size_t columns = 0;
};

// Codes for LineMaker::add().
inline constexpr std::string_view kBold = "1";
inline constexpr std::string_view kDim = "2";
inline constexpr std::string_view kReverse = "7";
inline constexpr std::string_view kRed = "31";
inline constexpr std::string_view kGreen = "32";
inline constexpr std::string_view kYellow = "33";

// Builds a line, counts its columns and cuts text that does not fit. Texts are ASCII; escape data
// from outside first.
class LineMaker {
 public:
  // BORROWS: the screen.
  explicit LineMaker(const Screen& screen) : screen_(screen) {}

  LineMaker& add(std::string_view text, std::string_view color = {}) {
    text = text.substr(0, std::min(text.size(), screen_.columns - line_.columns));
    if (text.empty()) return *this;
    const bool is_colored = screen_.has_color && !color.empty();
    if (is_colored) line_.text.append("\x1b[").append(color).append("m");
    line_.text += text;
    if (is_colored) line_.text += "\x1b[0m";
    line_.columns += text.size();
    return *this;
  }
  std::size_t columns_left() const { return screen_.columns - line_.columns; }
  ScreenLine take() { return std::exchange(line_, {}); }

 private:
  const Screen& screen_;
  ScreenLine line_;
};

// "1:15", "2:00:07".
std::string clock(Duration time);

// A peer may send any amount of text.
inline constexpr std::size_t kPlainTextMax = 4096;

// Escapes data from outside: safe to print, and one column per byte. BOUND: reads `bytes_max` bytes
// of it, and says "..." for the rest.
std::string plain_text(std::string_view text, std::size_t bytes_max = kPlainTextMax);

}  // namespace gossamer::terminal

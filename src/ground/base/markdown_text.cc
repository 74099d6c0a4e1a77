#include "base/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/escape.h"

namespace gossamer::base {
namespace {

constexpr std::size_t kShownBytesMax = 300;

}  // namespace

std::string code_span(std::string_view text) {
  std::string safe = escape_for_terminal(text.substr(0, kShownBytesMax));
  // The fence must have more backticks than any run in the text.
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : safe) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  // Escaping the bar with a backslash would fail after a backslash in the text: the two backslashes
  // would form an escape of their own and leave a bare bar.
  for (std::size_t at = 0; (at = safe.find('|', at)) != std::string::npos;) {
    safe.replace(at, 1, "%7C");
  }
  const std::string fence(longest + 1, '`');
  const bool needs_room = safe.empty() || safe.starts_with('`') || safe.ends_with('`');
  return needs_room ? fence + " " + safe + " " + fence : fence + safe + fence;
}

std::string markdown_link(std::string_view url) {
  const bool is_web = url.starts_with("http://") || url.starts_with("https://");
  if (!is_web || url.size() > kShownBytesMax) return code_span(url);
  std::string text = "<";
  for (const char c : url) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain =
        byte > 0x20 && byte < 0x7F && c != '<' && c != '>' && c != '|' && c != '`' && c != '\\';
    text += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text + ">";
}

}  // namespace gossamer::base

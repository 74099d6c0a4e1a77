#include "check/link_text.h"

#include "check/document.h"

namespace gossamer::check {

std::string link_text(std::string_view text) {
  std::string shown;
  bool is_apart = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
      is_apart = !shown.empty();
      continue;
    }
    if (is_apart) shown += ' ';
    is_apart = false;
    shown += c;
    if (shown.size() > kLinkTextBytesMax) break;
  }
  if (shown.size() <= kLinkTextBytesMax) return shown;
  std::size_t end = kLinkTextBytesMax - 3;
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0) == 0x80) --end;
  shown.resize(end);
  return shown + "...";
}

}  // namespace gossamer::check

#include "html/collapse.h"

#include "html/ascii.h"

namespace gossamer::html {

void append_collapsed(std::string& out, std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = at;
    // Words separated by single spaces are copied together.
    while (at < text.size() && (static_cast<unsigned char>(text[at]) > ' ' ||
                                (text[at] == ' ' && at > begin && text[at - 1] != ' '))) {
      ++at;
    }
    out.append(text.substr(begin, at - begin));
    if (at == text.size()) return;
    const char c = text[at++];
    if (is_html_space(c)) {
      if (out.empty() || out.back() != ' ') out.push_back(' ');
    } else if (c != '\0') {
      out.push_back(c);
    }
  }
}

void cut_utf8(std::string& text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
}

}  // namespace gossamer::html

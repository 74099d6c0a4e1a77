#include "html/token/collapse.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "html/token/ascii.h"

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

std::size_t end_of_words(std::string_view text, std::size_t at) noexcept {
  static_assert(std::endian::native == std::endian::little, "words are read little end first");
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kTops = 0x80 * kOnes;
  const auto is_ink = [](char c) { return static_cast<unsigned char>(c) > ' '; };
  // Eight bytes at a time, with the one after them. The top bit of each byte tells what it is.
  while (text.size() - at > sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    const std::uint64_t low = word & ~kTops;
    const std::uint64_t ink = (word | (low + (0x7F - ' ') * kOnes)) & kTops;
    const std::uint64_t ink_or_space = (word | (low + (0x80 - ' ') * kOnes)) & kTops;
    const std::uint64_t ink_follows = ink >> 8 | std::uint64_t{is_ink(text[at + sizeof(word)])}
                                                     << 63;
    const std::uint64_t ends = kTops & ~(ink | (ink_or_space & ink_follows));
    if (ends != 0) return at + static_cast<std::size_t>(std::countr_zero(ends)) / 8;
    at += sizeof(word);
  }
  while (at < text.size() &&
         (is_ink(text[at]) || (text[at] == ' ' && at + 1 < text.size() && is_ink(text[at + 1])))) {
    ++at;
  }
  return at;
}

std::size_t utf8_end(std::string_view text, std::size_t bytes_max) noexcept {
  if (text.size() <= bytes_max) return text.size();
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return end;
}

void cut_utf8(std::string& text, std::size_t bytes_max) { text.resize(utf8_end(text, bytes_max)); }

}  // namespace gossamer::html

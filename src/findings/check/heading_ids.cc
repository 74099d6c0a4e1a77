#include "check/heading_ids.h"

#include <unicode/uchar.h>

#include "base/utf8.h"

namespace gossamer::check {
namespace {

// Returns whether it is a letter, mark, digit or a character that joins words.
bool is_word(char32_t c) {
  constexpr std::uint32_t kWord =
      U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK | U_GC_NL_MASK | U_GC_PC_MASK;
  return (U_MASK(u_charType(static_cast<UChar32>(c))) & kWord) != 0;
}

std::string slug(std::string_view heading) {
  std::string id;
  while (!heading.empty()) {
    const base::Utf8Sequence sequence = base::decode_utf8(heading);
    const char32_t c = sequence.code_point;
    if (sequence.length == 0) {
      heading.remove_prefix(1);
      continue;
    }
    heading.remove_prefix(sequence.length);
    if (c == ' ' || c == '\t' || c == '\n') {
      id += '-';
    } else if (c == '-' || is_word(c)) {
      base::append_utf8(id, static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))));
    }
  }
  return id;
}

}  // namespace

std::string HeadingIds::next(std::string_view heading) {
  std::string id = slug(heading);
  std::uint32_t& times = times_[id];
  std::string numbered = id;
  while (times > 0 && times_.contains(numbered = id + "-" + std::to_string(times))) ++times;
  if (times > 0) times_[numbered] = 1;
  ++times_[id];
  return numbered;
}

}  // namespace gossamer::check

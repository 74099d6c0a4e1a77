#include "check/quoted_text.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/ascii.h"
#include "base/utf8.h"
#include "url/percent.h"

namespace gossamer::check {
namespace {

constexpr std::string_view kDelimiter = ":~:";
constexpr std::string_view kTextDirective = "text=";

// The letters and digits of ASCII, in lower case; 0: none of them.
constexpr std::array<char, 256> kLetters = [] {
  std::array<char, 256> letters = {};
  for (std::size_t i = 0; i < 0x80; ++i) {
    const char c = static_cast<char>(i);
    if (base::is_letter(c) || base::is_digit(c)) letters[i] = base::to_lower(c);
  }
  return letters;
}();

std::uint32_t extended(std::uint32_t hash, char32_t c) noexcept {
  return (hash ^ static_cast<std::uint32_t>(c)) * 16'777'619;  // FNV-1a
}

// The parts of a directive as written; empty if there is none.
struct QuotationParts {
  std::string_view prefix;
  std::string_view start;
  std::string_view end;
  std::string_view suffix;
};

// https://wicg.github.io/scroll-to-text-fragment/#parse-a-text-directive
QuotationParts parts_of(std::string_view value) {
  QuotationParts parts;
  if (const std::size_t comma = value.find(','); value.substr(0, comma).ends_with('-')) {
    parts.prefix = value.substr(0, comma);
    parts.prefix.remove_suffix(1);
    value.remove_prefix(comma == value.npos ? value.size() : comma + 1);
  }
  if (const std::size_t comma = value.rfind(','); comma != value.npos) {
    if (value.substr(comma + 1).starts_with('-')) {
      parts.suffix = value.substr(comma + 2);
      value = value.substr(0, comma);
    }
  }
  const std::size_t comma = std::min(value.find(','), value.size());
  parts.start = value.substr(0, comma);
  value.remove_prefix(comma);
  if (!value.empty()) parts.end = value.substr(1);
  if (parts.end.contains(',')) parts.start = {};  // too many parts
  return parts;
}

std::string_view value_of(std::string_view quotation) {
  return quotation.substr(kDelimiter.size() + kTextDirective.size());
}

void append_words(std::string_view part, std::vector<std::uint32_t>& words) {
  WordHashes hashes(part.size());
  hashes.add(url::percent_decoded(part));
  const std::vector<std::uint32_t> more = hashes.take();
  words.insert(words.end(), more.begin(), more.end());
}

// Scripts that put no spaces between words.
bool is_word_alone(UChar32 c) {
  switch (u_getIntPropertyValue(c, UCHAR_LINE_BREAK)) {
    case U_LB_IDEOGRAPHIC:
    case U_LB_COMPLEX_CONTEXT:
    case U_LB_CONDITIONAL_JAPANESE_STARTER: return true;
    default: return false;
  }
}

}  // namespace

void WordHashes::add_to_word(char32_t c) noexcept { hash_ = extended(hash_, c); }

void WordHashes::end_word() {
  if (hash_ == kEmptyWord) return;
  if (words_.size() < words_max_) words_.push_back(hash_);
  hash_ = kEmptyWord;
}

void WordHashes::add(std::string_view piece) {
  const auto letter_at = [piece](std::size_t at) {
    return at < piece.size() ? kLetters[static_cast<unsigned char>(piece[at])] : '\0';
  };
  for (std::size_t at = 0; at < piece.size();) {
    std::uint32_t hash = hash_;
    for (char letter = 0; (letter = letter_at(at)) != 0; ++at) {
      hash = extended(hash, static_cast<char32_t>(letter));
    }
    hash_ = hash;
    if (at == piece.size()) return;
    if (static_cast<unsigned char>(piece[at]) < 0x80) {
      end_word();
      ++at;
      continue;
    }
    const base::Utf8Sequence next = base::decode_utf8(piece.substr(at));
    at += std::max<std::size_t>(next.length, 1);
    if (next.length > 0) add_other(next.code_point);
  }
}

void WordHashes::add_other(char32_t c) {
  UErrorCode failure = U_ZERO_ERROR;
  const UNormalizer2* const forms = unorm2_getNFKDInstance(&failure);
  std::array<UChar, 32> units = {};
  std::int32_t size = unorm2_getDecomposition(forms, static_cast<UChar32>(c), units.data(),
                                              static_cast<std::int32_t>(units.size()), &failure);
  if (U_FAILURE(failure)) return;
  if (size < 0) {
    size = 0;
    U16_APPEND_UNSAFE(units.data(), size, static_cast<UChar32>(c));
  }
  for (std::int32_t i = 0; i < size;) {
    UChar32 one = 0;
    U16_NEXT(units.data(), i, size, one);
    const bool is_mark = u_getCombiningClass(one) != 0;
    if (is_mark || u_hasBinaryProperty(one, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) continue;
    const bool is_part = u_isalnum(one) != 0 || u_charType(one) == U_COMBINING_SPACING_MARK;
    const bool is_alone = is_word_alone(one);
    if (!is_part || is_alone) end_word();
    if (is_part) add_to_word(static_cast<char32_t>(u_foldCase(one, U_FOLD_CASE_DEFAULT)));
    if (is_alone) end_word();
  }
}

std::vector<std::uint32_t> WordHashes::take() {
  end_word();
  return std::move(words_);
}

std::vector<std::string> quotations(const url::Url& url) {
  std::vector<std::string> found;
  std::string_view rest = url.fragment().value_or(std::string_view());
  rest.remove_prefix(std::min(rest.find(kDelimiter), rest.size()));
  if (rest.empty()) return found;
  rest.remove_prefix(kDelimiter.size());
  while (!rest.empty()) {
    const std::string_view directive = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(directive.size() + 1, rest.size()));
    if (!directive.starts_with(kTextDirective)) continue;
    std::string quotation = std::string(kDelimiter).append(directive);
    if (!parse_quotation(quotation).begin.empty()) found.push_back(std::move(quotation));
  }
  return found;
}

QuotedText parse_quotation(std::string_view quotation) {
  const QuotationParts parts = parts_of(value_of(quotation));
  QuotedText quoted;
  if (parts.start.empty()) return quoted;
  append_words(parts.prefix, quoted.begin);
  append_words(parts.start, quoted.begin);
  append_words(parts.end, quoted.end);
  quoted.is_range = !quoted.end.empty();
  append_words(parts.suffix, quoted.is_range ? quoted.end : quoted.begin);
  return quoted;
}

std::string describe_quotation(std::string_view quotation) {
  const QuotationParts parts = parts_of(value_of(quotation));
  std::string text;
  const auto append = [&text](std::string_view part, std::string_view before) {
    if (part.empty()) return;
    if (!text.empty()) text += before;
    text += url::percent_decoded(part);
  };
  append(parts.prefix, " ");
  append(parts.start, " ");
  append(parts.end, " ... ");
  append(parts.suffix, " ");
  return text;
}

bool contains(std::span<const std::uint32_t> words, const QuotedText& quoted) {
  const auto begin = std::ranges::search(words, quoted.begin);
  if (begin.empty() && !quoted.begin.empty()) return false;
  // A later beginning has fewer words after it.
  const std::span<const std::uint32_t> after(begin.end(), words.end());
  return !quoted.is_range || !std::ranges::search(after, quoted.end).empty();
}

}  // namespace gossamer::check

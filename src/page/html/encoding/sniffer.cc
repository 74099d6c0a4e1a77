#include "html/encoding/sniffer.h"

#include <algorithm>
#include <array>
#include <span>

#include "html/encoding/prescan.h"
#include "html/encoding/utf8.h"

namespace gossamer::html {
namespace {

struct Signature {
  std::string_view bytes;
  Encoding encoding;
};

using namespace std::string_view_literals;

// https://encoding.spec.whatwg.org/#bom-sniff
constexpr std::array<Signature, 3> kByteOrderMarks = {{{"\xEF\xBB\xBF"sv, Encoding::utf_8},
                                                       {"\xFE\xFF"sv, Encoding::utf_16be},
                                                       {"\xFF\xFE"sv, Encoding::utf_16le}}};

// "<?x" in UTF-16, without a mark.
constexpr std::array<Signature, 2> kUtf16Declarations = {
    {{"<\0?\0x\0"sv, Encoding::utf_16le}, {"\0<\0?\0x"sv, Encoding::utf_16be}}};

// A result; `needs_more` while it is undecided.
struct Finding {
  std::optional<Encoding> encoding;
  bool needs_more = false;
};

Finding find_signature(std::string_view bytes, std::span<const Signature> signatures) {
  for (const Signature& signature : signatures) {
    if (bytes.starts_with(signature.bytes)) return {signature.encoding};
    if (signature.bytes.starts_with(bytes)) return {std::nullopt, true};
  }
  return {};
}

Finding find_xml_declaration(std::string_view bytes) {
  Finding finding;
  finding.encoding = xml_declared_encoding(bytes, &finding.needs_more);
  return finding;
}

// https://drafts.csswg.org/css-syntax/#css-decode-bytes
Finding find_css_charset(std::string_view bytes) {
  constexpr std::string_view kStart = "@charset \"";
  constexpr std::size_t kBytesMax = 1024;
  bytes = bytes.substr(0, kBytesMax);
  if (!bytes.starts_with(kStart)) return {std::nullopt, kStart.starts_with(bytes)};
  const std::size_t end = bytes.find('"', kStart.size());
  if (end == std::string_view::npos || end + 1 == bytes.size()) {
    return {std::nullopt, bytes.size() < kBytesMax};
  }
  if (bytes[end + 1] != ';') return {};
  const auto encoding = encoding_from_label(bytes.substr(kStart.size(), end - kStart.size()));
  const bool is_utf_16 = encoding == Encoding::utf_16be || encoding == Encoding::utf_16le;
  return {is_utf_16 ? Encoding::utf_8 : encoding};
}

Finding find_html_declaration(std::string_view bytes, std::size_t bytes_max, bool is_whole) {
  const Prescan prescan = prescan_html(bytes, bytes_max, is_whole);
  if (prescan.outcome == PrescanOutcome::found) return {prescan.encoding};
  if (prescan.outcome == PrescanOutcome::needs_more) return {std::nullopt, true};
  return find_xml_declaration(bytes);
}

Finding find_declaration(std::string_view bytes, const SniffOptions& options, bool is_whole) {
  if (options.kind == DocumentKind::text) return {};
  if (options.kind == DocumentKind::css) return find_css_charset(bytes);
  const Finding utf_16 = find_signature(bytes, kUtf16Declarations);
  if (utf_16.encoding || (utf_16.needs_more && !is_whole)) return utf_16;
  if (options.kind == DocumentKind::xml) return find_xml_declaration(bytes);
  return find_html_declaration(bytes, options.bytes_max, is_whole);
}

Encoding fallback_of(const SniffOptions& options) {
  if (options.fallback) return *options.fallback;
  const bool is_utf8 = options.kind == DocumentKind::xml || options.kind == DocumentKind::css;
  return is_utf8 ? Encoding::utf_8 : Encoding::windows_1252;
}

constexpr bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

void skip_spaces(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

// Moves `text` past the next "charset", in any case. Returns false if there is none.
bool skip_to_charset(std::string_view& text) {
  constexpr std::string_view kCharset = "charset";
  const auto found = std::ranges::search(text, kCharset, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 32) : c;
  });
  if (found.empty()) return false;
  text = std::string_view(found.end(), text.end());
  return true;
}

}  // namespace

// https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm
std::optional<SniffedEncoding> sniff_declared_encoding(std::string_view bytes,
                                                       const SniffOptions& options, bool is_whole) {
  const bool is_final = is_whole || bytes.size() >= options.bytes_max;
  const Finding mark = find_signature(bytes, kByteOrderMarks);
  if (mark.encoding) return SniffedEncoding{*mark.encoding, EncodingSource::byte_order_mark};
  if (mark.needs_more && !is_final) return std::nullopt;
  if (options.transport) return SniffedEncoding{*options.transport, EncodingSource::transport};
  const Finding declared = find_declaration(bytes, options, is_final);
  if (declared.encoding) return SniffedEncoding{*declared.encoding, EncodingSource::declaration};
  if (declared.needs_more && !is_final) return std::nullopt;
  return SniffedEncoding{fallback_of(options), EncodingSource::fallback};
}

bool content_decides(const SniffedEncoding& sniffed, const SniffOptions& options) noexcept {
  return options.detects_utf8 && sniffed.source == EncodingSource::fallback &&
         sniffed.encoding != Encoding::utf_8 && is_ascii_compatible(sniffed.encoding);
}

bool begins_as_utf8(std::string_view bytes) noexcept {
  constexpr std::size_t kSequenceBytesMax = 4;
  std::string_view rest = bytes.substr(0, kDecisiveBytes);
  std::ptrdiff_t valid = 0, invalid = 0;
  while (true) {
    const std::string_view text = rest.substr(0, valid_utf8_prefix(rest));
    valid += std::ranges::count_if(
        text, [](char c) { return static_cast<unsigned char>(c) >= 0xC0; });  // lead bytes
    rest.remove_prefix(text.size());
    // The end may have cut a sequence.
    if (rest.size() < kSequenceBytesMax) return valid > invalid;
    ++invalid;
    rest.remove_prefix(1);
  }
}

std::optional<SniffedEncoding> sniff_encoding(std::string_view bytes, const SniffOptions& options,
                                              bool is_whole) {
  const auto declared = sniff_declared_encoding(bytes, options, is_whole);
  if (!declared || !content_decides(*declared, options)) return declared;
  const std::string_view decisive = bytes.substr(ascii_prefix(bytes));
  if (decisive.size() < kDecisiveBytes && !is_whole) return std::nullopt;
  if (!begins_as_utf8(decisive)) return declared;
  return SniffedEncoding{Encoding::utf_8, EncodingSource::content};
}

// https://html.spec.whatwg.org/#extracting-character-encodings-from-meta-elements
std::optional<Encoding> encoding_from_meta_content(std::string_view content) noexcept {
  do {
    if (!skip_to_charset(content)) return std::nullopt;
    skip_spaces(content);
  } while (!content.starts_with('='));
  content.remove_prefix(1);
  skip_spaces(content);
  if (content.empty()) return std::nullopt;
  if (content.front() == '"' || content.front() == '\'') {
    const std::size_t end = content.find(content.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    return encoding_from_label(content.substr(1, end - 1));
  }
  return encoding_from_label(content.substr(0, content.find_first_of("\t\n\f\r ;")));
}

}  // namespace gossamer::html

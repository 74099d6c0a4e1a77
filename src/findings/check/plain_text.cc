#include "check/plain_text.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"
#include "check/document.h"
#include "check/position_finder.h"
#include "url/code_points.h"

namespace gossamer::check {
namespace {

// BOUND: see find_bare_address().
constexpr std::size_t kBareAddressBytesMax = 4 * 1024;

bool ends_address(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F || std::string_view("<>\"`{}|\\^").contains(c);
}

// Returns how much of the text is the URL, without brackets that it did not open, quotes and the
// end of the sentence.
std::size_t trimmed_size(std::string_view address) {
  auto rounds = std::ranges::count(address, ')') - std::ranges::count(address, '(');
  auto squares = std::ranges::count(address, ']') - std::ranges::count(address, '[');
  while (!address.empty()) {
    const char last = address.back();
    const bool is_round = last == ')' && rounds > 0;
    const bool is_square = last == ']' && squares > 0;
    if (!is_round && !is_square && !std::string_view("?!.,:;*_~'").contains(last)) break;
    rounds -= is_round ? 1 : 0;
    squares -= is_square ? 1 : 0;
    address.remove_suffix(1);
  }
  return address.size();
}

std::size_t scheme_size(std::string_view text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (base::equals_ignoring_case(text.substr(0, scheme.size()), scheme)) return scheme.size();
  }
  return 0;
}

// BOUND: no host is longer.
constexpr std::size_t kHostBytesMax = 255;

// Returns whether the text begins with a host. "http://localhost" in a text is an example.
bool has_host(std::string_view text) {
  text = text.substr(0, kHostBytesMax + 1);
  const auto end = std::ranges::find_if(
      text, [](char c) { return ends_address(c) || c == '/' || c == '?' || c == '#'; });
  const std::string_view host(text.begin(), end);
  return !host.empty() && (url::is_alpha(host[0]) || url::is_digit(host[0])) && host.contains('.');
}

struct Measured {
  std::size_t size = 0;    // of the URL; 0 if there is none
  std::size_t passed = 0;  // bytes that need not be read again
};

// Measures a text that begins with a scheme.
Measured measure(std::string_view text) {
  const std::size_t scheme = scheme_size(text);
  if (scheme == 0 || !has_host(text.substr(scheme))) return {};
  text = text.substr(0, kBareAddressBytesMax);
  const auto end = std::ranges::find_if(text, ends_address);
  const auto passed = static_cast<std::size_t>(end - text.begin());
  const bool is_template = end != text.end() && *end == '{';
  if (is_template) return {.size = 0, .passed = passed};
  return {.size = trimmed_size({text.begin(), end}), .passed = passed};
}

}  // namespace

BareAddress find_bare_address(std::string_view text, std::size_t from) noexcept {
  for (std::size_t at = from; (at = text.find("://", at)) != std::string_view::npos;) {
    Measured measured;
    for (const std::size_t letters : {5U, 4U}) {
      if (at < from + letters || measured.passed > 0) continue;
      const std::size_t begin = at - letters;
      if (begin > from && url::is_alpha(text[begin - 1])) continue;  // within a word
      measured = measure(text.substr(begin));
      if (measured.size > letters + 3) return {begin, measured.size};
    }
    at += std::max<std::size_t>(measured.passed, 3);
  }
  return {};
}

bool looks_like_text(std::string_view beginning) noexcept {
  while (!beginning.empty()) {
    const auto byte = static_cast<unsigned char>(beginning.front());
    const bool is_control = byte < 0x20 && !std::string_view("\t\n\r\f\x1B").contains(beginning[0]);
    if (is_control || byte == 0x7F) return false;
    const base::Utf8Sequence sequence = base::decode_utf8(beginning);
    // The longest character has four bytes.
    if (sequence.length == 0) return beginning.size() < 4;
    beginning.remove_prefix(sequence.length);
  }
  return true;
}

bool looks_like_list(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = base::trimmed(text.substr(0, end), " \t\r");
    if (!line.starts_with('#') && line.find_first_of(" \t") != std::string_view::npos) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

Document read_plain_text(std::string_view text) {
  Document document;
  PositionFinder positions(text);
  for (BareAddress found = find_bare_address(text, 0); found.exists();
       found = find_bare_address(text, found.offset + found.size)) {
    if (document.links.size() >= kLinksMax) {
      ++document.links_left_out;
      continue;
    }
    document.links.push_back({.at = positions.at(found.offset),
                              .kind = html::LinkKind::page,
                              .url = std::string(text.substr(found.offset, found.size)),
                              .text = {}});
  }
  return document;
}

}  // namespace gossamer::check

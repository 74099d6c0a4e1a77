#include "robots/xml_reference.h"

#include <array>
#include <charconv>

namespace gossamer::robots {
namespace {

// Longer than any valid reference: "&#x0010FFFF;".
constexpr std::size_t kBodyBytesMax = 40;

constexpr bool is_reference_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
}

// https://www.w3.org/TR/xml/#NT-Char
constexpr bool is_xml_character(std::uint32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c <= 0xD7FF) ||
         (c >= 0xE000 && c <= 0xFFFD) || (c >= 0x10000 && c <= 0x10FFFF);
}

struct Predefined {
  std::string_view name;
  char character;
};
constexpr std::array<Predefined, 5> kPredefined = {
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

std::uint32_t read_number(std::string_view digits) {
  const bool is_hex = digits.starts_with('x');
  if (is_hex) digits.remove_prefix(1);
  std::uint32_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [after, error] = std::from_chars(digits.data(), end, value, is_hex ? 16 : 10);
  return error == std::errc() && after == end && is_xml_character(value) ? value : 0;
}

}  // namespace

XmlReference read_reference(std::string_view text) noexcept {
  const std::string_view body = text.substr(1, kBodyBytesMax);
  std::size_t end = body.starts_with('#') ? 1 : 0;
  while (end < body.size() && is_reference_character(body[end])) ++end;
  if (end == body.size()) {
    return {body.size() < kBodyBytesMax ? ReferenceKind::unfinished : ReferenceKind::none};
  }
  const std::string_view name = body.substr(0, end);
  if (body[end] != ';' || name.empty()) return {};
  const std::size_t size = end + 2;
  if (name.front() == '#') {
    const std::uint32_t code_point = read_number(name.substr(1));
    if (code_point == 0) return {};
    return {ReferenceKind::character, size, code_point};
  }
  for (const Predefined& entry : kPredefined) {
    if (entry.name == name) {
      return {ReferenceKind::character, size, static_cast<unsigned char>(entry.character)};
    }
  }
  return {ReferenceKind::entity, size};
}

}  // namespace gossamer::robots

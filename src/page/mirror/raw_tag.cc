#include "mirror/raw_tag.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace gossamer::mirror {
namespace {

constexpr std::string_view kSpaces = " \t\n\r\f";

// BOUND: the tokenizer's; further attributes are ignored.
constexpr std::size_t kAttributesMax = 1024;

std::size_t skip(std::string_view text, std::size_t at, std::string_view set) {
  return std::min(text.find_first_not_of(set, at), text.size());
}

std::size_t find(std::string_view text, std::size_t at, std::string_view set) {
  return std::min(text.find_first_of(set, at), text.size());
}

// Reads from the first byte of the name to the end of the value.
std::size_t read_attribute(std::string_view text, std::size_t at, std::string& name) {
  const std::size_t name_end = find(text, at + 1, " \t\n\r\f/>=");
  name = text.substr(at, name_end - at);
  std::ranges::transform(name, name.begin(), base::to_lower);
  const std::size_t equals = skip(text, name_end, kSpaces);
  if (equals == text.size() || text[equals] != '=') return name_end;
  const std::size_t value = skip(text, equals + 1, kSpaces);
  if (value == text.size() || text[value] == '>') return equals + 1;
  if (text[value] != '"' && text[value] != '\'') return find(text, value, " \t\n\r\f>");
  return std::min(find(text, value + 1, text.substr(value, 1)) + 1, text.size());
}

}  // namespace

std::optional<RawTag> read_raw_tag(std::string_view text, std::size_t begin) {
  std::size_t at = find(text, begin + 1, " \t\n\r\f/>");
  RawTag tag = {.name = text.substr(begin + 1, at - begin - 1), .attributes = {}, .begin = begin};
  for (;;) {
    at = skip(text, at, " \t\n\r\f/");
    if (at == text.size()) return {};
    if (text[at] == '>') break;
    RawAttribute attribute = {.name = {}, .begin = at, .end = 0};
    at = attribute.end = read_attribute(text, at, attribute.name);
    tag.has_more = tag.attributes.size() == kAttributesMax;
    if (tag.has_more) continue;
    const bool is_known = std::ranges::find(tag.attributes, attribute.name, &RawAttribute::name) !=
                          tag.attributes.end();
    if (!is_known) tag.attributes.push_back(std::move(attribute));
  }
  tag.end = at + 1;
  return tag;
}

}  // namespace gossamer::mirror

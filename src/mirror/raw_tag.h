#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::mirror {

// An attribute as it stands in the document, with its name, equals sign, quotes and value.
struct RawAttribute {
  std::string name;  // in lower case
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A start tag as it stands there.
struct RawTag {
  std::string_view name;
  std::vector<RawAttribute> attributes;  // of one name only the first
  std::size_t end = 0;                   // behind its >
};

// Reads the tag that begins with the < at `begin`; nothing if the text ends in it.
// https://html.spec.whatwg.org/#before-attribute-name-state and those behind it
std::optional<RawTag> read_raw_tag(std::string_view text, std::size_t begin);

}  // namespace gossamer::mirror

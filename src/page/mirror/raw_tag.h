#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::mirror {

// An attribute as written in the document, with its name, equals sign, quotes and value.
struct RawAttribute {
  std::string name;  // in lower case
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A start tag as written in the document.
struct RawTag {
  std::string_view name;
  std::vector<RawAttribute> attributes;  // only the first of each name
  std::size_t begin = 0;                 // of its <
  std::size_t end = 0;                   // after its >
  bool has_more = false;                 // attributes that are not in the list
};

// Reads the tag that begins with the < at `begin`; nothing if the text ends inside it.
// https://html.spec.whatwg.org/#before-attribute-name-state and the states after it
std::optional<RawTag> read_raw_tag(std::string_view text, std::size_t begin);

}  // namespace gossamer::mirror

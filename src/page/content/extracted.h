// The values that selectors found on a page.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::content {

struct ExtractedField {
  std::string name;
  bool is_list = false;             // all matches, not only the first one
  std::vector<std::string> values;  // UTF-8. BOUND: see content/extractor.h

  friend bool operator==(const ExtractedField&, const ExtractedField&) = default;
};

// Returns nullptr if there is no such field.
const ExtractedField* find_field(std::span<const ExtractedField> fields, std::string_view name);

// Returns the value as JSON: a text, null, or a list of texts.
std::string value_json(const ExtractedField& field);
// Returns one object with all fields.
std::string to_json(std::span<const ExtractedField> fields);

}  // namespace gossamer::content

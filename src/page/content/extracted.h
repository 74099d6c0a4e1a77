// The values that rules found on a page.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::content {

struct ExtractedField {
  std::string name;
  bool is_list = false;             // all matches, not only the first one
  std::vector<std::string> values;  // UTF-8. BOUND: see content/extractor.h
  // The number of the item that it belongs to, from 1; 0: the field is one of the page.
  std::uint32_t item = 0;

  friend bool operator==(const ExtractedField&, const ExtractedField&) = default;
};

// Returns nullptr if there is no such field.
const ExtractedField* find_field(std::span<const ExtractedField> fields, std::string_view name);

// Returns the fields of each item; all fields together if they belong to the page.
std::vector<std::span<const ExtractedField>> rows_of(std::span<const ExtractedField> fields);

// Returns the value as JSON: a text, null, or a list of texts.
std::string value_json(const ExtractedField& field);
// Returns one object with all fields.
std::string row_json(std::span<const ExtractedField> row);
// Returns one object with all fields, or a list of them if the fields belong to items.
std::string to_json(std::span<const ExtractedField> fields);

}  // namespace gossamer::content

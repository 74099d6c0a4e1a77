#include "content/extracted.h"

#include <algorithm>

#include "base/json.h"

namespace gossamer::content {

const ExtractedField* find_field(std::span<const ExtractedField> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &ExtractedField::name);
  return found == fields.end() ? nullptr : &*found;
}

std::string value_json(const ExtractedField& field) {
  std::string json;
  if (!field.is_list) {
    if (field.values.empty()) return "null";
    base::append_json_string(json, field.values.front());
    return json;
  }
  json += '[';
  for (const std::string& value : field.values) {
    if (json.size() > 1) json += ", ";
    base::append_json_string(json, value);
  }
  return json + ']';
}

std::string to_json(std::span<const ExtractedField> fields) {
  base::JsonLine line;
  for (const ExtractedField& field : fields) line.raw(field.name, value_json(field));
  return line.finish();
}

}  // namespace gossamer::content

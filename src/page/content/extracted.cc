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

std::vector<std::span<const ExtractedField>> rows_of(std::span<const ExtractedField> fields) {
  std::vector<std::span<const ExtractedField>> rows;
  while (!fields.empty()) {
    const std::uint32_t item = fields.front().item;
    const auto end = std::ranges::find_if(
        fields, [item](const ExtractedField& field) { return field.item != item; });
    rows.push_back(fields.first(static_cast<std::size_t>(end - fields.begin())));
    fields = fields.subspan(rows.back().size());
  }
  return rows;
}

std::string row_json(std::span<const ExtractedField> row) {
  base::JsonLine line;
  for (const ExtractedField& field : row) line.raw(field.name, value_json(field));
  return line.finish();
}

std::string to_json(std::span<const ExtractedField> fields) {
  if (fields.empty() || fields.front().item == 0) return row_json(fields);
  std::string json = "[";
  for (const auto row : rows_of(fields)) {
    if (json.size() > 1) json += ", ";
    json += row_json(row);
  }
  return json + "]";
}

}  // namespace gossamer::content

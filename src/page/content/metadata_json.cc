// Lists of metadata as JSON.
#include <algorithm>
#include <cstddef>
#include <string>

#include "base/json.h"
#include "content/metadata.h"

namespace gossamer::content {

std::string to_json(const std::vector<Metadata::Property>& properties) {
  // A name that occurs again has a list of values, at the place of the first.
  base::JsonLine line;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const std::string& name = properties[i].name;
    const auto first = std::ranges::find(properties, name, &Metadata::Property::name);
    if (first != properties.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    std::string values;
    std::size_t count = 0;
    for (std::size_t j = i; j < properties.size(); ++j) {
      if (properties[j].name != name) continue;
      values += count++ == 0 ? "" : ", ";
      base::append_json_string(values, properties[j].value);
    }
    line.raw(name, count == 1 ? values : "[" + values + "]");
  }
  return line.finish();
}

std::string to_json(const std::vector<Metadata::Heading>& headings) {
  std::string list = "[";
  for (const Metadata::Heading& heading : headings) {
    if (list.size() > 1) list += ", ";
    list += base::JsonLine().number("level", heading.level).text("text", heading.text).finish();
  }
  return list + "]";
}

std::string to_json(const std::vector<Metadata::Translation>& translations) {
  std::string list = "[";
  for (const Metadata::Translation& one : translations) {
    if (list.size() > 1) list += ", ";
    list += base::JsonLine().text("language", one.language).text("url", one.url).finish();
  }
  return list + "]";
}

}  // namespace gossamer::content

#include "tests/support/tree_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::dom {
namespace {

void begin_line(std::string& out, std::size_t level) { out.append("| ").append(2 * level, ' '); }

// "xlink:href" is written as "xlink href".
std::string attribute_name(const Attribute& attribute) {
  std::string name(attribute.name());
  const std::size_t colon = name.find(':');
  if (attribute.space() != AttributeSpace::none && colon != std::string::npos) name[colon] = ' ';
  return name;
}

void write_element(std::string& out, const Node& node, std::size_t level) {
  out.append(node.space() == Space::svg ? "<svg " : node.space() == Space::math ? "<math " : "<");
  out.append(node.name()).append(">\n");
  std::vector<std::pair<std::string, std::string_view>> attributes;
  for (const Attribute& attribute : node.attributes()) {
    attributes.emplace_back(attribute_name(attribute), attribute.value());
  }
  std::ranges::sort(attributes);
  for (const auto& [name, value] : attributes) {
    begin_line(out, level + 1);
    out.append(name).append("=\"").append(value).append("\"\n");
  }
}

void write_doctype(std::string& out, const Doctype& doctype) {
  out.append("<!DOCTYPE ").append(doctype.name);
  if (!doctype.public_id.empty() || !doctype.system_id.empty()) {
    out.append(" \"").append(doctype.public_id).append("\" \"");
    out.append(doctype.system_id).append("\"");
  }
  out.append(">\n");
}

void write_node(std::string& out, const Document& document, const Node& node, std::size_t level) {
  begin_line(out, level);
  switch (node.kind()) {
    case Kind::doctype: write_doctype(out, document.doctype()); break;
    case Kind::element: write_element(out, node, level); break;
    case Kind::text: out.append("\"").append(node.text()).append("\"\n"); break;
    case Kind::comment: out.append("<!-- ").append(node.text()).append(" -->\n"); break;
    case Kind::content: out.append("content\n"); break;
    case Kind::document: break;
  }
}

}  // namespace

std::string tree_text(const Document& document, bool is_fragment) {
  const Node& root = is_fragment ? *document.root().first_child() : document.root();
  std::string out;
  std::size_t level = 0;
  const Node* node = root.first_child();
  while (node != nullptr) {
    write_node(out, document, *node, level);
    if (node->first_child() != nullptr) {
      node = node->first_child();
      ++level;
      continue;
    }
    while (node != &root && node->next() == nullptr) {
      node = node->parent();
      --level;
    }
    if (node == &root) break;
    node = node->next();
  }
  return out;
}

}  // namespace gossamer::dom

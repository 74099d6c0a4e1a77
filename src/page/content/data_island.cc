#include "content/data_island.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "base/json_value.h"
#include "html/token/ascii.h"

namespace gossamer::content {
namespace {

using base::JsonValue;
using html::AttributeId;
using html::TagId;

// Less is a label or a teaser.
constexpr std::size_t kIslandTextMin = 80;
constexpr std::size_t kIslandBytesMin = 200;

// Members with text, in the words of schema.org, forums and systems that manage content.
constexpr auto kTextMembers =
    std::to_array<std::string_view>({"articleBody", "body", "bodyHtml", "content", "contentHtml",
                                     "cooked", "html", "reviewBody", "text"});

bool is_prose(std::string_view text) {
  return text.size() >= kIslandTextMin &&
         static_cast<std::size_t>(std::ranges::count(text, ' ')) * 20 > text.size();
}

bool has_tags(std::string_view text) {
  const std::size_t end_tag = text.find("</");
  return end_tag != std::string_view::npos && text.find('<') < end_tag;
}

std::string as_paragraph(std::string_view text) {
  std::string html = "<p>";
  for (const char c : text) {
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else {
      html += c;
    }
  }
  return html + "</p>";
}

// The lines, to a bound: signs may become several bytes.
std::string as_paragraphs(std::string_view text) {
  std::string html;
  while (!text.empty() && html.size() <= kIslandBytesMax) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) html += as_paragraph(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return html;
}

class IslandText {
 public:
  void add_json(std::string_view json) {
    json = html::trimmed(json);
    if (json.empty() || json.size() > json_left_) return;
    json_left_ -= json.size();
    if (const auto value = base::parse_json(json)) add(*value);
  }
  // Each line of a text without tags is a paragraph.
  void add_text(std::string_view text) {
    if (text.size() > kIslandBytesMax || !seen_.insert(base::hash64(text)).second) return;
    std::string html;
    if (has_tags(text)) {
      html.append("<div>").append(text).append("</div>");
    } else {
      html = as_paragraphs(text);
    }
    if (html_.size() + html.size() <= kIslandBytesMax) html_ += html;
  }
  std::string take() { return std::move(html_); }

 private:
  // The depth is that of JSON.
  void add(const JsonValue& value) {
    for (const JsonValue& item : value.items) add(item);
    for (const base::JsonMember& member : value.members) {
      const bool is_text = member.value.kind == JsonValue::Kind::text;
      if (!is_text) {
        add(member.value);
      } else if (member.name.starts_with("topic_") && !is_inside_) {
        // Discourse has JSON in JSON.
        is_inside_ = true;
        add_json(member.value.text);
        is_inside_ = false;
      } else if (std::ranges::count(kTextMembers, std::string_view(member.name)) > 0 &&
                 is_prose(member.value.text)) {
        add_text(member.value.text);
      }
    }
  }

  std::string html_;
  std::size_t json_left_ = kIslandJsonBytesMax;
  std::unordered_set<std::uint64_t> seen_;  // BOUND: the texts of one page
  bool is_inside_ = false;
};

std::string_view script_text(const dom::Node& script) {
  const dom::Node* const text = script.first_child();
  return text != nullptr && text->is_text() ? text->text() : std::string_view();
}

// What the types of scripts are, or an attribute.
enum class IslandKind : std::uint8_t { json_ld, preloaded, json };

std::string text_of_islands(const dom::Document& document, IslandKind kind) {
  IslandText text;
  const dom::Node& root = document.root();
  for (const dom::Node* node = &root; node != nullptr; node = dom::next_in(root, *node)) {
    if (!node->is_element()) continue;
    if (kind == IslandKind::preloaded) {
      const dom::Attribute* const data = node->find("data-preloaded");
      if (data != nullptr) text.add_json(data->value());
      continue;
    }
    if (!node->is(TagId::script)) continue;
    const std::string_view type = html::trimmed(node->value(AttributeId::type));
    const std::string_view wanted =
        kind == IslandKind::json_ld ? "application/ld+json" : "application/json";
    if (html::equals_ignoring_case(type, wanted)) text.add_json(script_text(*node));
  }
  return text.take();
}

}  // namespace

std::string data_island(const dom::Document& document) {
  for (const IslandKind kind : {IslandKind::json_ld, IslandKind::preloaded, IslandKind::json}) {
    std::string text = text_of_islands(document, kind);
    if (text.size() >= kIslandBytesMin) return text;
  }
  return {};
}

}  // namespace gossamer::content

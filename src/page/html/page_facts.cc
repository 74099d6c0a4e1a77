#include "html/page_facts.h"

#include <utility>

#include "html/links/link.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::html {
namespace {

using enum AttributeId;

// Names of crawlers in <meta name=...> instead of "robots". There is no list, so every name that
// looks like a crawler's is kept.
bool names_an_agent(std::string_view meta_name) noexcept {
  if (meta_name == "robots") return true;
  for (const std::string_view end :
       {std::string_view("bot"), std::string_view("bot-news"), std::string_view("bot-image"),
        std::string_view("slurp"), std::string_view("crawler"), std::string_view("spider"),
        std::string_view("gossamer"), std::string_view("teoma")}) {
    if (meta_name.ends_with(end)) return true;
  }
  return false;
}

bool is_property(std::string_view property_name) noexcept {
  for (const std::string_view space :
       {std::string_view("og:"), std::string_view("article:"), std::string_view("twitter:"),
        std::string_view("fb:"), std::string_view("book:"), std::string_view("profile:"),
        std::string_view("video:"), std::string_view("music:"), std::string_view("product:")}) {
    if (property_name.starts_with(space)) return true;
  }
  return false;
}

}  // namespace

void FactScanner::add_interest(Interest& interest) {
  interest[TagId::html].attributes |= set_of(lang, xml_lang);
  interest[TagId::meta].attributes |= set_of(AttributeId::name, property, http_equiv, content);
  interest[TagId::link].attributes |= set_of(rel, href, hreflang);
  interest[TagId::script].attributes |= set_of(type);
  interest[TagId::h1].start = interest[TagId::h1].end = true;
}

void FactScanner::start_tag(const Tag& tag) {
  switch (tag.id) {
    case TagId::html: {
      const std::string_view* const language = tag.find(lang);
      set_once(facts_.language, language != nullptr ? *language : tag.value(xml_lang));
      return;
    }
    case TagId::meta: meta(tag); return;
    case TagId::link: link(tag); return;
    case TagId::h1:
      end_heading();
      in_heading_ = true;
      return;
    default: return;
  }
}

void FactScanner::end_tag(const Tag& tag) {
  if (tag.id == TagId::h1) end_heading();
}

void FactScanner::meta(const Tag& tag) {
  const std::string_view* const value = tag.find(content);
  if (value == nullptr) return;
  if (equals_ignoring_case(trimmed(tag.value(http_equiv)), "content-language")) {
    set_once(facts_.language, *value);
  }
  const std::string meta_name = lower_case(trimmed(tag.value(AttributeId::name)));
  if (meta_name == "description") set_once(facts_.description, *value);
  if (names_an_agent(meta_name) && facts_.robots.size() < limits_.entries_max) {
    facts_.robots.push_back({bounded(meta_name), bounded(*value)});
  }
  const std::string property_name = lower_case(trimmed(tag.value(property)));
  const std::string& kept_name = is_property(property_name) ? property_name : meta_name;
  if (is_property(kept_name) && facts_.properties.size() < limits_.entries_max) {
    facts_.properties.push_back({bounded(kept_name), bounded(trimmed(*value))});
  }
}

void FactScanner::link(const Tag& tag) {
  const std::string_view* const address = tag.find(href);
  if (address == nullptr) return;
  const RelSet words = parse_rel(tag.value(rel));
  if (words.has(Rel::canonical) && !has_canonical_) {
    has_canonical_ = true;
    facts_.canonical = bounded(*address);
  }
  const std::string_view language = trimmed(tag.value(hreflang));
  if (words.has(Rel::alternate) && !language.empty() &&
      facts_.translations.size() < limits_.entries_max) {
    facts_.translations.push_back({bounded(language), bounded(*address)});
  }
}

void FactScanner::text(std::string_view piece) {
  // One byte more than the limit, so that a cut inside a character can be detected.
  if (heading_.size() <= limits_.text_bytes_max) append_collapsed(heading_, piece);
}

void FactScanner::end_heading() {
  if (!in_heading_) return;
  in_heading_ = false;
  cut_utf8(heading_, limits_.text_bytes_max);
  if (facts_.headings.size() < limits_.entries_max) facts_.headings.emplace_back(trimmed(heading_));
  heading_.clear();
}

void FactScanner::title_text(std::string_view text) {
  if (facts_.has_title) return;
  facts_.has_title = true;
  std::string title;
  append_collapsed(title, text);
  facts_.title = bounded(trimmed(title));
}

void FactScanner::json_ld_text(std::string_view text) {
  if (json_ld_bytes_ + text.size() > limits_.json_ld_bytes_max) return;
  if (facts_.json_ld.size() == limits_.entries_max) return;
  json_ld_bytes_ += text.size();
  facts_.json_ld.emplace_back(text);
}

void FactScanner::set_once(std::string& fact, std::string_view value) const {
  if (fact.empty()) fact = bounded(trimmed(value));
}

std::string FactScanner::bounded(std::string_view value) const {
  std::string text(value.substr(0, limits_.text_bytes_max + 1));
  cut_utf8(text, limits_.text_bytes_max);
  return text;
}

}  // namespace gossamer::html

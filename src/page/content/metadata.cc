#include "content/metadata.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/json.h"
#include "content/byline.h"
#include "content/element_text.h"
#include "content/headline.h"
#include "content/language.h"
#include "content/page_kind.h"
#include "content/publication.h"
#include "content/structured_data.h"
#include "html/links/link.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

using html::AttributeId;
using html::TagId;

constexpr std::size_t kMetadataWorkMax = 1'000'000;
constexpr std::size_t kHeadingBytesMax = 512;
constexpr std::size_t kAddressBytesMax = 8192;
constexpr std::size_t kDateBytesMax = 64;

// Names of <meta> elements with dates, the best first.
constexpr auto kPublishedNames = std::to_array<std::string_view>(
    {"article:published_time", "datepublished", "date", "dc.date.issued", "dcterms.issued",
     "dcterms.created", "dc.date", "dcterms.date", "pubdate", "publishdate", "publish-date",
     "publish_date", "citation_publication_date", "citation_date", "sailthru.date",
     "parsely-pub-date", "og:published_time"});
constexpr auto kModifiedNames = std::to_array<std::string_view>(
    {"article:modified_time", "og:updated_time", "datemodified", "dcterms.modified",
     "dc.date.modified", "last-modified", "lastmod", "revised"});
constexpr auto kAuthorNames = std::to_array<std::string_view>(
    {"author", "article:author", "dc.creator", "dcterms.creator", "parsely-author",
     "sailthru.author", "byl", "citation_author", "cxenseparse:author"});

std::string collapsed(std::string_view text, std::size_t bytes_max = kMetadataTextBytesMax) {
  std::string out;
  // Much white space may become little.
  html::append_collapsed(out, html::trimmed(text.substr(0, 4 * bytes_max)));
  html::cut_utf8(out, bytes_max);
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

// A value that several elements can give, of which the best name wins.
class BestValue {
 public:
  explicit BestValue(std::span<const std::string_view> names) : names_(names) {}

  void offer(std::string_view name, std::string_view value) {
    const auto found = std::ranges::find(names_, name);
    const auto rank = static_cast<std::size_t>(found - names_.begin());
    if (rank >= rank_ || html::trimmed(value).empty()) return;
    rank_ = rank;
    value_ = value;
  }
  std::string_view value() const noexcept { return value_; }

 private:
  std::span<const std::string_view> names_;
  std::size_t rank_ = names_.size();
  std::string_view value_;
};

bool is_script_type(std::string_view type) {
  type = html::trimmed(type);
  return type.empty() || html::equals_ignoring_case(type, "module") ||
         html::equals_ignoring_case(type, "text/javascript") ||
         html::equals_ignoring_case(type, "application/javascript");
}

std::string text_in(const dom::Node& element) {
  std::string text;
  for (const dom::Node* node = element.first_child(); node != nullptr; node = node->next()) {
    if (node->is_text()) text += node->text();
  }
  return text;
}

// Visits the elements of a page once. BORROWS: the document.
class MetadataWalk {
 public:
  MetadataWalk(const dom::Document& document, const PagePlace& place)
      : document_(document), links_(document, place), microdata_(links_) {}

  Metadata run();

 private:
  void visit(const dom::Node& element);
  void visit_meta(const dom::Node& element);
  void visit_link(const dom::Node& element);
  void add_canonical(std::string url);
  void visit_script(const dom::Node& element);
  void visit_heading(const dom::Node& element, std::uint64_t level);
  void visit_image(const dom::Node& element);
  void visit_text(const dom::Node& body);
  void add_property(std::vector<Metadata::Property>& list, std::string_view name,
                    std::string_view value);
  void add_json(std::string& list, const base::JsonValue& value);
  std::string address(std::string_view reference);
  std::string_view open_graph(std::string_view name) const;  // the first value
  void find_facts();
  void settle();

  const dom::Document& document_;
  PageLinks links_;
  MicrodataReader microdata_;
  StructuredFacts facts_;
  BestValue published_{kPublishedNames};
  BestValue modified_{kModifiedNames};
  BestValue author_{kAuthorNames};
  std::string title_;
  std::string generator_;
  std::string author_link_;       // the text of a link with rel=author
  std::string citation_authors_;  // there is one element for each
  std::vector<PageHeading> page_headings_;
  std::size_t text_work_left_ = kMetadataWorkMax;
  std::size_t work_left_ = kMetadataWorkMax;  // for headings and links, which may be nested
  std::size_t json_ld_bytes_left_ = kAllJsonLdBytesMax;
  Metadata found_;
};

Metadata MetadataWalk::run() {
  const dom::Node& root = document_.root();
  for (const dom::Node* node = &root; node != nullptr;) {
    const bool is_hidden = is_empty_noscript(*node) || node->is(TagId::style);
    if (node->is_element()) visit(*node);
    node = is_hidden ? dom::next_after(root, *node) : dom::next_in(root, *node);
  }
  settle();
  return std::move(found_);
}

void MetadataWalk::visit(const dom::Node& element) {
  if (MicrodataReader::begins_item(element) && microdata_.has_room()) {
    const base::JsonValue item = microdata_.read(element);
    facts_.add(item);
    if (!item.members.empty()) add_json(found_.microdata, item);
  }
  if (element.space() != dom::Space::html) return;
  switch (element.tag()) {
    case TagId::html: {
      const std::string_view lang = html::trimmed(element.value(AttributeId::lang));
      found_.language = collapsed(lang.empty() ? element.value(AttributeId::xml_lang) : lang, 64);
      return;
    }
    case TagId::meta: return visit_meta(element);
    case TagId::link: return visit_link(element);
    case TagId::script: return visit_script(element);
    case TagId::h1: return visit_heading(element, 1);
    case TagId::h2: return visit_heading(element, 2);
    case TagId::h3: return visit_heading(element, 3);
    case TagId::h4: return visit_heading(element, 4);
    case TagId::h5: return visit_heading(element, 5);
    case TagId::h6: return visit_heading(element, 6);
    case TagId::img: return visit_image(element);
    case TagId::body: return visit_text(element);
    case TagId::a:
      if (author_link_.empty() &&
          html::equals_ignoring_case(html::trimmed(element.value(AttributeId::rel)), "author")) {
        author_link_ = element_text(element, kHeadingBytesMax, work_left_).text;
      }
      return;
    case TagId::title:
      if (title_.empty()) title_ = element_text(element, kHeadingBytesMax, work_left_).text;
      return;
    default: return;
  }
}

void MetadataWalk::visit_meta(const dom::Node& element) {
  const dom::Attribute* const content = element.find(AttributeId::content);
  if (content == nullptr) return;
  const std::string_view value = content->value();
  if (found_.language.empty() &&
      html::equals_ignoring_case(html::trimmed(element.value(AttributeId::http_equiv)),
                                 "content-language")) {
    found_.language = collapsed(value, 64);
  }
  std::string last;  // some pages give both attributes the same name
  for (const AttributeId id : {AttributeId::name, AttributeId::property, AttributeId::itemprop}) {
    const std::string name = html::lower_case(html::trimmed(element.value(id)).substr(0, 64));
    if (name.empty()) continue;
    if (name == "description" && id == AttributeId::name && found_.description.empty()) {
      found_.description = collapsed(value);
    }
    if (name == "generator" && generator_.empty()) generator_ = collapsed(value, 256);
    published_.offer(name, value);
    modified_.offer(name, value);
    // The URL of a profile is not a name.
    if (!value.starts_with("http")) author_.offer(name, value);
    if (name == "citation_author" && citation_authors_.size() < kMetadataTextBytesMax) {
      citation_authors_ += (citation_authors_.empty() ? "" : ", ") + collapsed(value, 64);
    }
    if (id == AttributeId::itemprop || std::exchange(last, name) == name) continue;
    if (name.starts_with("og:")) add_property(found_.open_graph, name.substr(3), value);
    if (name.starts_with("twitter:")) add_property(found_.twitter, name.substr(8), value);
  }
}

void MetadataWalk::visit_link(const dom::Node& element) {
  const html::RelSet words = html::parse_rel(element.value(AttributeId::rel));
  const bool is_canonical = words.has(html::Rel::canonical);
  const std::string_view language = html::trimmed(element.value(AttributeId::hreflang));
  const bool is_translation = words.has(html::Rel::alternate) && !language.empty();
  if (!is_canonical && !is_translation) return;
  const std::string_view href = element.value(AttributeId::href);
  if (html::trimmed(href).empty()) return;
  if (is_canonical) add_canonical(address(href));
  if (!is_translation) return;
  if (found_.translations.size() == kMetadataEntriesMax) {
    found_.is_truncated = true;
  } else if (std::string url = address(href); !url.empty()) {
    found_.translations.push_back({collapsed(language, 64), std::move(url)});
  }
}

// The first one counts.
void MetadataWalk::add_canonical(std::string url) {
  if (url.empty() || url == found_.canonical) return;
  if (found_.canonical.empty()) {
    found_.canonical = std::move(url);
  } else {
    found_.has_several_canonicals = true;
  }
}

// Returns an empty text if it is not a URL, or too long to be useful.
std::string MetadataWalk::address(std::string_view reference) {
  if (reference.size() > kAddressBytesMax) return {};
  const url::Url* const url = links_.resolve(reference);
  return url == nullptr || url->href().size() > kAddressBytesMax ? std::string()
                                                                 : std::string(url->href());
}

void MetadataWalk::visit_script(const dom::Node& element) {
  const std::string_view type = html::trimmed(element.value(AttributeId::type));
  if (!html::starts_ignoring_case(type, "application/ld+json")) {
    if (is_script_type(type)) ++found_.scripts;
    return;
  }
  const std::string text = text_in(element);
  if (text.size() > std::min(kJsonLdBytesMax, json_ld_bytes_left_)) {
    found_.is_truncated = true;
    ++found_.json_ld_faults;
    return;
  }
  json_ld_bytes_left_ -= text.size();
  const auto value = parse_json_ld(text);
  if (!value) {
    ++found_.json_ld_faults;
    return;
  }
  facts_.add(*value);
  add_json(found_.json_ld, *value);
}

void MetadataWalk::add_json(std::string& list, const base::JsonValue& value) {
  list += list.empty() ? "[" : ", ";
  base::append_json(list, value);
}

void MetadataWalk::visit_heading(const dom::Node& element, std::uint64_t level) {
  if (found_.headings.size() == kMetadataEntriesMax) {
    found_.is_truncated = true;
    return;
  }
  found_.headings.push_back({level, element_text(element, kHeadingBytesMax, work_left_).text});
  if (page_headings_.size() == kPageHeadingsMax) return;
  page_headings_.push_back({level == 1, found_.headings.back().text, &element});
}

void MetadataWalk::visit_image(const dom::Node& element) {
  ++found_.images;
  // An empty alt marks an ornament, so only a missing one is a fault.
  if (element.find("alt") == nullptr) ++found_.images_without_alt;
}

void MetadataWalk::visit_text(const dom::Node& body) {
  const ElementText visible = element_text(body, kMetadataPageTextBytesMax, text_work_left_);
  found_.is_truncated = found_.is_truncated || visible.is_truncated;
  found_.words = count_words(visible.text);
  found_.detected_language = detect_language(visible.text);
}

void MetadataWalk::add_property(std::vector<Metadata::Property>& list, std::string_view name,
                                std::string_view value) {
  if (name.empty()) return;
  if (list.size() == kMetadataEntriesMax) {
    found_.is_truncated = true;
  } else {
    list.push_back({std::string(name), collapsed(value)});
  }
}

std::string_view MetadataWalk::open_graph(std::string_view name) const {
  const auto found = std::ranges::find(found_.open_graph, name, &Metadata::Property::name);
  return found == found_.open_graph.end() ? std::string_view() : std::string_view(found->value);
}

void MetadataWalk::find_facts() {
  const std::string_view site = open_graph("site_name");
  const Headline headline =
      find_headline(page_headings_, {std::string(open_graph("title")), title_}, site);
  found_.headline = headline.text;
  const std::string language = html::lower_case(found_.language);
  const bool is_month_first = language.empty() || language == "en" || language == "en-us";
  const auto order = is_month_first ? NumberOrder::month_first : NumberOrder::day_first;
  Byline byline;
  if (headline.element != nullptr) byline = read_byline(document_, *headline.element, order);
  Publication publication = find_publication(
      {.author = citation_authors_.empty() ? author_.value() : citation_authors_,
       .author_link = author_link_,
       .published = published_.value(),
       .site = site,
       .kind = open_graph("type"),
       .canonical = found_.canonical.empty() ? open_graph("url") : found_.canonical,
       .url = links_.page_url(),
       .structured = facts_,
       .byline = byline,
       .order = order});
  found_.author = std::move(publication.author);
  found_.published = collapsed(publication.published, kDateBytesMax);
  found_.modified = collapsed(iso_date(modified_.value(), order), kDateBytesMax);
  if (found_.modified.empty()) {
    found_.modified = collapsed(iso_date(facts_.modified, order), kDateBytesMax);
  }
  found_.page_kind = name(find_page_kind(document_, {.url = links_.page_url(),
                                                     .generator = generator_,
                                                     .open_graph = open_graph("type"),
                                                     .types = facts_.types,
                                                     .has_author = !found_.author.empty(),
                                                     .has_date = !found_.published.empty()}));
}

void MetadataWalk::settle() {
  find_facts();
  for (std::string* const list : {&found_.json_ld, &found_.microdata}) {
    if (!list->empty()) *list += ']';
  }
  found_.is_truncated =
      found_.is_truncated || microdata_.is_truncated() || document_.is_truncated();
}

}  // namespace

Metadata read_metadata(const dom::Document& document, const PagePlace& place) {
  return MetadataWalk(document, place).run();
}

}  // namespace gossamer::content

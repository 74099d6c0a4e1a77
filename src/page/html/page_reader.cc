#include "html/page_reader.h"

#include <array>
#include <mutex>
#include <optional>

#include "html/links/data_urls.h"
#include "html/token/ascii.h"

namespace gossamer::html {
namespace {

// ContentModel needs these to stay in step with the document.
void add_model_interest(Interest& interest) {
  for (std::size_t i = 0; i < interest.tags.size(); ++i) {
    if (text_mode_of(static_cast<TagId>(i)) != TextMode::data) {
      interest.tags[i].start = interest.tags[i].end = true;
    }
  }
  for (const TagId id : {TagId::svg, TagId::math, TagId::body}) interest[id].start = true;
  for (const TagId id : {TagId::template_, TagId::frameset}) {
    interest[id].start = interest[id].end = true;
  }
  interest[TagId::template_].attributes |= set_of(AttributeId::shadowrootmode);
}

void add_foreign_model_interest(Interest& interest) {
  for (Interest::OfTag& tag : interest.tags) tag.start = tag.end = true;
  interest[TagId::annotation_xml].attributes |= set_of(AttributeId::encoding);
  interest[TagId::font].attributes |=
      set_of(AttributeId::color, AttributeId::face, AttributeId::size);
}

struct PageInterest {
  Interest html;
  Interest foreign;
};

PageInterest interest_of(const PageOptions& options) {
  PageInterest interest;
  add_model_interest(interest.html);
  if (options.links) LinkScanner::add_interest(options.link_options, interest.html);
  if (options.facts) FactScanner::add_interest(interest.html);
  if (options.text) TextScanner::add_interest(interest.html);
  interest.foreign = interest.html;
  add_foreign_model_interest(interest.foreign);
  if (options.links) LinkScanner::add_foreign_interest(options.link_options, interest.foreign);
  interest.html.settle();
  interest.foreign.settle();
  return interest;
}

// Bytes of a script that say whether it is data, with some space before it.
constexpr std::size_t kDataBeginning = 64;

// The tables are larger than many pages, and there are few of them. Each is built once, on first
// use, because building all of them takes as long as reading several pages.
const PageInterest& shared_interest_of(const PageOptions& options) {
  struct Shared {
    std::once_flag is_made;
    std::optional<PageInterest>
        interest;  // an empty optional is all zeros, which take no space in the file
  };
  static std::array<Shared, 32> tables;
  const LinkOptions& links = options.link_options;
  Shared& shared = tables[std::size_t{options.links} | std::size_t{options.facts} << 1 |
                          std::size_t{options.text} << 2 | std::size_t{links.anchor_text} << 3 |
                          std::size_t{links.css} << 4];
  std::call_once(shared.is_made, [&] {
    shared.interest =
        interest_of({.links = options.links,
                     .facts = options.facts,
                     .text = options.text,
                     .link_options = {.anchor_text = links.anchor_text, .css = links.css}});
  });
  return *shared.interest;
}

}  // namespace

TagDispatcher::TagDispatcher(const PageOptions& options, PageConsumer& consumer)
    : TokenSink(shared_interest_of(options).html),
      html_interest_(&shared_interest_of(options).html),
      foreign_interest_(&shared_interest_of(options).foreign),
      element_text_bytes_max_(options.element_text_bytes_max) {
  if (options.links) links_.emplace(options.link_options, consumer);
  if (options.facts) facts_.emplace(options.fact_limits);
  if (options.text) text_.emplace(consumer);
  choose_interest();
}

TextMode TagDispatcher::tag(const Tag& tag) {
  TextMode mode = TextMode::data;
  if (tag.is_end) {
    end_tag(tag);
  } else {
    mode = start_tag(tag);
  }
  choose_interest();
  return mode;
}

TextMode TagDispatcher::start_tag(const Tag& tag) {
  const TextMode mode = model_.open(tag);
  if (model_.ignored()) return mode;
  // The content of a template is not part of the document, but is read in the same way.
  if (model_.in_template()) {
    if (mode != TextMode::data) begin_element_text(tag, mode);
    return mode;
  }
  const bool is_html = model_.opened_html();
  if (links_) links_->start_tag(tag, is_html);
  if (is_html) {
    if (facts_) facts_->start_tag(tag);
    if (text_) text_->start_tag(tag);
  }
  if (mode != TextMode::data) begin_element_text(tag, mode);
  return mode;
}

void TagDispatcher::end_tag(const Tag& tag) {
  if (element_ != TagId::other) end_element_text();
  const bool was_foreign = model_.current_is_foreign();
  model_.close(tag);
  if (model_.in_template()) return;
  if (links_) links_->end_tag(tag);
  // Ends an element of SVG or MathML, whatever its name.
  if (was_foreign && model_.is_foreign() && !model_.is_in_doubt()) return;
  if (facts_) facts_->end_tag(tag);
  if (text_) text_->end_tag(tag);
}

// In such an element the next end tag is its own.
void TagDispatcher::begin_element_text(const Tag& tag, TextMode mode) {
  element_ = tag.id;
  element_text_.clear();
  is_json_ld_ = tag.id == TagId::script && facts_ &&
                equals_ignoring_case(trimmed(tag.value(AttributeId::type)), "application/ld+json");
  script_data_ = script_data_of(tag);
  keeps_element_text_ = is_element_text_wanted();
  if (model_.in_template() || mode == TextMode::plaintext) keeps_element_text_ = false;
}

// The data of frameworks is JSON, or a script that begins as is_page_data() knows.
TagDispatcher::ScriptData TagDispatcher::script_data_of(const Tag& tag) const {
  if (tag.id != TagId::script || !links_ || !links_->wants_data()) return ScriptData::no;
  if (tag.find(AttributeId::src) != nullptr) return ScriptData::no;
  const std::string_view type = trimmed(tag.value(AttributeId::type));
  if (equals_ignoring_case(type, "application/json")) return ScriptData::yes;
  const bool is_script = type.empty() || equals_ignoring_case(type, "text/javascript");
  return is_script ? ScriptData::perhaps : ScriptData::no;
}

bool TagDispatcher::is_element_text_wanted() const noexcept {
  switch (element_) {
    case TagId::style: return links_.has_value();
    case TagId::title: return facts_.has_value();
    case TagId::script:
      return is_json_ld_ || script_data_ != ScriptData::no || (links_ && links_->wants_scripts());
    default: return false;
  }
}

void TagDispatcher::end_element_text() {
  if (keeps_element_text_) {
    if (element_ == TagId::style && links_) links_->style_text(element_text_);
    if (element_ == TagId::script && links_) links_->script_text(element_text_);
    if (element_ == TagId::title && facts_) facts_->title_text(element_text_);
    if (is_json_ld_ && facts_) facts_->json_ld_text(element_text_);
    const bool is_data = script_data_ == ScriptData::yes ||
                         (script_data_ == ScriptData::perhaps && is_page_data(element_text_));
    if (is_data && links_) links_->data_text(element_text_);
  }
  element_text_.clear();
  keeps_element_text_ = false;
  is_json_ld_ = false;
  script_data_ = ScriptData::no;
  element_ = TagId::other;
}

void TagDispatcher::text(std::string_view piece) {
  model_.text(piece);
  if (keeps_element_text_) {
    // Most scripts are no data, and their beginning says so.
    if (script_data_ == ScriptData::perhaps && element_text_.size() >= kDataBeginning) {
      script_data_ = is_page_data(element_text_) ? ScriptData::yes : ScriptData::no;
      keeps_element_text_ = wants_text_ = is_element_text_wanted();
    }
    const std::size_t room = element_text_bytes_max_ - element_text_.size();
    if (keeps_element_text_) element_text_.append(piece.substr(0, room));
    return;
  }
  if (model_.in_template() || model_.hides_text()) return;
  if (links_ && links_->wants_text()) links_->text(piece);
  if (facts_ && facts_->wants_text()) facts_->text(piece);
  if (text_) text_->text(piece);
}

void TagDispatcher::finish() {
  end_element_text();
  if (links_) links_->finish();
  if (facts_) facts_->finish();
  if (text_) text_->finish();
}

// The interest depends on the position in the document.
void TagDispatcher::choose_interest() {
  interest_ = model_.is_foreign() ? foreign_interest_ : html_interest_;
  switch (element_) {
    case TagId::other:
      wants_text_ = model_.wants_text() || text_.has_value() || (links_ && links_->wants_text()) ||
                    (facts_ && facts_->wants_text());
      break;
    case TagId::textarea:
    case TagId::xmp:
    case TagId::plaintext: wants_text_ = text_.has_value(); break;
    default: wants_text_ = keeps_element_text_; break;
  }
}

}  // namespace gossamer::html

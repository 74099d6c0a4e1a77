#include "engine/page/page_reading.h"

#include <algorithm>

#include "engine/page/page_signs.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::crawler {
namespace {

html::DocumentKind document_kind(BodyKind kind) {
  switch (kind) {
    case BodyKind::xml: return html::DocumentKind::xml;
    case BodyKind::css: return html::DocumentKind::css;
    default: return html::DocumentKind::html;
  }
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kBlankBytesMax = 1024;
constexpr std::size_t kElementTextBytesMax = 1024 * 1024;
// Longer attributes have no links that count.
constexpr html::TokenizerLimits kTokenLimits = {.value_bytes_max = PageReading::kLinkBytesMax,
                                                .tag_bytes_max = 2 * PageReading::kLinkBytesMax};

// Returns the beginning of a body without byte order mark and blanks.
std::string_view beginning_of(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  return html::trimmed(bytes);
}

// True if markup may still follow.
bool is_undecided(std::string_view bytes) {
  if (bytes.size() >= kBlankBytesMax) return false;
  return beginning_of(bytes).empty() || kByteOrderMark.starts_with(bytes);
}

}  // namespace

BodyKind body_kind(const std::optional<wire::MimeType>& type, BodyWishes wishes) {
  if (!type) return BodyKind::unknown;
  if (type->is_html() || type->essence() == "application/xhtml+xml") return BodyKind::html;
  if (type->essence() == "image/svg+xml") return wishes.css ? BodyKind::xml : BodyKind::opaque;
  if (type->is_xml()) return BodyKind::xml;
  if (wishes.css && type->essence() == "text/css") return BodyKind::css;
  if (wishes.css && type->essence() == "application/manifest+json") return BodyKind::manifest;
  if (wishes.scripts && (type->is_javascript() || type->is_json())) return BodyKind::script;
  if (wishes.css && type->essence() == "application/json") return BodyKind::manifest;
  return BodyKind::opaque;
}

void PageReading::begin(BodyKind kind, std::string_view charset, std::string_view agent) {
  kind_ = kind;
  charset_label_ = charset;
  agent_ = agent;
  bytes_ = 0;
  hasher_.reset();
  content_.reset();
  series_ = 0;
  decoder_.reset();
  links_.clear();
  links_.links = links_.guesses = links_.left_out = 0;
  if (links_.text_hasher) links_.text_hasher->reset();
  page_.reset();
  xml_.reset();
  css_.reset();
  script_.reset();
  manifest_.reset();
  sitemap_.reset();
  begun_.clear();
  title_.clear();
  rules_ = {};
  is_index_ = false;
  has_ended_ = false;
  is_page_cut_ = false;
  page_text_.clear();
  if (kind_ != BodyKind::unknown) choose_reader({});
}

void PageReading::choose_reader(std::string_view first_bytes) {
  if (kind_ == BodyKind::unknown) {
    // A body without a type that begins like markup is read as a page.
    kind_ = beginning_of(first_bytes).starts_with('<') ? BodyKind::html : BodyKind::opaque;
  }
  if (kind_ == BodyKind::opaque) return;
  if (kind_ == BodyKind::sitemap) {
    sitemap_.emplace(robots::SitemapOptions{}, static_cast<robots::SitemapSink&>(*this));
    return;
  }
  html::SniffOptions sniffing = {.kind = document_kind(kind_),
                                 .transport = html::encoding_from_label(charset_label_)};
  const bool is_resource = kind_ == BodyKind::script || kind_ == BodyKind::manifest;
  if (is_resource) sniffing.fallback = html::Encoding::utf_8;
  decoder_.emplace(sniffing);
  if (kind_ == BodyKind::xml) {
    xml_.emplace(links_);
  } else if (kind_ == BodyKind::css) {
    css_.emplace(links_, resource_bytes_max());
  } else if (kind_ == BodyKind::script) {
    script_.emplace(links_, resource_bytes_max());
  } else if (kind_ == BodyKind::manifest) {
    manifest_.emplace(links_, std::min(links_.bytes_max, html::ManifestReader::kBytesMax));
  } else {
    // The text of a <style> is read in one step, so it has a bound.
    page_.emplace(html::PageOptions{.facts = true,
                                    .text = links_.text_hasher.has_value(),
                                    .link_options = {.anchor_text = keeps_anchor_texts_,
                                                     .scripts = mines_scripts_},
                                    .tokenizer_limits = kTokenLimits,
                                    .element_text_bytes_max = kElementTextBytesMax},
                  links_);
  }
}

std::size_t PageReading::resource_bytes_max() const noexcept {
  return std::min(links_.bytes_max, html::ResourceReader::kBytesMax);
}

std::size_t PageReading::bytes_held() const noexcept {
  // A large copy reserves more than it has, and the kernel provides only what is written.
  std::size_t bytes = sizeof *this + std::min(page_text_.capacity(), 2 * page_text_.size());
  bytes += links_.bytes_held() + scratch_.capacity() + begun_.capacity();
  if (page_) bytes += page_->bytes_held();
  if (css_) bytes += css_->bytes_held();
  if (script_) bytes += script_->bytes_held();
  if (manifest_) bytes += manifest_->bytes_held();
  return bytes;
}

void PageReading::feed(Bytes piece) {
  bytes_ += piece.size();
  hasher_.update(piece);
  if (series_ != 0) content_.update(as_text(piece));
  std::string_view text = as_text(piece);
  if (kind_ == BodyKind::unknown) {
    text = begun_.append(text);
    if (is_undecided(text)) return;
    choose_reader(text);
  }
  if (kind_ == BodyKind::opaque) return;
  if (sitemap_) return sitemap_->feed(text);
  read(decoder_->decode(text, scratch_));
}

void PageReading::read(std::string_view text) {
  if (page_) page_->feed(text);
  if (page_ && page_bytes_max_ > 0) copy_page(text);
  if (xml_) xml_->feed(text);
  if (css_) css_->feed(text);
  if (script_) script_->feed(text);
  if (manifest_) manifest_->feed(text);
}

void PageReading::copy_page(std::string_view text) {
  if (is_page_cut_) return;
  if (keeps_only_shells_ &&
      (links_.size() > kShellLinksMax || (page_text_.empty() && shows_much(text)))) {
    is_page_cut_ = true;
    return page_text_.clear();
  }
  append_large(page_text_, text, page_bytes_max_);
  is_page_cut_ = page_text_.size() > page_bytes_max_;
  html::cut_utf8(page_text_, page_bytes_max_);
}

void PageReading::end_input() {
  has_ended_ = true;
  if (kind_ == BodyKind::unknown) kind_ = BodyKind::opaque;
  if (decoder_) read(decoder_->finish(scratch_));
  if (xml_) xml_->finish();
  if (sitemap_) {
    sitemap_->finish();
    is_index_ = sitemap_->kind() == robots::SitemapKind::index;
  }
  if (!page_) return;
  page_->finish();
  const html::PageFacts& facts = page_->facts();
  title_ = facts.title;
  for (const auto& rule : facts.robots) rules_.add_meta(rule.agent, rule.content, agent_);
}

bool PageReading::finish_some() {
  if (!has_ended_) end_input();
  // Style sheets and scripts are read when they are complete.
  if (script_) return script_->finish_some(kStepBytes);
  if (manifest_) return manifest_->finish_some(kStepBytes);
  return !css_ || css_->finish_some(kStepBytes);
}

void PageReading::put(robots::SitemapEntry entry) {
  html::Link link;
  link.url = entry.loc;
  links_.link(link);
}

std::optional<html::Encoding> PageReading::encoding() const noexcept {
  if (!decoder_ || !decoder_->sniffed()) return std::nullopt;
  return decoder_->sniffed()->encoding;
}

std::string_view PageReading::charset() const noexcept {
  const auto found = encoding();
  return found ? html::name(*found) : std::string_view();
}

}  // namespace gossamer::crawler

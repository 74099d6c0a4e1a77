#include "check/document.h"

#include <algorithm>

#include "base/ascii.h"
#include "check/id_sink.h"
#include "check/place_collector.h"
#include "html/page_reader.h"
#include "html/resource_reader.h"
#include "html/token/tokenizer.h"
#include "html/xml_reader.h"

namespace gossamer::check {
namespace {

// Feeds a text tag by tag, each with the text after it, and tells the collector the position.
class TagFeeder {
 public:
  // BORROWS: both.
  TagFeeder(std::string_view text, PlaceCollector& places) : text_(text), places_(places) {}

  // Feeds this many bytes. Returns true when done.
  template <class Feed>
  bool feed_some(std::size_t bytes, Feed feed) {
    const std::size_t stop = at_ + std::min(bytes, text_.size() - at_);
    while (at_ < stop) {
      if (at_ == end_) begin_piece();
      const std::string_view part = text_.substr(at_, std::min(end_, stop) - at_);
      feed(part);
      at_ += part.size();
    }
    return at_ == text_.size();
  }

 private:
  void begin_piece() {
    const std::size_t before = begin_;
    begin_ = at_;
    end_ = std::min(text_.find('<', begin_ + 1), text_.size());
    const std::string_view piece = text_.substr(begin_, end_ - begin_);
    // Only the end of an element shows whether its text is a URL.
    const bool is_end = piece.starts_with("</");
    std::size_t look_from = is_end ? before : begin_;
    if (base::equals_ignoring_case(piece.substr(0, 6), "<style")) style_ = begin_;
    if (base::equals_ignoring_case(piece.substr(0, 7), "</style")) {
      look_from = std::min(style_, look_from);
      style_ = std::string_view::npos;
    }
    places_.look_within(look_from, end_);
  }

  std::string_view text_;
  PlaceCollector& places_;
  std::size_t begin_ = 0;  // of the current piece
  std::size_t end_ = 0;
  std::size_t at_ = 0;  // end of the text fed so far
  std::size_t style_ = std::string_view::npos;
};

class HtmlSteps final : public DocumentSteps {
 public:
  HtmlSteps(std::string_view text, Words words)
      : places_(text, document_),
        feeder_(text, places_),
        reader_({.text = words == Words::kept}, places_),
        ids_(document_.ids, kIdsMax),
        id_reader_(ids_) {}

  bool read_some(std::size_t bytes) override {
    const bool is_all = feeder_.feed_some(bytes, [this](std::string_view piece) {
      reader_.feed(piece);
      id_reader_.feed(piece);
    });
    if (!is_all) return false;
    reader_.finish();
    id_reader_.finish();
    document_.words = places_.take_words();
    return true;
  }

 private:
  PlaceCollector places_;
  TagFeeder feeder_;
  html::PageReader reader_;
  IdSink ids_;
  html::Tokenizer<IdSink> id_reader_;
};

class XmlSteps final : public DocumentSteps {
 public:
  explicit XmlSteps(std::string_view text)
      : places_(text, document_), feeder_(text, places_), reader_(places_) {}

  bool read_some(std::size_t bytes) override {
    const bool is_all =
        feeder_.feed_some(bytes, [this](std::string_view piece) { reader_.feed(piece); });
    if (is_all) reader_.finish();
    return is_all;
  }

 private:
  PlaceCollector places_;
  TagFeeder feeder_;
  html::XmlReader reader_;
};

class CssSteps final : public DocumentSteps {
 public:
  explicit CssSteps(std::string_view text) : places_(text, document_), reader_(places_) {
    places_.look_within(0, text.size());
    reader_.feed(text);
  }

  bool read_some(std::size_t bytes) override { return reader_.finish_some(bytes); }

 private:
  PlaceCollector places_;
  html::CssReader reader_;
};

Document read_in_one_go(std::unique_ptr<DocumentSteps> steps) {
  while (!steps->read_some(kDocumentStepBytes)) {
  }
  return steps->take();
}

}  // namespace

bool is_checked(const html::Link& link) noexcept {
  switch (link.kind) {
    case html::LinkKind::data:
    case html::LinkKind::form:
    case html::LinkKind::other: return false;
    case html::LinkKind::preload:
      return !link.rel.has(html::Rel::preconnect) && !link.rel.has(html::Rel::dns_prefetch);
    default: return true;
  }
}

std::unique_ptr<DocumentSteps> html_steps(std::string_view text, Words words) {
  return std::make_unique<HtmlSteps>(text, words);
}

std::unique_ptr<DocumentSteps> xml_steps(std::string_view text) {
  return std::make_unique<XmlSteps>(text);
}

std::unique_ptr<DocumentSteps> css_steps(std::string_view text) {
  return std::make_unique<CssSteps>(text);
}

Document read_html(std::string_view text, Words words) {
  return read_in_one_go(html_steps(text, words));
}

Document read_xml(std::string_view text) { return read_in_one_go(xml_steps(text)); }

Document read_css(std::string_view text) { return read_in_one_go(css_steps(text)); }

Document read_url_list(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  Document document;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view url = text.substr(at, end - at);
    at = end + 1;
    const std::size_t first = url.find_first_not_of(kBlank);
    if (first == std::string_view::npos || url[first] == '#') continue;
    url = url.substr(first, url.find_last_not_of(kBlank) + 1 - first);
    if (document.links.size() >= kLinksMax) {
      ++document.links_left_out;
      continue;
    }
    document.links.push_back({.at = {line, static_cast<std::uint32_t>(first + 1)},
                              .kind = html::LinkKind::page,
                              .url = std::string(url),
                              .text = {}});
  }
  return document;
}

}  // namespace gossamer::check

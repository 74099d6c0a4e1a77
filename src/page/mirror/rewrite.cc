#include "mirror/rewrite.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/escape.h"
#include "html/encoding/decoder.h"
#include "html/encoding/sniffer.h"
#include "html/link_list.h"
#include "html/link_scanner.h"
#include "html/links/css_urls.h"
#include "html/links/link.h"
#include "html/links/refresh.h"
#include "html/page_reader.h"
#include "html/token/content_model.h"
#include "html/token/tokenizer.h"
#include "mirror/raw_tag.h"
#include "mirror/relinker.h"

namespace gossamer::mirror {
namespace {

using html::AttributeId;
using html::TagId;

constexpr std::string_view kMark = "\xEF\xBB\xBF";

std::string in_attribute(std::string_view value) {
  return '"' + base::escape_attribute(value) + '"';
}

// Rewrites a page while it is read.
//
// The tokenizer does not report where a tag is. But it gives the same tokens however its input is
// divided, so it is fed up to one > at a time: a tag that it reports has just ended. The tag began
// with the first < and letter after the end of the previous one. Only CDATA sections, which it does
// not report, can contain others; those end elsewhere.
class HtmlRewriter final : public html::TokenSink, private html::PageConsumer {
 public:
  // An inner page is the value of a srcdoc attribute.
  HtmlRewriter(std::string_view text, Relinker& relinker, bool is_inner = false)
      : TokenSink(interest_in_all()),
        text_(text),
        relinker_(relinker),
        links_({.anchor_text = false, .srcdoc = !is_inner}, *this),
        is_inner_(is_inner),
        is_strict_(relinker.targets().is_strict()) {
    wants_text_ = model_.wants_text();
  }

  std::string run() {
    html::Tokenizer<HtmlRewriter> tokenizer(*this);
    for (std::size_t begin = 0; begin < text_.size(); begin = end_) {
      end_ = std::min(text_.find('>', begin), text_.size() - 1) + 1;
      tokenizer.feed(text_.substr(begin, end_ - begin));
    }
    tokenizer.finish();
    end_text(text_.size());
    out_.append(text_.substr(copied_));
    return std::move(out_);
  }

  html::TextMode tag(const html::Tag& tag) override {
    html::TextMode mode = html::TextMode::data;
    if (tag.is_end) {
      end_style();
      end_text(text_.substr(0, end_).rfind("</"));
      model_.close(tag);
    } else {
      mode = model_.open(tag);
      const bool is_inert = model_.in_template() && !is_strict_;
      if (!is_inert) start_tag(tag);
      if (tag.id == TagId::style && mode == html::TextMode::rawtext && !is_inert) {
        style_begin_ = end_;
      }
      if (mode == html::TextMode::rcdata && is_strict_) text_begin_ = end_;
    }
    last_end_ = end_;
    wants_text_ = model_.wants_text();
    return mode;
  }
  void text(std::string_view piece) override { model_.text(piece); }
  void comment(std::string_view) override { last_end_ = end_; }
  void doctype(const html::Doctype&) override { last_end_ = end_; }
  bool in_foreign_content() const override { return model_.current_is_foreign(); }

 private:
  // BOUND: the number of attempts, so that no section takes quadratic time.
  static constexpr std::size_t kBeginsMax = 32;

  static const html::Interest& interest_in_all() {
    static constexpr html::Interest kAll = html::Interest::in_everything();
    return kAll;
  }

  // Receives the links of the current tag.
  void link(const html::Link& link) override {
    if (html::contains(linked_, link.attribute)) return;
    linked_ |= html::set_of(link.attribute);
    if (link.kind == html::LinkKind::canonical) canonical_ |= html::set_of(link.attribute);
  }
  void base(std::string_view) override { is_base_ = true; }

  void start_tag(const html::Tag& tag) {
    linked_ = canonical_ = 0;
    is_base_ = is_strict_ && tag.id == TagId::base;
    links_.start_tag(tag, is_strict_ || model_.opened_html());
    if (is_strict_) scan_strictly(tag);
    const bool is_order = is_strict_ && is_order_to_browser(tag);
    if (linked_ == 0 && !is_base_ && !is_order && !is_strict_) return;
    const auto raw = find_tag(tag);
    if (is_strict_ && (!raw || raw->has_more || is_link_to_drop(tag))) {
      replace(raw ? raw->begin : first_begin(tag), end_, bare(tag));
      return;
    }
    if (!raw) return;
    std::vector<std::optional<std::string>> values;
    bool is_local = false;
    for (const RawAttribute& attribute : raw->attributes) {
      values.push_back(new_value(tag, attribute, is_local));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const RawAttribute& attribute = raw->attributes[i];
      const bool is_dropped =
          is_local && (attribute.name == "integrity" || attribute.name == "crossorigin");
      if (is_dropped || (is_order && attribute.name == "http-equiv")) {
        replace(attribute.begin, attribute.end, "");
      } else if (values[i]) {
        replace(attribute.begin, attribute.end, attribute.name + '=' + in_attribute(*values[i]));
      }
    }
  }

  // A browser may disagree about which elements are of SVG, so every tag is read as both.
  void scan_strictly(const html::Tag& tag) {
    links_.start_tag(tag, false);
    for (const AttributeId id : {AttributeId::xlink_href, AttributeId::srcdoc}) {
      if (tag.find(id) != nullptr) linked_ |= html::set_of(id);
    }
  }

  // The policies of the document would block copies, and others switch on what replay switches off.
  static bool is_order_to_browser(const html::Tag& tag) {
    const std::string_view* const order = tag.find(AttributeId::http_equiv);
    if (tag.id != TagId::meta || order == nullptr) return false;
    return std::ranges::none_of(
        std::to_array<std::string_view>(
            {"refresh", "content-type", "content-language", "default-style"}),
        [order](std::string_view kept) { return base::equals_ignoring_case(*order, kept); });
  }

  // Some of them open connections, which no policy blocks. Pages look the same without the others.
  static bool is_link_to_drop(const html::Tag& tag) {
    if (tag.id != TagId::link) return false;
    const html::RelSet rel = html::parse_rel(tag.value(AttributeId::rel));
    return !rel.has(html::Rel::stylesheet) && !rel.has(html::Rel::icon);
  }

  // The tag without its attributes, so that the text after it is still read as what it is.
  static std::string bare(const html::Tag& tag) {
    return '<' + std::string(tag.name) + (tag.self_closing ? "/>" : ">");
  }

  // Calls `use(tag)` for each text that may be the tag that ends here, until it returns true.
  // Returns false if there are too many.
  template <class Use>
  bool for_each_raw_tag(const html::Tag& tag, Use use) const {
    const std::string_view seen = text_.substr(0, end_);
    std::size_t tried = 0;
    for (std::size_t at = last_end_; (at = seen.find('<', at)) != std::string_view::npos; ++at) {
      if (at + 1 >= end_ || !base::is_letter(seen[at + 1])) continue;
      if (++tried > kBeginsMax) return false;
      auto raw = read_raw_tag(seen, at);
      const bool may_be = raw && raw->end == end_ && is_same_name(raw->name, tag.name);
      if (may_be && use(std::move(*raw))) break;
    }
    return true;
  }

  std::optional<RawTag> find_tag(const html::Tag& tag) const {
    std::optional<RawTag> found;
    static_cast<void>(for_each_raw_tag(tag, [&](RawTag raw) {
      if (!is_same(raw, tag)) return false;
      found = std::move(raw);
      return true;
    }));
    return found;
  }

  // Where a tag begins that find_tag() does not find, or before that.
  std::size_t first_begin(const html::Tag& tag) const {
    std::size_t begin = last_end_;
    const bool is_complete = for_each_raw_tag(tag, [&begin](const RawTag& raw) {
      begin = raw.begin;
      return true;
    });
    return is_complete ? begin : last_end_;
  }

  // The tokenizer cuts long names.
  static bool is_same_name(std::string_view raw, std::string_view name) {
    return raw.size() >= name.size() &&
           base::equals_ignoring_case(raw.substr(0, name.size()), name);
  }

  // Text before a tag may look like the beginning of another one that ends with it.
  static bool is_same(const RawTag& raw, const html::Tag& tag) {
    return raw.name.size() == tag.name.size() &&
           std::ranges::equal(raw.attributes, tag.attributes, {}, &RawAttribute::name,
                              &html::Attribute::name);
  }

  static bool is_srcset(AttributeId id) {
    return html::contains(html::set_of(AttributeId::srcset, AttributeId::imagesrcset,
                                       AttributeId::data_srcset, AttributeId::data_lazy_srcset),
                          id);
  }

  // Scripts that load backgrounds accept a URL or url(...).
  static bool is_background(AttributeId id, std::string_view value) {
    return html::contains(html::set_of(AttributeId::data_bg, AttributeId::data_background,
                                       AttributeId::data_background_image),
                          id) &&
           html::CssUrls::may_have_urls(value);
  }

  std::optional<std::string> new_value(const html::Tag& tag, const RawAttribute& attribute,
                                       bool& is_local) {
    const AttributeId id = html::attribute_id(attribute.name);
    if (id == AttributeId::href && is_base_) return "";
    const std::string_view* const value = tag.find(id);
    if (value == nullptr || !html::contains(linked_, id)) return {};
    if (is_srcset(id)) {
      auto images = relinker_.srcset(*value);
      is_local |= images.has_value();
      return images;
    }
    if (id == AttributeId::style || is_background(id, *value)) return relinker_.css(*value);
    if (id == AttributeId::srcdoc) {
      // Only pages in pages are read, no deeper ones.
      return is_inner_ ? std::string() : HtmlRewriter(*value, relinker_, true).run();
    }
    if (id == AttributeId::content && tag.find(AttributeId::http_equiv) != nullptr) {
      return relinker_.refresh(*value);
    }
    const bool is_frame = tag.id == TagId::iframe || tag.id == TagId::frame;
    // A link can be canonical and something that browsers load, such as a style sheet.
    const bool is_kept = html::contains(canonical_, id) && !is_strict_;
    auto link = is_kept ? relinker_.absolute(*value) : relinker_.relinked(*value, is_frame);
    if (!link) return {};
    is_local |= link->is_local;
    return std::move(link->text);
  }

  // The end tag was just read; the style ends where it begins.
  void end_style() {
    if (style_begin_ == 0) return;
    const std::size_t close = text_.substr(0, end_).rfind("</");
    if (close != std::string_view::npos && close >= style_begin_) {
      const auto css = relinker_.css(text_.substr(style_begin_, close - style_begin_));
      if (css) replace(style_begin_, close, *css);
    }
    style_begin_ = 0;
  }

  // The text of a title is markup if a browser takes it for one of SVG.
  void end_text(std::size_t end) {
    const std::size_t begin = std::exchange(text_begin_, 0);
    if (begin == 0 || end == std::string_view::npos || end < begin) return;
    for (std::size_t at = begin; (at = text_.find('<', at)) < end; ++at) {
      replace(at, at + 1, "&lt;");
    }
  }

  void replace(std::size_t begin, std::size_t end, std::string_view by) {
    out_.append(text_.substr(copied_, begin - copied_)).append(by);
    copied_ = end;
  }

  std::string_view text_;
  Relinker& relinker_;
  html::LinkScanner links_;
  html::ContentModel model_;
  std::string out_;
  std::size_t copied_ = 0;       // bytes of the text that were copied into out_
  std::size_t end_ = 0;          // end of the bytes that the tokenizer was fed
  std::size_t last_end_ = 0;     // end of the last tag, comment or doctype
  std::size_t style_begin_ = 0;  // start of the text of a <style>; 0: outside
  std::size_t text_begin_ = 0;   // the same of a <title> or <textarea>
  html::AttributeSet linked_ = 0;
  html::AttributeSet canonical_ = 0;
  bool is_base_ = false;
  const bool is_inner_;
  const bool is_strict_;
};

// Finds the base URL, which must be known before the links.
class BaseFinder final : public html::PageConsumer {
 public:
  void base(std::string_view href) override { found = href; }
  std::optional<std::string> found;
};

std::optional<std::string> base_href(std::string_view text) {
  BaseFinder finder;
  html::PageReader reader({.link_options = {.anchor_text = false}}, finder);
  reader.feed(text);
  reader.finish();
  return std::move(finder.found);
}

struct Decoded {
  std::string text;
  html::Encoding encoding;
};

Decoded decoded(std::string_view bytes, const Document& document, html::DocumentKind kind) {
  const html::SniffOptions options = {.kind = kind, .transport = document.encoding};
  const html::Encoding encoding = html::sniff_encoding(bytes, options, true)->encoding;
  return {.text = html::decode(encoding, bytes), .encoding = encoding};
}

// A browser that detects nothing must read it as UTF-8, too.
std::string marked(std::string text, html::DocumentKind kind) {
  const html::SniffOptions options = {.kind = kind, .detects_utf8 = false};
  const html::Encoding taken_for = html::sniff_encoding(text, options, true)->encoding;
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
  const bool is_understood =
      taken_for == html::Encoding::utf_8 || (is_ascii && html::is_ascii_compatible(taken_for));
  return is_understood ? std::move(text) : std::string(kMark) + text;
}

}  // namespace

std::string rewrite_html(std::string_view bytes, const Document& document, const Pages& pages) {
  return rewrite_html(bytes, document, FileTargets(pages, document.name));
}

std::string rewrite_css(std::string_view bytes, const Document& document, const Pages& pages) {
  return rewrite_css(bytes, document, FileTargets(pages, document.name));
}

std::string rewrite_manifest(std::string_view bytes, const Document& document, const Pages& pages) {
  const FileTargets targets(pages, document.name);
  Relinker relinker(targets, document.url, false, html::Encoding::utf_8);
  return relinker.manifest(bytes).value_or(std::string(bytes));
}

std::string rewrite_html(std::string_view bytes, const Document& document,
                         const LinkTargets& targets) {
  const Decoded page = decoded(bytes, document, html::DocumentKind::html);
  const auto base = base_href(page.text);
  Relinker relinker(targets, html::document_base(document.url, base), base.has_value(),
                    page.encoding);
  return marked(HtmlRewriter(page.text, relinker).run(), html::DocumentKind::html);
}

std::string rewrite_css(std::string_view bytes, const Document& document,
                        const LinkTargets& targets) {
  Decoded sheet = decoded(bytes, document, html::DocumentKind::css);
  Relinker relinker(targets, document.url, false, sheet.encoding);
  auto changed = relinker.css(sheet.text);
  return marked(changed ? std::move(*changed) : std::move(sheet.text), html::DocumentKind::css);
}

}  // namespace gossamer::mirror

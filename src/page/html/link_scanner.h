// Extracts links from tags.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "html/page_consumer.h"
#include "html/token/token.h"

namespace gossamer::html {

struct LinkOptions {
  // Report the text of anchors. Costs a fifth of the speed.
  bool anchor_text = true;
  // Find URLs in style attributes and <style>.
  bool css = true;
  // Find URLs in scripts and embedded JSON. This is a guess: it finds some links that are nowhere
  // else, and some that are broken.
  bool scripts = false;
  // Find URLs in the data that pages have for their scripts.
  bool data = true;
  // Find the links of pages inside pages: <iframe srcdoc>.
  bool srcdoc = true;
  // BOUND: longer URLs are not links. Large enough for data: URLs.
  std::size_t url_bytes_max = 2 * 1024 * 1024;
  // BOUND: anchor texts are cut after this many bytes.
  std::size_t anchor_text_bytes_max = 512;
};

// Part of PageReader, which calls it for each tag and text that it is interested in.
class LinkScanner {
 public:
  LinkScanner(const LinkOptions& options, PageConsumer& consumer)
      : options_(options), consumer_(consumer) {}

  // Adds the tags and attributes that have links to `interest`; the second set is for tags inside
  // SVG and MathML.
  static void add_interest(const LinkOptions& options, Interest& interest);
  static void add_foreign_interest(const LinkOptions& options, Interest& interest);

  void start_tag(const Tag& tag, bool is_html);
  void end_tag(const Tag& tag);
  // Receives text inside <a>.
  void text(std::string_view piece);
  // Receives the text of a <style> or <script> element.
  void style_text(std::string_view css);
  void script_text(std::string_view script);
  // Receives the text of a <script> that is data.
  void data_text(std::string_view data);
  void finish() { end_anchor(); }

  bool wants_text() const noexcept { return in_anchor_; }
  bool wants_scripts() const noexcept { return options_.scripts; }
  bool wants_data() const noexcept { return options_.data; }

 private:
  void html_links(const Tag& tag);
  void lazy_links(const Tag& tag);
  void embedded_page(std::string_view page);
  void foreign_links(const Tag& tag);
  void anchor(const Tag& tag);
  void link_element(const Tag& tag);
  void meta(const Tag& tag);
  void attribute(const Tag& tag, AttributeId id, LinkKind kind);
  void srcset(const Tag& tag, AttributeId id);
  void css(std::string_view text, TagId tag, AttributeId attribute);
  void emit(const Link& link);
  void end_anchor();

  LinkOptions options_;
  PageConsumer& consumer_;
  bool in_anchor_ = false;
  bool has_base_ = false;
  bool is_foreign_ = false;
  std::string anchor_text_;
};

}  // namespace gossamer::html

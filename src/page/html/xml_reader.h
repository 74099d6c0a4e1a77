// Finds the links of XML documents: RSS and Atom feeds, and any other XML.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "html/page_consumer.h"
#include "html/token/token.h"
#include "html/token/tokenizer.h"

namespace gossamer::html {

// Reads XML with the tolerant HTML tokenizer, because feeds are often malformed. DTDs are ignored
// and only the known character references are decoded, so a document can make nothing grow or be
// fetched.
//
//   RSS    <link>, <guid>, <comments>, <docs>, <enclosure url>, <image><url>, media:content ...
//   Atom   <link href rel>, <content src>, <icon>, <logo>, <uri>
//   other  the attributes href, xlink:href and src of any element, elements whose text is nothing
//          but an absolute http(s) URL, <?xml-stylesheet href?>
//
// Prefixes of names are ignored: <atom:link> is <link>.
class XmlSink final : public TokenSink {
 public:
  explicit XmlSink(PageConsumer& consumer);

  TextMode tag(const Tag& tag) override;
  void text(std::string_view piece) override;
  void comment(std::string_view data) override;
  // Always true: <![CDATA[ is text everywhere.
  bool in_foreign_content() const override { return true; }

 private:
  enum class Form : std::uint8_t { unknown, feed, other };

  // BOUND: longer texts are not URLs.
  static constexpr std::size_t kTextBytesMax = 8 * 1024;

  void start_tag(TagId id, const Tag& tag);
  void end_tag(TagId id);
  void feed_link(const Tag& tag, std::string_view href);
  void emit(LinkKind kind, TagId id, AttributeId attribute, std::string_view url,
            std::string_view rel_text = {});

  PageConsumer& consumer_;
  Form form_ = Form::unknown;
  bool is_leaf_ = false;                  // the last tag was the start tag of the current element
  std::optional<LinkKind> address_kind_;  // set if its name says that its text is a URL
  bool has_base_ = false;
  std::string text_;
};

class XmlReader {
 public:
  explicit XmlReader(PageConsumer& consumer) : sink_(consumer), tokenizer_(sink_) {}

  // Takes the next piece of the document, in UTF-8. Pieces can be of any size.
  void feed(std::string_view piece) { tokenizer_.feed(piece); }
  void finish() { tokenizer_.finish(); }

 private:
  XmlSink sink_;
  Tokenizer<XmlSink> tokenizer_;
};

}  // namespace gossamer::html

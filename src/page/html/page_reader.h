// Reads an HTML page once, as it arrives, and extracts links, facts and text.
//
//   PageReader reader({.links = true}, consumer);
//   while (...) reader.feed(decoder.decode(bytes, scratch));
//   reader.finish();
//
// It keeps nothing of the page beyond its bounds and builds no tree: ContentModel replaces the tree
// builder's feedback to the tokenizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "html/link_scanner.h"
#include "html/page_consumer.h"
#include "html/page_facts.h"
#include "html/text_scanner.h"
#include "html/token/content_model.h"
#include "html/token/tokenizer.h"

namespace gossamer::html {

struct PageOptions {
  bool links = true;
  bool facts = false;
  bool text = false;
  LinkOptions link_options = {};
  FactLimits fact_limits = {};
  TokenizerLimits tokenizer_limits = {};
  // BOUND: the rest of a longer <style>, <script> or <title> element is ignored.
  std::size_t element_text_bytes_max = 4 * 1024 * 1024;
};

// Connects the tokenizer with the scanners.
class TagDispatcher final : public TokenSink {
 public:
  TagDispatcher(const PageOptions& options, PageConsumer& consumer);
  TagDispatcher(const TagDispatcher&) = delete;
  TagDispatcher& operator=(const TagDispatcher&) = delete;

  TextMode tag(const Tag& tag) override;
  void text(std::string_view piece) override;
  bool in_foreign_content() const override { return model_.current_is_foreign(); }

  void finish();
  std::size_t bytes_held() const noexcept { return element_text_.capacity(); }
  FactScanner* facts() { return facts_ ? &*facts_ : nullptr; }

 private:
  // Whether a script is data with links.
  enum class ScriptData : std::uint8_t { no, perhaps, yes };

  TextMode start_tag(const Tag& tag);
  void end_tag(const Tag& tag);
  void begin_element_text(const Tag& tag, TextMode mode);
  ScriptData script_data_of(const Tag& tag) const;
  void end_element_text();
  bool is_element_text_wanted() const noexcept;
  void choose_interest();

  ContentModel model_;
  std::optional<LinkScanner> links_;
  std::optional<FactScanner> facts_;
  std::optional<TextScanner> text_;
  const Interest* html_interest_;
  const Interest* foreign_interest_;  // inside SVG or MathML, where every tag counts

  // The element whose text is read to its end: style, script, title, ...; `other` if there is none.
  TagId element_ = TagId::other;
  bool keeps_element_text_ = false;
  bool is_json_ld_ = false;
  ScriptData script_data_ = ScriptData::no;
  std::string element_text_;
  std::size_t element_text_bytes_max_;
};

class PageReader {
 public:
  PageReader(const PageOptions& options, PageConsumer& consumer)
      : sink_(options, consumer), tokenizer_(sink_, options.tokenizer_limits) {}

  // Takes the next piece of the page, in UTF-8. Pieces can be of any size.
  void feed(std::string_view piece) { tokenizer_.feed(piece); }
  void finish() {
    tokenizer_.finish();
    sink_.finish();
  }

  // The memory of what it collects.
  std::size_t bytes_held() const noexcept { return sink_.bytes_held() + tokenizer_.bytes_held(); }
  // REQUIRES: PageOptions enable facts, and finish() was called.
  const PageFacts& facts() { return sink_.facts()->facts(); }

 private:
  TagDispatcher sink_;
  Tokenizer<TagDispatcher> tokenizer_;
};

}  // namespace gossamer::html

// The links of one page, collected until its base URL is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "html/page_consumer.h"
#include "url/url.h"

namespace gossamer::html {

// Collects links, with all their texts in one string. clear() keeps the memory for the next page.
class LinkList : public PageConsumer {
 public:
  struct Entry {
    Link link;              // its views point into the list
    std::string_view text;  // of the anchor; empty for other links
  };

  void link(const Link& link) override;
  void anchor_text(std::string_view text) override;
  void base(std::string_view href) override { base_ = href; }

  std::size_t size() const noexcept { return entries_.size(); }
  // The memory of the links, and of their texts alone.
  std::size_t bytes_held() const noexcept {
    return entries_.capacity() * sizeof(Stored) + texts_.capacity();
  }
  std::size_t text_bytes() const noexcept { return texts_.size(); }
  // BORROWS: until the next change of the list.
  Entry operator[](std::size_t index) const noexcept;
  const std::optional<std::string>& base() const noexcept { return base_; }

  void clear() noexcept;

 private:
  // A link whose texts are positions in texts_.
  struct Stored {
    LinkKind kind;
    TagId tag;
    AttributeId attribute;
    bool is_foreign;
    RelSet rel;
    std::size_t url_begin;
    std::uint32_t url_bytes;  // the text of rel follows
    std::uint32_t rel_bytes;
    std::size_t text_begin;
    std::uint32_t text_bytes;
  };

  std::vector<Stored> entries_;
  std::string texts_;
  std::optional<std::string> base_;
  std::size_t anchor_ = 0;  // the index of the <a> whose text is pending, plus one; 0: none
};

// Inline, because crawls read every link of a page, some only for its length.
inline LinkList::Entry LinkList::operator[](std::size_t index) const noexcept {
  const Stored& stored = entries_[index];
  const char* const texts = texts_.data();
  const char* const url = texts + stored.url_begin;
  return {.link = {.kind = stored.kind,
                   .tag = stored.tag,
                   .attribute = stored.attribute,
                   .is_foreign = stored.is_foreign,
                   .rel = stored.rel,
                   .rel_text = {url + stored.url_bytes, stored.rel_bytes},
                   .url = {url, stored.url_bytes}},
          .text = {texts + stored.text_begin, stored.text_bytes}};
}

// Every link of a page is resolved against its base, so a long base and many links would be
// expensive.
inline constexpr std::size_t kBaseBytesMax = 4096;

// Returns the base URL of a document: its own URL, or its <base href> resolved against that. A base
// is ignored if it is not a URL, if it is a data: or javascript: URL, or if it is longer than
// `bytes_max`.
// https://html.spec.whatwg.org/#document-base-url
url::Url document_base(const url::Url& document, const std::optional<std::string>& base_href,
                       std::size_t bytes_max = kBaseBytesMax);

}  // namespace gossamer::html

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "html/encoding/stream.h"
#include "html/link_list.h"
#include "html/page_reader.h"
#include "html/resource_reader.h"
#include "html/xml_reader.h"
#include "robots/page_rules.h"
#include "robots/sitemap_reader.h"
#include "scope/endless_series.h"
#include "wire/content_type.h"

namespace gossamer::crawler {

// How a body is read for links.
enum class BodyKind : std::uint8_t {
  opaque,   // not at all
  unknown,  // no Content-Type: the first bytes decide
  html,
  xml,
  css,
  script,  // JavaScript or JSON
  manifest,
  sitemap,
};

// What is read besides pages.
struct BodyWishes {
  bool css = false;      // style sheets and manifests: if requisites of pages are fetched
  bool scripts = false;  // with Settings::mines_scripts
};
// Selects the kind by Content-Type.
BodyKind body_kind(const std::optional<wire::MimeType>& type, BodyWishes wishes);

// Reads a body as it arrives: digest, links, title, robots rules. It is reused for many pages and
// keeps its buffers.
class PageReading final : private robots::SitemapSink {
 public:
  // BOUND: stored links per page, and the memory of their texts or of a style sheet or script;
  // further links are only counted.
  explicit PageReading(std::size_t links_max = std::numeric_limits<std::size_t>::max(),
                       std::size_t bytes_max = std::numeric_limits<std::size_t>::max())
      : links_(links_max, bytes_max) {}

  // BOUND: longer links are omitted.
  static constexpr std::size_t kLinkBytesMax = 256 * 1024;

  // `charset` is the label of the Content-Type header, or empty. `agent`: our product token.
  void begin(BodyKind kind, std::string_view charset, std::string_view agent);
  // From the next page on, links have their anchor texts, at a small cost.
  void keep_anchor_texts() noexcept { keeps_anchor_texts_ = true; }
  // From the next page on, there is a digest of the visible text, at a small cost. Crawl
  // directories store it, so it must not change.
  void keep_text_digest() { links_.text_hasher.emplace(); }
  // From the next page on, strings in scripts that look like URLs are links.
  void mine_scripts() noexcept { mines_scripts_ = true; }
  // From the next page on, pages are copied as UTF-8, up to this size; 0: not at all.
  void keep_page(std::size_t bytes_max) noexcept {
    page_bytes_max_ = bytes_max;
    keeps_only_shells_ = false;
  }
  // The same, only for pages that may be empty without scripts: most others show it early.
  void keep_shell(std::size_t bytes_max) noexcept {
    page_bytes_max_ = bytes_max;
    keeps_only_shells_ = true;
  }
  // This page belongs to a series of numbered pages, so it gets a ContentDigest; 0: none.
  // REQUIRES: nothing was fed yet.
  void begin_series(std::uint64_t key) noexcept { series_ = key; }
  std::uint64_t series() const noexcept { return series_; }
  std::uint64_t content_digest() const noexcept { return content_.digest(); }
  void feed(Bytes piece);
  void finish() {
    while (!finish_some()) {
    }
  }

  // BOUND: bytes per step, for callers that must not block the loop. At the end they call
  // finish_some() until it returns true.
  static constexpr std::size_t kStepBytes = 256 * 1024;
  bool finish_some();

  // The memory that it takes now.
  std::size_t bytes_held() const noexcept;
  std::uint64_t bytes() const noexcept { return bytes_; }
  std::uint64_t digest() const noexcept { return hasher_.digest(); }
  // Empty for bodies that are not HTML, and if it is off.
  std::optional<std::uint64_t> text_digest() const noexcept {
    if (!page_ || !links_.text_hasher) return std::nullopt;
    return links_.text_hasher->digest();
  }
  BodyKind kind() const noexcept { return kind_; }
  // The copy of keep_page(). Empty for bodies that are not HTML.
  const std::string& page_copy() const noexcept { return page_text_; }
  std::size_t page_bytes_max() const noexcept { return page_bytes_max_; }
  // Leaves nothing behind.
  std::string take_page() noexcept { return std::exchange(page_text_, {}); }
  void drop_page() noexcept { std::string().swap(page_text_); }
  // Whether the page is longer than its copy.
  bool is_page_cut() const noexcept { return is_page_cut_; }
  const html::LinkList& links() const noexcept { return links_; }
  std::size_t links_left_out() const noexcept { return links_.left_out; }
  // Whether some of the links are only strings that look like URLs.
  bool has_guesses() const noexcept { return links_.guesses > 0; }
  // "UTF-8"; empty if no text was read.
  std::string_view charset() const noexcept;
  std::optional<html::Encoding> encoding() const noexcept;
  std::string_view title() const noexcept { return title_; }
  const robots::PageRules& rules() const noexcept { return rules_; }
  // The links of a sitemap are sitemaps.
  bool is_sitemap_index() const noexcept { return is_index_; }

 private:
  struct BoundedLinks final : public html::LinkList {
    BoundedLinks(std::size_t most, std::size_t most_bytes) noexcept
        : links_max(most), bytes_max(most_bytes) {}
    void link(const html::Link& link) override {
      // It is never fetched, and resolving it would be slow. Mostly it is an image in a data: URL.
      if (link.url.size() > kLinkBytesMax) return;
      // Guesses must not displace links, so they have room of their own.
      std::size_t& count = html::is_guess(link) ? guesses : links;
      if (count == links_max || text_bytes() + link.url.size() > bytes_max) {
        ++left_out;
        return;
      }
      ++count;
      LinkList::link(link);
    }
    void text(std::string_view piece) override { text_hasher->update(piece); }

    std::optional<base::Hasher64> text_hasher;  // empty: off
    const std::size_t links_max;
    const std::size_t bytes_max;
    std::size_t links = 0;
    std::size_t guesses = 0;
    std::size_t left_out = 0;
  };

  void choose_reader(std::string_view first_bytes);
  std::size_t resource_bytes_max() const noexcept;
  void end_input();
  void read(std::string_view text);
  void copy_page(std::string_view text);
  void put(robots::SitemapEntry entry) override;

  BodyKind kind_ = BodyKind::opaque;
  std::string charset_label_;
  std::string agent_;
  std::uint64_t bytes_ = 0;
  base::Hasher64 hasher_;
  ContentDigest content_;
  std::uint64_t series_ = 0;
  std::optional<html::DecodingStream> decoder_;
  std::string scratch_;
  std::string begun_;  // the start of a body of unknown kind
  BoundedLinks links_;
  std::optional<html::PageReader> page_;
  std::optional<html::XmlReader> xml_;
  std::optional<html::CssReader> css_;
  std::optional<html::ScriptReader> script_;
  std::optional<html::ManifestReader> manifest_;
  std::optional<robots::SitemapReader> sitemap_;
  std::string title_;
  robots::PageRules rules_;
  bool is_index_ = false;
  bool has_ended_ = false;  // the body is complete
  bool keeps_anchor_texts_ = false;
  bool mines_scripts_ = false;
  bool is_page_cut_ = false;
  std::size_t page_bytes_max_ = 0;
  bool keeps_only_shells_ = false;
  std::string page_text_;
};

}  // namespace gossamer::crawler

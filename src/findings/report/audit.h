#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "record/record.h"
#include "report/audit_rules.h"
#include "report/link_graph.h"
#include "report/redirect_ways.h"

namespace gossamer::report {

// A fault of one page.
struct AuditFinding {
  AuditRule rule = AuditRule::title_missing;
  std::string url;
  std::string other;   // a URL that it is about; empty: none
  std::string detail;  // "72 characters"; empty: the rule says all
};

// The name of a finding's fields in JSON and CSV: url, rule, other_url, detail.
std::string to_json(const AuditFinding& finding);
std::string to_csv(const AuditFinding& finding);
inline constexpr std::string_view kAuditCsvHeader = "url,rule,other_url,detail\r";

// Collects what the audit needs of each page, and finds faults at the end.
//
// BOUND: kBytesPerPage for each page and kBytesPerTranslation for each hreflang, as long as the
// owner has room; pages beyond that are counted.
class Audit {
 public:
  using Id = LinkGraph::Id;
  // With the tables that the judgement needs at the end.
  static constexpr std::size_t kBytesPerPage = 200;
  static constexpr std::size_t kBytesPerTranslation = 16;

  // Returns false if no memory is left for that many bytes.
  using TakeRoom = std::move_only_function<bool(std::size_t bytes)>;

  // Adds a page, if it is_audited(). Its place in the graph is `id`.
  void add(const crawler::FetchRecord& record, Id id, LinkGraph& graph, TakeRoom take_room);

  std::uint64_t pages() const noexcept { return pages_.size() + left_out_; }
  // Pages for which there was no room: they are not judged.
  std::uint64_t left_out() const noexcept { return left_out_; }

  // Calls `use` for each fault until it returns false: first those of pages, in the order of the
  // crawl, then redirects, then URLs of sitemaps.
  void for_each(const LinkGraph& graph,
                std::move_only_function<bool(const AuditFinding&)> use) const;

 private:
  struct Page {
    Id id = LinkGraph::kNone;
    Id canonical = LinkGraph::kNone;  // kNone: itself, or it names none
    std::uint64_t title = 0;          // hashes; 0: none
    std::uint64_t description = 0;
    std::uint32_t images_without_alt = 0;
    std::uint16_t title_characters = 0;
    std::uint16_t description_characters = 0;
    std::uint16_t h1s = 0;
    AuditFaults faults;
    bool is_noindex = false;
    bool has_all_translations = true;
  };
  static_assert(sizeof(Page) <= kBytesPerPage);
  struct Translation {
    Id from;
    Id to;
    friend auto operator<=>(const Translation&, const Translation&) = default;
  };
  // The pages with the same text: the first two, and how many there are.
  struct Copies {
    Id first = LinkGraph::kNone;
    Id second = LinkGraph::kNone;
    std::uint32_t pages = 0;
  };
  class Judge;

  std::deque<Page> pages_;
  std::vector<Translation> translations_;
  // BOUND: the graph has links of all kinds, and a hostile page can name many long translations.
  std::size_t url_bytes_left_ = 8 * 1024 * 1024;
  std::uint64_t left_out_ = 0;
};

}  // namespace gossamer::report

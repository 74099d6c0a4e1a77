#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crawl/options.h"
#include "crawl/page/record.h"
#include "report/link_graph.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::report {

// Whether and why certain URLs were fetched, or were not. They are asked for first; then all that
// a crawl tells goes by; then there are answers.
//
// BOUND: what is kept of each URL that was asked for.
class Why {
 public:
  static constexpr std::size_t kVisitsMax = 4;
  static constexpr std::size_t kPagesShown = 10;
  static constexpr std::size_t kNearest = 3;

  // URLs are compared by their crawl identity by these rules.
  explicit Why(const url::IdentityRules& rules) : identity_(rules) {}

  void ask(const url::Url& url);
  bool is_empty() const { return asked_.empty(); }
  // Whether all that were asked for were met at all.
  bool has_met_all() const;

  void add(const crawler::FetchRecord& record);
  void skip(const crawler::SkippedUrl& skipped);
  void see_link(const crawler::FoundLink& link);

  // Several lines for each URL, for people. `graph` knows how pages were reached.
  std::string answers(LinkGraph& graph) const;

 private:
  // A record, as far as it is told.
  struct Visit {
    std::optional<int> status;
    std::string error;
    std::string error_detail;
    std::string mime;
    std::string next_url;
    std::string via;
    std::string title;
    std::string duplicate_of;
    std::uint64_t bytes = 0;
    std::uint32_t depth = 0;
    std::uint32_t tries = 1;
    Duration took = Duration::zero();
  };
  struct Refusal {
    crawler::SkipReason reason = crawler::SkipReason::none;
    std::string detail;
    std::string via;
    std::uint32_t depth = 0;
  };
  struct Asked {
    std::string url;
    std::uint64_t fingerprint = 0;
    std::vector<Visit> visits;
    std::optional<Refusal> refusal;
    std::vector<std::string> pages;  // that link to it: the first of them
    std::uint64_t links = 0;
    bool is_followed = false;  // a link to it was
    // The URLs that are most like it, and how far away they are.
    std::vector<std::pair<std::size_t, std::string>> nearest;

    bool is_met() const { return !visits.empty() || refusal || links > 0; }
  };

  // The fingerprint, unless it is no URL.
  std::optional<std::uint64_t> fingerprint(std::string_view url);
  // A URL that was not asked for: perhaps it was meant.
  static void compare(Asked& asked, std::string_view url);

  static std::string describe_visit(const Visit& visit);
  static std::string describe_way(const Asked& asked, LinkGraph& graph);
  static std::string answer(const Asked& asked, LinkGraph& graph);

  url::CrawlIdentity identity_;
  url::Url scratch_;
  std::vector<Asked> asked_;
};

}  // namespace gossamer::report

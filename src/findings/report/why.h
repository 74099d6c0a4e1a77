#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/setup/options.h"
#include "record/record.h"
#include "report/link_graph.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::report {

// Explains why certain URLs were fetched or not. First the URLs are added, then it receives
// everything that the crawl reported, then it answers.
//
// BOUND: the data stored for each of these URLs.
class Why {
 public:
  static constexpr std::size_t kVisitsMax = 4;
  static constexpr std::size_t kPagesShown = 10;
  static constexpr std::size_t kNearest = 3;

  // URLs are compared by their crawl identity by these rules.
  explicit Why(const url::IdentityRules& rules) : identity_(rules) {}

  void ask(const url::Url& url);
  bool is_empty() const { return asked_.empty(); }
  // Returns whether the crawl found all of the URLs.
  bool has_met_all() const;

  void add(const crawler::FetchRecord& record);
  void skip(const crawler::SkippedUrl& skipped);
  void see_link(const crawler::FoundLink& link);

  // Returns several lines for each URL, for people. `graph` knows how pages were reached.
  std::string answers(LinkGraph& graph) const;

 private:
  // The interesting part of a record.
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
    std::vector<std::string> pages;  // the first pages that link to it
    std::uint64_t links = 0;
    bool is_followed = false;  // a link to it was followed
    // The most similar URLs, and their edit distance.
    std::vector<std::pair<std::size_t, std::string>> nearest;

    bool is_met() const { return !visits.empty() || refusal || links > 0; }
  };

  // Returns the fingerprint, unless it is not a URL.
  std::optional<std::uint64_t> fingerprint(std::string_view url);
  // Compares with a URL of the crawl, which may be the intended one.
  static void compare(Asked& asked, std::string_view url);

  static std::string describe_visit(const Visit& visit);
  static std::string describe_way(const Asked& asked, LinkGraph& graph);
  static std::string answer(const Asked& asked, LinkGraph& graph);

  url::CrawlIdentity identity_;
  url::Url scratch_;
  std::vector<Asked> asked_;
};

}  // namespace gossamer::report

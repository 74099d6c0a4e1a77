// For tests: synthetic sites behind flaky networks, what is to be crawled of them, and who judges
// what was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/random.h"
#include "base/time.h"
#include "crawl/page/record.h"
#include "net/resolver.h"
#include "run/crawl_settings.h"
#include "site/site.h"
#include "tests/simulated/world.h"
#include "tests/site_server/site_server.h"
#include "url/crawl_identity.h"

namespace gossamer::sim {

// What one world is like.
struct Plan {
  SimOptions world;
  site::SiteOptions site;
  site::TruthOptions truth;
  bool is_calm = false;      // no faults: everything is asked for exactly once
  bool is_stranger = false;  // of the internet, so with pauses
  bool has_outages = false;  // hosts stop answering for a while
  bool has_front = false;    // the first root redirects to the first host
  std::size_t shards = 1;    // engines among which the hosts are dealt

  async::Endpoint address_of(std::size_t host) const {
    const auto last = static_cast<std::uint8_t>(host + 1);
    return is_stranger ? async::Endpoint::v4(93, 184, last, 1, 80)
                       : async::Endpoint::v4(10, 0, 0, last, 80);
  }
};

// Where the crawl begins if the plan has a front.
inline constexpr std::string_view kFront = "http://front.example/";

Plan draw_plan(std::uint64_t seed);
// Not complete yet.
run::CrawlSettings crawl_settings(const Plan& plan, const site::Site& site);

// A time in which a host does not answer.
struct Outage {
  Duration begin = Duration::zero();  // after the start of the world
  Duration length = kForEver;
  bool is_silent = false;  // it accepts connections; else it refuses them

  static constexpr Duration kForEver = Duration::max();  // until the next process
};

// How long outages of a world may be.
enum class OutageLength : std::uint8_t { seconds, minutes, for_ever };

// What is drawn in a world beside what the network does, and when it begins.
struct Fate {
  std::uint64_t seed = 0;
  base::Random random;
  WallTime wall_start = {.seconds = 1'700'000'000};
  std::vector<std::optional<Outage>> outages = {};  // by host
};

// One for each host of the plan, or none.
std::vector<std::optional<Outage>> draw_outages(const Plan& plan, OutageLength longest,
                                                base::Random& random);

// In a world of the caller's: the servers of a site, and somebody who lives beside them and knows
// their names. Gives what the servers were asked for. BORROWS: all, until it ends.
using Inhabitant = std::move_only_function<async::Task<void>(net::Resolver& names)>;
async::Task<std::vector<site::LogEntry>> live_beside(const Plan& plan, const site::Site& site,
                                                     Fate& fate, Inhabitant inhabitant);

struct Outcome {
  std::vector<crawler::FetchRecord> records;
  std::vector<site::LogEntry> log;  // in the order of their beginnings
  std::vector<std::string> problems;
};

// Holds what happened against what must have happened.
class Judge {
 public:
  // BORROWS: both.
  Judge(const Plan& plan, const Outcome& outcome);

  std::vector<std::string> problems();

  // As the truth spells it.
  std::string normal(const std::string& text);
  // It redirects to itself: found in another spelling, it may only want its own.
  bool is_loop(const std::string& url) const { return loops_.contains(url); }
  void check_records();
  void check_requests();
  void check_pauses();
  std::vector<std::string> take_problems() { return std::move(problems_); }

 private:
  static bool is_sitemap(const std::string& url) { return url.contains("sitemap"); }
  void problem(std::string text) { problems_.push_back(std::move(text)); }

  const Plan& plan_;
  const Outcome& outcome_;
  const site::Truth truth_;
  url::CrawlIdentity identity_;
  std::set<std::string> loops_;
  std::vector<std::string> problems_;
};

}  // namespace gossamer::sim

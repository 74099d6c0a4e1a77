// For tests: synthetic sites behind flaky networks, the expected pages, and a judge of the crawl.
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
#include "net/resolver.h"
#include "record/record.h"
#include "settings/crawl_settings.h"
#include "site/site.h"
#include "tests/simulated/world.h"
#include "tests/site_server/site_server.h"
#include "url/crawl_identity.h"

namespace gossamer::sim {

// The properties of one world.
struct Plan {
  SimOptions world;
  site::SiteOptions site;
  site::TruthOptions truth;
  bool is_calm = false;      // no faults: every URL is fetched exactly once
  bool is_stranger = false;  // public hosts, so with pauses
  bool has_outages = false;  // hosts stop answering for a while
  bool has_front = false;    // the first root redirects to the first host
  double name_faults = 1;    // the share of the drawn faults of name servers that happen
  std::size_t shards = 1;    // engines that share the hosts

  async::Endpoint address_of(std::size_t host) const {
    const auto last = static_cast<std::uint8_t>(host + 1);
    return is_stranger ? async::Endpoint::v4(93, 184, last, 1, 80)
                       : async::Endpoint::v4(10, 0, 0, last, 80);
  }
};

// The root of the crawl if the plan has a front.
inline constexpr std::string_view kFront = "http://front.example/";

Plan draw_plan(std::uint64_t seed);
// The settings, not completed yet.
run::CrawlSettings crawl_settings(const Plan& plan, const site::Site& site);

// A period in which a host does not answer.
struct Outage {
  Duration begin = Duration::zero();  // after the start of the world
  Duration length = kForEver;
  bool is_silent = false;  // accepts connections without answering; else refuses them

  static constexpr Duration kForEver = Duration::max();  // until the next process
};

// The maximum length of outages in a world.
enum class OutageLength : std::uint8_t { seconds, minutes, for_ever };

// The random choices of a world besides the network, and its start.
struct Fate {
  std::uint64_t seed = 0;
  base::Random random;
  WallTime wall_start = {.seconds = 1'700'000'000};
  std::vector<std::optional<Outage>> outages = {};  // by host
};

// One for each host of the plan, or none.
std::vector<std::optional<Outage>> draw_outages(const Plan& plan, OutageLength longest,
                                                base::Random& random);

// Runs the servers of a site and a client that knows their names in the caller's world. Returns the
// requests that the servers received. BORROWS: all, until it ends.
using Inhabitant = std::move_only_function<async::Task<void>(net::Resolver& names)>;
async::Task<std::vector<site::LogEntry>> live_beside(const Plan& plan, const site::Site& site,
                                                     Fate& fate, Inhabitant inhabitant);

struct Outcome {
  std::vector<crawler::FetchRecord> records;
  std::vector<site::LogEntry> log;  // in the order of their starts
  std::vector<std::string> problems;
};

// Compares a crawl with the expected result.
class Judge {
 public:
  // BORROWS: both.
  Judge(const Plan& plan, const Outcome& outcome);

  std::vector<std::string> problems();

  // The spelling of the truth.
  std::string normal(const std::string& text);
  // True if it redirects to itself, perhaps only to its own spelling of the URL.
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

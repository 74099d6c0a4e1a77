#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "crawl/frontier/politeness.h"
#include "crawl/frontier/target_queue.h"
#include "crawl/host_options.h"
#include "crawl/login.h"
#include "crawl/scope/scope_options.h"
#include "crawl/scope/trap_options.h"
#include "http/request.h"
#include "http/response.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::crawler {

// A link as it was found on a page. BORROWS: all, until the call ends.
struct FoundLink {
  const url::Url& page;
  const url::Url& url;
  std::uint64_t fingerprint;  // of its crawl identity
  bool is_followed = false;   // it belongs to the crawl
  bool is_listed = false;     // as a page, by a sitemap
};

// What a program that embeds the crawler may have a say in. Plain functions; they are called on the
// crawl's loop and must not wait.
struct Hooks {
  // False: the URL is not asked for (SkipReason::filtered).
  std::move_only_function<bool(const url::Url& url)> wants_url;
  // The same for a leaf (Settings::asks_for_leaves), whose answer may be known already.
  std::move_only_function<bool(const url::Url& url)> wants_leaf;
  // How soon a URL is to be fetched where the order goes by score: 255 is the soonest. Without it
  // url_score() decides.
  std::move_only_function<std::uint8_t(const url::Url& url, std::uint32_t depth)> score;
  // May change the request of a page before it is sent.
  std::move_only_function<void(http::Request& request)> edit_request;
  // After a 401: true if the request was changed such that it is worth sending once more.
  std::move_only_function<bool(http::Request& request, const wire::ResponseHead& head)>
      answer_challenge;
  // Sees the head of every answer to a page.
  std::move_only_function<void(const url::Url& url, const http::Response& response)> see_response;
  // Sees the links of every page, each once; one that is not to be followed perhaps more often.
  std::move_only_function<void(const FoundLink& link)> see_link;
};

// What a crawl is to be like, in numbers and texts alone, so that it can be copied.
struct Settings {
  // Where to begin. With or without a scheme: "example.com" is http://example.com/.
  std::vector<std::string> roots;

  ScopeOptions scope;
  BudgetOptions budgets;
  TrapOptions traps;
  // Asks a host whose pages are all alike for a page that cannot exist: if that is there too, and
  // the same, links found on such pages are not followed.
  bool detects_soft_404 = true;
  url::IdentityRules identity = {.drop_sessions = true};
  // Only bodies of these types are read ("text/html", "image/*"). None: all.
  std::vector<std::string> content_types;

  PolitenessOptions politeness;
  // What holds for single hosts instead.
  std::vector<HostOptions> hosts;
  // Logins that were made with log_in() before the crawl begins. One whose session ends is made
  // again.
  std::vector<LoginOptions> logins;
  // Does not ask for what looks like the end of a session (SkipReason::logout).
  bool avoids_logout = false;
  // Obeys robots.txt, rel=nofollow and <meta name=robots>.
  bool obeys_robots = true;
  bool obeys_nofollow = true;
  // Reads the sitemaps that robots.txt names; if it names none, /sitemap.xml, should it be there.
  bool reads_sitemaps = false;
  // Our product token, by which robots.txt calls us.
  std::string agent = "gossamer";
  // robots.txt is fetched again after this long.
  Duration robots_max_age = 24h;

  CrawlOrder order = CrawlOrder::breadth_first;
  // Fetches in flight, of all hosts.
  std::uint32_t concurrency = 64;
  // Least time between any two requests.
  Duration global_gap = Duration::zero();
  // Hops of one URL; one more is recorded as too_many_redirects.
  std::uint32_t redirects_max = 10;
  // Attempts at one URL that fails on the way.
  std::uint32_t tries_max = 4;

  // Budgets. Each ends the crawl in good order.
  std::optional<std::uint64_t> pages_max;
  std::optional<std::uint64_t> wire_bytes_max;
  std::optional<Duration> time_max;
  // Memory for hosts that are found: their names, pauses and robots.txt, about 1.5 KB each. Those
  // of the roots, and those that an earlier process found, are not counted. 0: as much as it takes.
  std::uint64_t host_bytes_max = 512 * 1024 * 1024;
  // BOUND: of a decoded body; what is beyond is not read, and the record says so.
  std::uint64_t body_bytes_max = 64 * 1024 * 1024;
  // Fetches that are in flight when a crawl is stopped may go on for this long.
  Duration grace = 5s;

  // Links that lead out of the scope or are too deep, and images, scripts and other parts of pages,
  // are asked for as leaves: with HEAD, then with GET if that fails; never looked through for
  // links. Only what is excluded or no http is not asked for. For a crawl on one loop.
  bool asks_for_leaves = false;
  // Leaves are asked for with GET at once, and their bodies are read.
  bool reads_leaves = false;
  // Leaves to begin with, beside the roots or without any.
  std::vector<std::string> leaves;

  // Notes with the pages by what a server tells whether they have changed.
  bool keeps_validators = false;
  // Hands over the bodies with the pages. BOUND: concurrency times body_bytes_max.
  bool keeps_bodies = false;
  // Hands over what archives keep: ClientOptions::keep_request is to be set, too. The bound is the
  // same.
  bool keeps_captures = false;
  // With all links of each page.
  bool keeps_outlinks = false;
};

struct Options : public Settings {
  Options() = default;
  Options(Settings settings, Hooks with = {})
      : Settings(std::move(settings)), hooks(std::move(with)) {}

  Hooks hooks;
};

// Fails with Errc::invalid_argument and says what is wrong: a root that is no http or https URL, a
// pattern that cannot be read, a number that makes no sense.
Result<void> validate(const Settings& options);

// Politeness as the frontier is to have it: hosts of the own network get as many requests at once
// as the whole crawl may have.
PolitenessOptions frontier_politeness(const Settings& options);

// A root as the user typed it. Fails with Errc::invalid_argument.
Result<url::Url> parse_root(const std::string& text);

}  // namespace gossamer::crawler

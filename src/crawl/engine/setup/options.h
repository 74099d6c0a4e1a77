#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/setup/login.h"
#include "frontier/frontier_options.h"
#include "frontier/politeness.h"
#include "frontier/target_queue.h"
#include "http/request.h"
#include "http/response.h"
#include "scope/host_options.h"
#include "scope/scope_options.h"
#include "scope/trap_options.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::crawler {

struct World;

// A link of a page. BORROWS: all, until the call ends.
struct FoundLink {
  const url::Url& page;
  const url::Url& url;
  std::uint64_t fingerprint;  // of its crawl identity
  bool is_followed = false;   // the crawl follows it
  bool is_listed = false;     // in a sitemap, as a page
};

// Callbacks of a program that embeds the crawler. They are plain functions, are called on the
// crawl's loop and must not block.
struct Hooks {
  // Return false to skip the URL (SkipReason::filtered).
  std::move_only_function<bool(const url::Url& url)> wants_url;
  // The same for a leaf (Settings::asks_for_leaves), whose response may be known already.
  std::move_only_function<bool(const url::Url& url)> wants_leaf;
  // Returns the priority of a URL for the order by score: 255 is fetched first. The default is
  // url_score().
  std::move_only_function<std::uint8_t(const url::Url& url, std::uint32_t depth)> score;
  // The same for many URLs together, for hooks that wait: one bool for each. Called with the new
  // URLs of a page, or with the target of a redirect; not for roots. A URL is skipped for ever if
  // the answer is false. Fails only with Errc::cancelled; then no URL is added.
  std::move_only_function<async::Task<Result<std::vector<bool>>>(std::vector<std::string> urls)>
      wants_urls;
  // Like edit_request, after it, for hooks that wait. Fails only with Errc::cancelled.
  // BORROWS: the request.
  std::move_only_function<async::Task<Result<void>>(http::Request& request)> prepare_request;
  // May change the request of a page before it is sent.
  std::move_only_function<void(http::Request& request)> edit_request;
  // Called after a 401. Return true if the request was changed and should be sent again.
  std::move_only_function<bool(http::Request& request, const wire::ResponseHead& head)>
      answer_challenge;
  // Receives the head of every response to a page.
  std::move_only_function<void(const url::Url& url, const http::Response& response)> see_response;
  // Receives each link of every page once; links that are not followed may be repeated.
  std::move_only_function<void(const FoundLink& link)> see_link;
};

// See Settings::body_bytes_max.
inline constexpr std::uint64_t kParsedBodyBytesMax = 64 * 1024 * 1024;
// See Settings::body_memory_max.
inline constexpr std::uint64_t kBodyMemory = 128 * 1024 * 1024;
inline constexpr std::uint64_t kAnyBodyBytes = std::numeric_limits<std::uint64_t>::max() / 2;

enum class RenderMode : std::uint8_t {
  never,
  automatic,  // pages that show nothing without scripts, where that adds something
  always,     // all pages
};

// The settings of a crawl: only numbers and texts, so that they can be copied.
struct Settings {
  // Where to start. The scheme is optional: "example.com" is http://example.com/.
  std::vector<std::string> roots;

  ScopeOptions scope;
  BudgetOptions budgets;
  TrapOptions traps;
  // Requests a page that cannot exist from a host whose pages are all alike. If the host returns
  // the same page, links on such pages are not followed.
  bool detects_soft_404 = true;
  url::IdentityRules identity = {.drop_sessions = true};
  // Only bodies of these types are read ("text/html", "image/*"). Empty: all.
  std::vector<std::string> content_types;

  PolitenessOptions politeness;
  // Options of single hosts.
  std::vector<HostOptions> hosts;
  // Logins that were made with log_in() before the crawl. They are repeated when their session
  // ends.
  std::vector<LoginOptions> logins;
  // Skips URLs that look like a logout (SkipReason::logout).
  bool avoids_logout = false;
  // Obeys robots.txt, rel=nofollow and <meta name=robots>.
  bool obeys_robots = true;
  bool obeys_nofollow = true;
  // Reads the sitemaps that robots.txt names, or /sitemap.xml if it names none.
  bool reads_sitemaps = false;
  // Follows strings in scripts and JSON that look like URLs, and reads the scripts of pages for
  // them. Their records are marked as guesses.
  bool mines_scripts = false;
  // Which pages a browser renders before their links are read. Requires World::renderer.
  RenderMode renders = RenderMode::never;
  // A rendered page is read when it has this (a CSS selector), or at its time limit. Empty: none.
  std::string render_wait_for;
  // How often a rendered page is scrolled to its end before it is read.
  std::uint32_t render_scrolls = 0;
  // Our product token in robots.txt.
  std::string agent = "gossamer";
  // robots.txt is fetched again after this long.
  Duration robots_max_age = 24h;

  CrawlOrder order = CrawlOrder::breadth_first;
  // Fetches in flight to all hosts.
  std::uint32_t concurrency = 64;
  // Least time between any two requests.
  Duration global_gap = Duration::zero();
  // Redirects of one URL; one more is recorded as too_many_redirects.
  std::uint32_t redirects_max = 10;
  // Attempts at one URL after network failures.
  std::uint32_t tries_max = 4;

  // Budgets. Each of them stops the crawl.
  std::optional<std::uint64_t> pages_max;
  std::optional<std::uint64_t> wire_bytes_max;
  std::optional<Duration> time_max;
  // Memory for hosts: their names, pauses and robots.txt, about 1.5 KB each. Hosts of the roots and
  // of an earlier process do not count. 0: no limit.
  std::uint64_t host_bytes_max = 512 * 1024 * 1024;
  // Memory for the bodies that are read and for what is made of them, on one loop; bodies that need
  // more wait for each other (engine/page/body_memory.h). With less than 80 MiB, contents are read
  // from shorter parts of pages, and pages may have fewer links.
  std::uint64_t body_memory_max = kBodyMemory;
  // BOUND: the size of a body, decoded and as transferred. The rest is not read, and the record
  // says so. Empty: kParsedBodyBytesMax for bodies that are read for links, or whole in memory;
  // others may have any size, because they only pass through.
  std::optional<std::uint64_t> body_bytes_max;
  // Fetches in flight may continue for this long after a stop.
  Duration grace = 5s;

  // Fetches links that are out of scope or too deep, and images, scripts and other parts of pages,
  // as leaves: with HEAD, then with GET if that fails, and without reading their links. Only
  // excluded URLs and schemes other than http and https are skipped. Works on one loop only.
  bool asks_for_leaves = false;
  // Fetches leaves directly with GET and reads their bodies.
  bool reads_leaves = false;
  // Leaves to start with, in addition to the roots or instead of them.
  std::vector<std::string> leaves;

  // Stores the validators of pages (ETag, Last-Modified).
  bool keeps_validators = false;
  // Fields to take out of every page by CSS selectors, for its record: "title=h1; next=a@href".
  // Each text has one rule or several (content/extract_rule.h).
  std::vector<std::string> extract;
  // Selects elements that are rows of their own, with the fields of `extract`: ".card". Empty: each
  // page is one row.
  std::string items;
  // Adds the main text of every page to its record, as plain text or as Markdown
  // (content/main_content.h). Crawl directories do not store it.
  bool keeps_text = false;
  bool keeps_markdown = false;
  // Adds what every page states about itself to its record (content/metadata.h).
  bool keeps_metadata = false;
  // Finds pages whose main text is nearly that of an earlier page (FetchRecord::similar_to).
  bool finds_similar = false;
  // Passes the bodies to the sink, in memory. BOUND: concurrency times body_bytes_max.
  bool keeps_bodies = false;
  // Passes the heads of the responses to the sink, as text.
  bool keeps_heads = false;
  // Passes the exchanges to the sink, for archives; set ClientOptions::keep_request, too. Large
  // payloads are in files, if World::bodies has room for them; otherwise the bound is the same.
  bool keeps_captures = false;
  // Includes all links of each page.
  bool keeps_outlinks = false;
  // Adds the links of every page to its record. Crawl directories do not store them.
  bool keeps_links = false;
};

struct Options : public Settings {
  Options() = default;
  Options(Settings settings, Hooks with = {})
      : Settings(std::move(settings)), hooks(std::move(with)) {}

  Hooks hooks;
};

// Fails with Errc::invalid_argument and a detail: a root that is not an http or https URL, an
// invalid pattern, a number out of range.
Result<void> validate(const Settings& options);

// How Settings::body_memory_max is divided.
struct BodyShares {
  std::uint64_t bodies = 0;    // in flight, together
  std::uint64_t contents = 0;  // the tree of one page and what is made of it
  std::size_t links = 0;       // the texts of the links of one page
};
BodyShares body_shares(const Settings& options);

// Returns the politeness options of the frontier: hosts of the local network may use the whole
// concurrency of the crawl.
PolitenessOptions frontier_politeness(const Settings& options);

// Level by level: there is a limit of depth, and the order is breadth first.
bool is_level_by_level(const Options& options);

// Returns the frontier's part of the options of a crawl.
FrontierOptions frontier_options(const Options& options, bool has_resolver);
// The same for this world, with a new salt.
FrontierOptions frontier_options(const Options& options, World& world);

// Parses a root that the user typed. Fails with Errc::invalid_argument.
Result<url::Url> parse_root(const std::string& text);

}  // namespace gossamer::crawler

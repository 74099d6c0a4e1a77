// For tests: a few hosts with hand-written pages in a simulated world, and a crawl of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "engine/engine.h"
#include "engine/setup/options.h"
#include "http/client.h"
#include "record/capture.h"
#include "record/record.h"
#include "render/browser_pipe.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"

namespace gossamer::crawler {

// The response of a page.
struct Reply {
  int status = 200;
  std::string type = "text/html";
  std::string body;
  std::string fields = {};               // further ones: "Location: /x\r\n"
  Duration delay = Duration::zero();     // before the answer
  bool is_cut = false;                   // the connection ends in the middle
  bool is_endless = false;               // the body repeats forever
  Duration byte_gap = Duration::zero();  // after each byte
  int status_of_head = 0;                // the status for HEAD; 0: the same
};

Reply redirect_to(std::string_view place, int status = 302);
// A page with these links.
Reply links_to(std::initializer_list<std::string_view> links);
// A page with this many links: /0, /1 and so on.
Reply page_of_links(int count);

// The root of most crawls, and the address of a public host.
inline constexpr std::string_view kRoot = "http://a.example/";
inline constexpr std::string_view kStrangerAddress = "93.184.216.34";
Options from_root(std::string_view root = kRoot);

struct Heard {
  Instant at;
  std::string url;
  std::string head;
  std::string body = {};
};

struct Crawled {
  EndReason end = EndReason::finished;
  std::vector<FetchRecord> records;
  std::vector<Exchange> others;  // that are not pages, with Settings::keeps_captures
  std::map<std::string, SkipReason> skipped;
  std::map<std::string, std::string> skip_details;
  std::vector<Heard> heard;                        // by the servers, in order, robots.txt too
  std::map<std::string, std::size_t> connections;  // accepted, by the address of the server
  std::size_t in_flight_max = 0;
  Statistics statistics;
  Duration took = Duration::zero();
  std::vector<std::string> problems;  // violations

  const FetchRecord* find(std::string_view url) const;
  // The URLs of all records, sorted.
  std::vector<std::string> urls() const;
  // How often the servers received a request for it.
  std::size_t times_asked(std::string_view url) const;
  // The least time between two requests whose URLs contain this.
  Duration shortest_gap(std::string_view part = "") const;
};

class TestWeb {
 public:
  explicit TestWeb(std::uint64_t seed = 1) : TestWeb(sim::calm_options(seed)) {}
  explicit TestWeb(const sim::SimOptions& options) : options_(options) {}

  // Sets the replies of a URL: the n-th request gets the n-th reply; the last one repeats. A new
  // host gets its own address, such as "10.0.0.1", unless address() sets one.
  TestWeb& at(std::string_view url, std::vector<Reply> replies);
  TestWeb& at(std::string_view url, Reply reply) {
    return at(url, std::vector<Reply>{std::move(reply)});
  }
  TestWeb& page(std::string_view url, std::initializer_list<std::string_view> links) {
    return at(url, links_to(links));
  }
  // Sets the reply for all other URLs of a host. The default is 404.
  TestWeb& otherwise(std::string_view host, Reply reply);
  TestWeb& address(std::string_view host, std::string_view ip);

  // May answer instead of the replies.
  std::move_only_function<std::optional<Reply>(const std::string& url, Instant now)> decide;
  // The same with the whole request.
  std::move_only_function<std::optional<Reply>(const Heard& request)> decide_by_head;
  // Events during the crawl: stop, cancel.
  std::move_only_function<void(Engine& engine)> on_page;

  Crawled crawl(Options options);
  Crawled crawl(std::string root) {
    Options options;
    options.roots = {std::move(root)};
    return crawl(std::move(options));
  }
  // The same in the caller's world. BORROWS: the web.
  async::Task<Crawled> run(Options options);
  // Runs another program than a crawl. Calls `program` once, with everything a crawl needs.
  using Program = std::move_only_function<async::Task<void>(World& world)>;
  Crawled visit(Program program);
  async::Task<Crawled> run(Program program);

  // With Settings::renders. nullptr: there is no browser. BORROWS.
  render::BrowserLauncher* browsers = nullptr;
  http::ClientOptions client_options;
  net::GuardOptions guard = {.allow_private = true};
  // The object of an earlier world; nullptr: a new one for each.
  std::shared_ptr<sim::Disk> disk;
  // Resolves the hosts instead of address(). BORROWS.
  net::Resolver* names = nullptr;

 private:
  friend class WebRun;
  std::string host_of(std::string_view url);
  Crawled in_new_world(Program program, Options options);

  sim::SimOptions options_;
  std::map<std::string, std::vector<Reply>, std::less<>> replies_;  // by URL
  std::map<std::string, Reply, std::less<>> otherwise_;
  std::map<std::string, std::string, std::less<>> addresses_;  // by host
};

}  // namespace gossamer::crawler

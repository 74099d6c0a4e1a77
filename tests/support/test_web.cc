#include <fmt/format.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "frontier/frontier.h"
#include "frontier/frontier_options.h"
#include "net/caching_resolver.h"
#include "net/connector.h"
#include "render/renderer.h"

namespace gossamer::crawler {

Reply redirect_to(std::string_view place, int status) {
  return {.status = status, .fields = fmt::format("Location: {}\r\n", place)};
}

Reply links_to(std::initializer_list<std::string_view> links) {
  Reply reply;
  for (const std::string_view link : links) {
    reply.body += fmt::format("<a href=\"{}\">x</a>\n", link);
  }
  return reply;
}

Reply page_of_links(int count) {
  Reply reply;
  for (int i = 0; i < count; ++i) reply.body += fmt::format("<a href=/{}>x</a>", i);
  return reply;
}

Options from_root(std::string_view root) {
  Options options;
  options.roots = {std::string(root)};
  return options;
}

const FetchRecord* Crawled::find(std::string_view url) const {
  const auto found = std::ranges::find(records, url, &FetchRecord::url);
  return found == records.end() ? nullptr : &*found;
}

std::vector<std::string> Crawled::urls() const {
  std::vector<std::string> all;
  for (const FetchRecord& record : records) all.push_back(record.url);
  std::ranges::sort(all);
  return all;
}

std::size_t Crawled::times_asked(std::string_view url) const {
  return static_cast<std::size_t>(std::ranges::count(heard, url, &Heard::url));
}

Duration Crawled::shortest_gap(std::string_view part) const {
  Duration shortest = Duration::max();
  std::optional<Instant> last;
  for (const Heard& each : heard) {
    if (!each.url.contains(part)) continue;
    if (last) shortest = std::min(shortest, each.at - *last);
    last = each.at;
  }
  return shortest;
}

// One crawl: the servers, the client and what is written down.
class WebRun final : public PageSink {
 public:
  // Without a program it crawls.
  WebRun(TestWeb& web, Options options, TestWeb::Program program)
      : web_(web), crawl_options_(std::move(options)), program_(std::move(program)) {}

  // BORROWS: the run.
  async::Task<Crawled> run() {
    async::Scope servers(async::OnFailure::keep_going);
    async::Scope background(async::OnFailure::keep_going);
    sim::NamedHosts names(1);
    for (const auto& [host, ip] : web_.addresses_) {
      names.add(host, ip);
      if (!listening_.insert(ip).second) continue;
      servers.spawn(listen(ip));
    }
    {
      net::Resolver& table = web_.names == nullptr ? names : *web_.names;
      net::CachingResolver resolver(table, background);
      net::Connector connector(resolver, net::AddressGuard(web_.guard));
      http::ClientOptions options = web_.client_options;
      options.pool.exchanges_per_origin_max = 10'000;
      options.pool.connections_max = 10'000;
      http::Client client(connector, nullptr, std::move(options));
      co_await go(client, resolver);
      client.close_idle();
      background.cancel();
      static_cast<void>(co_await background.join());
    }
    servers.cancel();
    static_cast<void>(co_await servers.join());
    co_return std::move(crawled_);
  }

  async::Task<Result<void>> put(Page page) override {
    crawled_.records.push_back(std::move(page.record));
    if (web_.on_page) web_.on_page(*engine_);
    co_return {};
  }
  async::Task<Result<void>> put_other(Exchange exchange) override {
    crawled_.others.push_back(std::move(exchange));
    co_return {};
  }
  void skip(const SkippedUrl& skipped) override {
    const bool is_new = crawled_.skipped.emplace(skipped.url, skipped.reason).second;
    if (!is_new) crawled_.problems.push_back(fmt::format("{} skipped twice", skipped.url));
    crawled_.skip_details.emplace(skipped.url, skipped.detail);
  }

 private:
  // BORROWS: all.
  async::Task<void> go(http::Client& client, net::Resolver& resolver) {
    const Instant begun = async::Loop::current().now();
    base::Random random(7);
    World world = {.client = client,
                   .resolver = &resolver,
                   .random = random,
                   .wall_start = {.seconds = 1'700'000'000},
                   .loop_start = begun};
    async::Scope browsers(async::OnFailure::keep_going);
    std::optional<render::Renderer> renderer;
    if (web_.browsers != nullptr)
      renderer.emplace(*web_.browsers, browsers, render::RendererOptions());
    world.renderer = renderer ? &*renderer : nullptr;
    co_await (program_ ? program_(world) : crawl(world));
    renderer.reset();
    static_cast<void>(co_await browsers.join());
    crawled_.took = async::Loop::current().now() - begun;
  }

  // BORROWS: the world.
  async::Task<void> crawl(World& world) {
    Frontier frontier(async::Loop::current(), frontier_options(crawl_options_, world));
    wire::CookieJar cookies;
    Engine engine(world, std::move(crawl_options_), frontier, *this, cookies);
    engine_ = &engine;
    auto end = co_await engine.run();
    if (end) crawled_.end = *end;
    if (!end) crawled_.problems.push_back(end.error().to_string());
    crawled_.statistics = engine.statistics();
    if (engine.in_flight() > 0) crawled_.problems.push_back("something is still in flight");
  }

  async::Task<Result<void>> listen(std::string ip) {
    auto at = async::Endpoint::parse_address(ip);
    at->port = 80;
    auto listener = async::Listener::bind(*at);
    if (!listener) co_return fail(std::move(listener).error());
    async::Scope scope(async::OnFailure::keep_going);
    while (auto socket = co_await listener->accept()) {
      ++crawled_.connections[ip];
      scope.spawn(serve(std::move(*socket)));
    }
    scope.cancel();
    co_return co_await scope.join();
  }

  async::Task<Result<void>> serve(async::Socket socket) {
    std::string heard;
    for (;;) {
      while (heard.find("\r\n\r\n") == std::string::npos) {
        auto lent = co_await socket.receive();
        if (!lent) co_return fail(std::move(lent).error());
        if (lent->end()) co_return {};
        heard += as_text(lent->bytes());
      }
      const std::string head = heard.substr(0, heard.find("\r\n\r\n") + 4);
      const std::size_t size = head.size() + body_size(head);
      while (heard.size() < size) {
        auto lent = co_await socket.receive();
        if (!lent) co_return fail(std::move(lent).error());
        if (lent->end()) co_return {};
        heard += as_text(lent->bytes());
      }
      std::string body = heard.substr(head.size(), size - head.size());
      heard.erase(0, size);
      ++in_flight_;
      crawled_.in_flight_max = std::max(crawled_.in_flight_max, in_flight_);
      auto goes_on = co_await answer(socket, head, std::move(body));
      --in_flight_;
      if (!goes_on || !*goes_on) co_return {};
    }
  }

  static std::size_t body_size(const std::string& head) {
    const std::size_t field = head.find("Content-Length: ");
    return field == std::string::npos ? 0 : std::stoul(head.substr(field + 16));
  }

  // BORROWS: the socket.
  async::Task<Result<bool>> answer(async::Socket& socket, std::string head, std::string body) {
    const std::size_t host = head.find("Host: ") + 6;
    const std::string name = head.substr(host, head.find('\r', host) - host);
    const std::size_t target = head.find(' ') + 1;
    const std::string url = "http://" + name + head.substr(target, head.find(' ', target) - target);
    crawled_.heard.push_back({async::Loop::current().now(), url, head, std::move(body)});
    const Reply reply = reply_at(name, crawled_.heard.back());
    if (auto slept = co_await async::sleep(reply.delay); !slept) co_return false;
    const bool is_head = head.starts_with("HEAD ");
    const int status = is_head && reply.status_of_head != 0 ? reply.status_of_head : reply.status;
    std::string bytes = fmt::format("HTTP/1.1 {} x\r\n{}", status, reply.fields);
    if (!reply.is_endless) bytes += fmt::format("Content-Length: {}\r\n", reply.body.size());
    if (!reply.type.empty()) bytes += "Content-Type: " + reply.type + "\r\n";
    bytes += "\r\n" + (is_head ? std::string() : reply.body);
    if (reply.is_cut) bytes.resize(bytes.size() / 2);
    auto sent = co_await send(socket, bytes, reply.byte_gap);
    while (sent && reply.is_endless && !is_head) {
      sent = co_await send(socket, reply.body, reply.byte_gap);
    }
    co_return sent.has_value() && !reply.is_cut;
  }

  // BORROWS: both.
  async::Task<Result<void>> send(async::Socket& socket, std::string_view bytes, Duration gap) {
    const std::size_t piece = gap == Duration::zero() ? bytes.size() : 1;
    while (!bytes.empty()) {
      if (auto sent = co_await socket.send(as_bytes(bytes.substr(0, piece))); !sent) {
        co_return fail(std::move(sent).error());
      }
      if (auto slept = co_await async::sleep(gap); !slept) co_return slept;
      bytes.remove_prefix(piece);
    }
    co_return {};
  }

  Reply reply_at(const std::string& host, const Heard& request) {
    const std::string& url = request.url;
    if (web_.decide_by_head) {
      if (auto decided = web_.decide_by_head(request)) return *decided;
    }
    if (web_.decide) {
      if (auto decided = web_.decide(url, async::Loop::current().now())) return *decided;
    }
    const auto found = web_.replies_.find(url);
    if (found != web_.replies_.end()) {
      const std::size_t times = asked_[url]++;
      return found->second[std::min(times, found->second.size() - 1)];
    }
    const auto other = web_.otherwise_.find(host);
    if (other != web_.otherwise_.end() && !url.ends_with("/robots.txt")) return other->second;
    return {.status = 404, .body = "not here"};
  }

  TestWeb& web_;
  Options crawl_options_;
  TestWeb::Program program_;
  Engine* engine_ = nullptr;
  Crawled crawled_;
  std::set<std::string> listening_;
  std::map<std::string, std::size_t> asked_;
  std::size_t in_flight_ = 0;
};

std::string TestWeb::host_of(std::string_view url) {
  const auto parsed = url::Url::parse(url);
  CHECK(parsed.has_value(), "{} is not a URL", url);
  std::string host(parsed->hostname());
  if (!addresses_.contains(host)) address(host, fmt::format("10.0.0.{}", addresses_.size() + 1));
  return host;
}

TestWeb& TestWeb::at(std::string_view url, std::vector<Reply> replies) {
  host_of(url);
  replies_.insert_or_assign(std::string(url), std::move(replies));
  return *this;
}

TestWeb& TestWeb::otherwise(std::string_view host, Reply reply) {
  host_of("http://" + std::string(host));
  otherwise_.insert_or_assign(std::string(host), std::move(reply));
  return *this;
}

TestWeb& TestWeb::address(std::string_view host, std::string_view ip) {
  addresses_.insert_or_assign(std::string(host), std::string(ip));
  return *this;
}

Crawled TestWeb::crawl(Options options) {
  CHECK(validate(options), "the options make no sense");
  return in_new_world(nullptr, std::move(options));
}

Crawled TestWeb::visit(Program program) { return in_new_world(std::move(program), {}); }

Crawled TestWeb::in_new_world(Program program, Options options) {
  sim::World world(options_, disk);
  WebRun run(*this, std::move(options), std::move(program));
  Crawled crawled = world.run(run.run());
  const std::size_t left = world.loop().live_tasks() + world.loop().timers().size() +
                           world.driver().operations_in_flight();
  if (left > 0) crawled.problems.push_back("the crawl left something behind");
  return crawled;
}

async::Task<Crawled> TestWeb::run(Options options) {
  CHECK(validate(options), "the options make no sense");
  WebRun web_run(*this, std::move(options), nullptr);
  co_return co_await web_run.run();
}

async::Task<Crawled> TestWeb::run(Program program) {
  WebRun web_run(*this, {}, std::move(program));
  co_return co_await web_run.run();
}

}  // namespace gossamer::crawler

#include "bench/render/own_pages.h"

#include <fmt/format.h>

#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "base/check.h"
#include "bench/http/no_names.h"
#include "bench/support/cpu.h"
#include "engine/page/part_fetch.h"
#include "http/client.h"
#include "net/connector.h"
#include "render/browser_process.h"
#include "render/renderer.h"
#include "wire/cookie_jar.h"

namespace gossamer::bench {
namespace {

constexpr WallTime kNow = {.seconds = 1'700'000'000};
constexpr std::size_t kLinks = 40;

class ClientParts final : public render::Parts {
 public:
  ClientParts(http::Client& client, wire::CookieJar& cookies)
      : client_(client), cookies_(cookies) {}

  async::Task<Result<render::PartAnswer>> fetch(http::Request request) override {
    const crawler::PartFetching how = {.client = client_, .cookies = cookies_, .now = kNow};
    co_return (co_await crawler::fetch_part(how, request)).answer;
  }

 private:
  http::Client& client_;
  wire::CookieJar& cookies_;
};

struct RenderWork {
  const RenderLoad& load;
  render::Renderer& renderer;
  ClientParts& parts;
  std::uint64_t next = 0;
};

// BORROWS: the work.
async::Task<void> render_until(RenderWork& work, std::uint64_t end) {
  while (work.next < end) {
    const std::string url = fmt::format("{}/{}", work.load.origin, ++work.next);
    http::Request request;
    CHECK(request.url.assign(url) == url::UrlFailure::none);
    auto answer = co_await work.parts.fetch(std::move(request));
    CHECK(answer.has_value(), "{}", answer.error().to_string());
    auto rendered = co_await work.renderer.render({url, std::move(*answer)}, work.parts, {});
    CHECK(rendered.has_value(), "{}", rendered.error().to_string());
    CHECK_EQ(rendered->content.links.size(), kLinks);
  }
}

// Each tab has one. BORROWS: the work.
async::Task<void> render_in_tabs(RenderWork& work, std::uint64_t end) {
  async::Scope scope;
  for (std::uint64_t i = 0; i < work.load.tabs; ++i) scope.spawn(render_until(work, end));
  static_cast<void>(co_await scope.join());
}

// BORROWS: the load.
async::Task<RenderCost> run_own(const RenderLoad& load) {
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  http::Client client(connector, nullptr, {});
  wire::CookieJar cookies;
  ClientParts parts(client, cookies);
  render::ProcessLauncher launcher;
  async::Scope browsers(async::OnFailure::keep_going);
  RenderCost cost;
  {
    render::Renderer renderer(launcher, browsers, {.pages_max = load.tabs});
    RenderWork work = {.load = load, .renderer = renderer, .parts = parts};
    co_await render_in_tabs(work, load.tabs);
    const double wall = wall_ns();
    const double cpu = process_cpu_ns();
    co_await render_in_tabs(work, load.tabs + load.pages);
    cost = {.wall_ms = (wall_ns() - wall) / 1e6, .own_cpu_ms = (process_cpu_ns() - cpu) / 1e6};
    renderer.close();
  }
  static_cast<void>(co_await browsers.join());
  co_return cost;
}

}  // namespace

RenderCost render_own(const RenderLoad& load) {
  async::Loop loop;
  return loop.run(run_own(load));
}

}  // namespace gossamer::bench

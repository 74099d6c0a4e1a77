// A crawler inside a program: pages come as a sequence, and whoever takes them sets the pace.
//
//   embed            crawls a synthetic site that it serves itself
//   embed URL        crawls that one
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/client.h"
#include "gossamer/crawl.h"
#include "gossamer/loop.h"
#include "gossamer/task.h"
#include "site/site.h"
#include "site/site_server.h"

using namespace gossamer;

namespace {

// What a crawl needs of the world, put together.
struct Web {
  Web(async::Loop& loop, async::Scope& scope, std::unique_ptr<net::CaresResolver> resolver,
      const std::string& root_host)
      : servers(std::move(resolver)),
        cache(*servers, scope),
        names(cache),
        // A link must not lead into the own network; the root may, because somebody typed it.
        connector(names, net::AddressGuard({.allowed_hosts = {root_host}})),
        client(connector, net::TlsContext::make({}).value(),
               {.fields = {{"User-Agent", "embed-example/1.0 (+https://a.example/bot)"}}}),
        world({.client = client,
               .resolver = &names,
               .random = random,
               .scope = scope,
               .wall_start = {.seconds = std::time(nullptr)},
               .loop_start = loop.now()}) {}

  std::unique_ptr<net::CaresResolver> servers;
  net::CachingResolver cache;
  net::LocalNames names;
  net::Connector connector;
  http::Client client;
  base::Random random{1};
  crawl::World world;
};

// Takes every page, slowly. The crawl waits for us: it never runs far ahead, and loses nothing.
// BORROWS: the world.
async::Task<std::size_t> count_all(crawl::World& world, std::string root) {
  crawl::Options options;
  options.roots = {std::move(root)};
  options.agent = "embed-example";
  auto pages = crawl::crawl(world, std::move(options));
  std::size_t count = 0;
  while (std::optional<crawl::Page> page = co_await pages.next()) {
    if (page->record.status == 200) ++count;
    if (!co_await async::sleep(1ms)) break;  // somebody cancelled us
  }
  co_return count;
}

// Takes ten pages with their bodies and leaves: the crawl stops by itself.
// BORROWS: the world.
async::Task<std::vector<std::string>> first_titles(crawl::World& world, std::string root) {
  crawl::Options options;
  options.roots = {std::move(root)};
  options.agent = "embed-example";
  options.keeps_bodies = true;
  options.hooks.wants_url = [](const url::Url& url) { return !url.pathname().ends_with(".pdf"); };
  options.hooks.edit_request = [](http::Request& request) {
    request.fields.push_back({"Accept-Language", "en"});
  };
  auto pages = crawl::crawl(world, std::move(options));
  std::vector<std::string> titles;
  while (std::optional<crawl::Page> page = co_await pages.next()) {
    if (page->body.find("<title>") == std::string::npos) continue;
    titles.push_back(page->record.title);
    if (titles.size() == 10) break;
  }
  co_return titles;
}

// BORROWS: the loop.
async::Task<Result<void>> show(async::Loop& loop, std::string root) {
  auto url = crawl::parse_root(root);
  if (!url) co_return fail(std::move(url).error());
  auto resolver = net::CaresResolver::make(loop);
  if (!resolver) co_return fail(std::move(resolver).error());
  async::Scope scope(async::OnFailure::keep_going);  // crawls and name lookups go on in here
  Web web(loop, scope, std::move(*resolver), std::string(url->hostname()));

  const std::vector<std::string> titles = co_await first_titles(web.world, root);
  std::printf("%zu titles, and we have seen enough\n", titles.size());
  const std::size_t count = co_await count_all(web.world, root);
  std::printf("%zu pages in all\n", count);

  scope.cancel();
  static_cast<void>(co_await scope.join());
  web.client.close_idle();
  co_return {};
}

// BORROWS: the loop.
async::Task<Result<void>> show_own_site(async::Loop& loop) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  if (!listener) co_return fail(std::move(listener).error());
  const site::Site site({.pages = 300, .hosts = {listener->endpoint().to_string()}});
  site::SiteServer server(site);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  auto shown = co_await show(loop, site.root());
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return shown;
}

}  // namespace

int main(int argc, char** argv) {
  async::Loop loop;
  const auto shown = loop.run(argc > 1 ? show(loop, argv[1]) : show_own_site(loop));
  if (!shown) std::fprintf(stderr, "%s\n", shown.error().to_string().c_str());
  return shown ? 0 : 1;
}

#include "site/demo_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "async/scope.h"
#include "tests/simulated/world.h"

namespace gossamer::site {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const async::Endpoint kAt = async::Endpoint::loopback(80);

// Sends `text` on one connection and returns everything until the server closes.
async::Task<Result<std::string>> talk(std::string text) {
  auto socket = co_await async::Socket::connect(kAt);
  if (!socket) co_return fail(std::move(socket).error());
  if (auto sent = co_await socket->send(as_bytes(text)); !sent) {
    co_return fail(std::move(sent).error());
  }
  std::string heard;
  for (;;) {
    auto lent = co_await socket->receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return heard;
    heard += as_text(lent->bytes());
  }
}

// BORROWS: the site.
async::Task<Result<std::string>> talk_to(const Site& site, std::string text) {
  auto listener = async::Listener::bind(kAt);
  if (!listener) co_return fail(std::move(listener).error());
  DemoServer server(site);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(std::move(*listener)));
  auto heard = co_await talk(std::move(text));
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return heard;
}

std::string ask(const Site& site, std::string text) {
  auto world = sim::World::calm();
  auto heard = world.run(talk_to(site, std::move(text)));
  return heard ? *heard : heard.error().to_string();
}

TEST(DemoServer, AnswersOneRequestAfterTheOther) {
  const Site site(SiteOptions{});
  const std::string heard = ask(site,
                                "GET / HTTP/1.1\r\nHost: site.example\r\n\r\n"
                                "GET /nowhere HTTP/1.1\r\nHost: site.example\r\n\r\n"
                                "GET /robots.txt HTTP/1.0\r\nHost: site.example\r\n\r\n");
  EXPECT_THAT(heard, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(heard, HasSubstr("</html>\n"));
  EXPECT_THAT(heard, HasSubstr("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_THAT(heard, EndsWith("Sitemap: http://site.example/sitemap.xml\n"));
}

TEST(DemoServer, CountsTheAttemptsAtAPage) {
  SiteOptions options;
  options.errors = 0.1;
  const Site site(options);
  for (std::uint64_t number = 0;; ++number) {
    const Resource resource = {.kind = Kind::error, .number = number};
    ASSERT_TRUE(site.layout().exists(resource)) << "none recovers after one attempt";
    const Outcome outcome = site.layout().outcome(resource);
    if (outcome.failures != 1) continue;
    const std::string get = "GET " + site.layout().target(resource) + " HTTP/1.";
    const std::string heard = ask(
        site, get + "1\r\nHost: site.example\r\n\r\n" + get + "0\r\nHost: site.example\r\n\r\n");
    EXPECT_THAT(heard, StartsWith("HTTP/1.1 " + std::to_string(outcome.failing_status)));
    EXPECT_THAT(heard, HasSubstr("HTTP/1.1 200 OK"));
    return;
  }
}

TEST(DemoServer, RejectsOtherMethodsAndLongRequests) {
  const Site site(SiteOptions{});
  EXPECT_THAT(ask(site, "PUT / HTTP/1.0\r\nHost: site.example\r\n\r\n"),
              StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"));
  EXPECT_EQ(ask(site, "GET /" + std::string(20'000, 'a')), "");
}

}  // namespace
}  // namespace gossamer::site

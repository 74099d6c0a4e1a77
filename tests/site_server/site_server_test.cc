#include "tests/site_server/site_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "http/body.h"
#include "http/client.h"
#include "net/resolver.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"
#include "wire/whole_decoder.h"

namespace gossamer::site {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint16_t kPort = 80;

// Sends `text` on one connection, in pieces, and returns everything until the server closes.
async::Task<Result<std::string>> talk(std::string text, std::size_t piece) {
  auto socket = co_await async::Socket::connect(async::Endpoint::loopback(kPort));
  if (!socket) co_return fail(std::move(socket).error());
  for (std::size_t at = 0; at < text.size(); at += piece) {
    const std::string part = text.substr(at, piece);
    if (auto sent = co_await socket->send(as_bytes(part)); !sent) {
      co_return fail(std::move(sent).error());
    }
  }
  std::string heard;
  for (;;) {
    auto lent = co_await socket->receive();
    if (!lent) co_return fail(std::move(lent).error());
    if (lent->end()) co_return heard;
    heard += as_text(lent->bytes());
  }
}

async::Task<Result<std::string>> talk_to(SiteServer& server, std::string text, std::size_t piece) {
  // BORROWS: the server.
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(async::Endpoint::loopback(kPort)));
  auto heard = co_await talk(std::move(text), piece);
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return heard;
}

std::string ask(SiteServer& server, std::string text, std::size_t piece = 1 << 20) {
  auto world = sim::World::calm();
  auto heard = world.run(talk_to(server, std::move(text), piece));
  EXPECT_TRUE(heard) << heard.error().to_string();
  return heard.value_or("");
}

TEST(SiteServerTest, ClosesOnRequest) {
  const Site site(SiteOptions{});
  SiteServer server(site);
  const std::string heard =
      ask(server, "GET / HTTP/1.1\r\nHost: site.example\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(heard, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(heard, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_EQ(server.requests(), 1u);
}

TEST(SiteServerTest, AnswersPipelinedRequests) {
  SiteOptions options;
  options.chunked = 0;
  const Site site(options);
  const std::string page = site.layout().target({0, Kind::page, 3});
  const std::string one = "GET " + page + " HTTP/1.1\r\nHost: site.example\r\n\r\n";
  const std::string last = "GET / HTTP/1.0\r\n\r\n";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    SiteServer server(site);
    const std::string heard = ask(server, one + one + last, piece);
    const std::string body = site.answer({.host = "", .target = page}).body;
    const std::size_t first = heard.find(body);
    ASSERT_NE(first, std::string::npos);
    EXPECT_NE(heard.find(body, first + 1), std::string::npos);
    EXPECT_THAT(heard, EndsWith(site.answer({.host = "", .target = "/"}).body));
    EXPECT_EQ(server.requests_for("http://site.example" + page), 2u);
    EXPECT_EQ(server.connections(), 1u);
  }
}

TEST(SiteServerTest, GivesTheHeadAloneForAHead) {
  const Site site(SiteOptions{});
  SiteServer server(site);
  const std::string heard = ask(server, "HEAD / HTTP/1.0\r\n\r\n");
  EXPECT_THAT(heard, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(heard, EndsWith("\r\n\r\n"));
  EXPECT_EQ(heard.find("<html"), std::string::npos);
}

TEST(SiteServerTest, RejectsInvalidRequests) {
  const Site site(SiteOptions{});
  SiteServer server(site);
  EXPECT_THAT(ask(server, "hello\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(ask(server, "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"),
              StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(ask(server, "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x')),
              StartsWith("HTTP/1.1 431 "));
}

TEST(SiteServerTest, CutsTheFirstAnswerAndGivesTheSecondWhole) {
  SiteOptions options;
  options.cut_once = 1;
  const Site site(options);
  SiteServer server(site);
  const std::string request = "GET / HTTP/1.0\r\n\r\n";
  const std::string first = ask(server, request);
  const std::string second = ask(server, request);
  EXPECT_LT(first.size(), second.size());
  EXPECT_THAT(second, EndsWith("</html>\n"));
  ASSERT_EQ(server.log().size(), 2u);
  EXPECT_FALSE(server.log()[0].is_whole);
  EXPECT_TRUE(server.log()[1].is_whole);
  EXPECT_EQ(server.log()[1].attempt, 1u);
}

TEST(SiteServerTest, IsAsLateAsTheSiteSays) {
  SiteOptions options;
  options.delay = 200ms;
  const Site site(options);
  SiteServer server(site);
  ask(server, "GET / HTTP/1.0\r\nUser-Agent: patience\r\n\r\n");
  ASSERT_EQ(server.log().size(), 1u);
  const LogEntry& entry = server.log()[0];
  EXPECT_GE(entry.ended - entry.begun, 200ms);
  EXPECT_EQ(entry.user_agent, "patience");
  EXPECT_EQ(entry.target, "/");
  EXPECT_EQ(entry.status, 200);
}

TEST(SiteServerTest, LimitsTheRequestRate) {
  const Site site(SiteOptions{});
  SiteServer server(site, {.requests_per_second_max = 2});
  const std::string one = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string heard = ask(server, one + one + one + "GET / HTTP/1.0\r\nHost: b\r\n\r\n");
  EXPECT_THAT(heard, HasSubstr("HTTP/1.1 429 Too Many Requests\r\n"));
  EXPECT_THAT(heard, HasSubstr("\r\nRetry-After: 1\r\n"));
  std::vector<int> statuses;
  for (const LogEntry& entry : server.log()) statuses.push_back(entry.status);
  EXPECT_THAT(statuses, testing::ElementsAre(200, 200, 429, 200));
}

// Fetches URLs one after the other with the real client.
async::Task<std::vector<std::string>> fetch_all(const Site& site, SiteServer& server,
                                                std::vector<std::string> urls) {
  // BORROWS: the site and the server.
  sim::NamedHosts names(1);
  for (const std::string& host : site.options().hosts) {
    names.add(host, async::Endpoint::loopback(0));
  }
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  http::ClientOptions options;
  options.fields = {{"User-Agent", "test"}, {"Accept-Encoding", "gzip"}};
  http::Client client(connector, nullptr, options);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run(async::Endpoint::loopback(kPort)));
  std::vector<std::string> bodies;
  for (const std::string& url : urls) {
    http::Request request = {.method = "GET", .url = *url::Url::parse(url), .fields = {}};
    auto response = co_await client.send(request);
    std::string body = "(nothing)";
    if (response) {
      wire::WholeDecoder decoder;
      http::WholeBody whole = co_await read_whole(*response, decoder);
      body = std::to_string(response->status()) + " " + whole.bytes;
      if (whole.trouble) body = "(" + whole.trouble->to_string() + ")";
    }
    bodies.push_back(std::move(body));
  }
  client.close_idle();
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return bodies;
}

TEST(SiteServerTest, ServesWhatTheSiteHolds) {
  for (const std::size_t cache_bytes :
       {std::size_t{0}, std::size_t{100'000}, std::size_t{1} << 26}) {
    SiteOptions options = SiteOptions::demo(5);
    options.hosts = {"a.example", "b.example"};
    options.pages = 60;
    options.errors = 0;
    const Site site(options);
    SiteServer server(site, {.cache_bytes_max = cache_bytes});
    server.warm_up();
    auto urls = site.truth({.roots = {0, 1}, .with_assets = true}).must_fetch();
    urls.insert(urls.end(), urls.begin(), urls.begin() + 50);  // again
    auto world = sim::World::calm();
    const auto bodies = world.run(fetch_all(site, server, urls));
    for (std::size_t i = 0; i < urls.size(); ++i) {
      const auto url = url::Url::parse(urls[i]);
      const Answer answer = site.answer({.host = url->host(), .target = url->request_target()});
      EXPECT_EQ(bodies[i], std::to_string(answer.status) + " " + answer.body) << urls[i];
      EXPECT_EQ(server.requests_for(urls[i]), i % (urls.size() - 50) < 50 ? 2u : 1u) << urls[i];
    }
    EXPECT_EQ(server.log().size(), urls.size());
    EXPECT_EQ(server.in_flight(), 0u);
    EXPECT_EQ(server.in_flight_max(), 1u);
  }
}

async::Task<void> serve_and_stop() {
  SiteOptions options;
  options.pages = 3;
  options.slow = 1;
  options.page_bytes_min = options.page_bytes_max = 500;
  const Site site(options);
  SiteServer server(site);
  static_cast<void>(co_await talk_to(
      server, "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /robots.txt HTTP/1.0\r\n\r\n", 30));
}

TEST(SiteServerTest, LeavesNothingBehindWhereverItIsCancelled) {
  sim::for_every_cancellation_point([] { return serve_and_stop(); });
}

TEST(SiteServerTest, LeavesNothingBehindWhateverFails) {
  sim::for_every_failing_operation([] { return serve_and_stop(); }, ECONNRESET);
}

}  // namespace
}  // namespace gossamer::site

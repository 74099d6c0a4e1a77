// The client over TLS, in the simulated world: which protocol a connection speaks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/http2_conversation.h>
#include <tests/support/tls_test_conversation.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "http/client.h"
#include "tests/simulated/world.h"

namespace gossamer::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A site that speaks HTTP/2 and HTTP/1.1, or one of them.
struct TlsSite {
  explicit TlsSite(std::vector<std::string> alpn)
      : server(net::make_identity({.alternative_names = "IP:127.0.0.1"}, &world.authority),
               {.alpn = std::move(alpn)}) {}

  net::TestWorld world;
  net::TestServer server;
  bool requires_http1 = false;         // it says so to every request over HTTP/2
  Duration delay = Duration::zero();   // of handshakes
  bool closes_early = false;           // in the handshake
  std::vector<std::string> protocols;  // of its connections, in order
  std::size_t http2_requests = 0;
};

// Answers requests of any version until the client leaves. BORROWS: both.
async::Task<Result<void>> answer_over_tls(net::TestServerEnd& end, TlsSite& site) {
  auto first = co_await end.read(1);
  if (!first) co_return fail(std::move(first).error());
  std::string text = std::move(*first);
  const bool is_http2 = text.starts_with("PRI");
  site.protocols.emplace_back(is_http2 ? "HTTP/2" : "HTTP/1.1");
  if (is_http2) end.session.encrypt(http2::settings());
  for (;;) {
    std::string answer;
    if (is_http2) {
      for (const http2::Frame& frame : http2::take_frames(text)) {
        if (frame.type != http2::Type::headers) continue;
        ++site.http2_requests;
        answer += site.requires_http1 ? http2::reset(frame.stream, http2::Code::http_1_1_required)
                                      : http2::response(frame.stream, "page");
      }
    } else if (text.ends_with("\r\n\r\n")) {
      answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage";
      text.clear();
    }
    if (!answer.empty()) end.session.encrypt(answer);
    if (auto sent = co_await end.flush(); !sent) co_return sent;
    auto more = co_await end.read(1);
    if (!more) co_return fail(std::move(more).error());
    if (more->empty()) co_return {};
    text += *more;
  }
}

// BORROWS: the site.
async::Task<Result<void>> serve_tls_connection(async::Socket socket, TlsSite& site) {
  if (auto slept = co_await async::sleep(site.delay); !slept) co_return slept;
  if (site.closes_early) {
    auto lent = co_await socket.receive();
    co_return {};
  }
  net::TestServerEnd end(std::move(socket), site.server);
  if (auto accepted = co_await end.accept(); !accepted) co_return accepted;
  co_return co_await answer_over_tls(end, site);
}

// BORROWS: both.
async::Task<Result<void>> serve_site(async::Listener& listener, TlsSite& site) {
  async::Scope scope(async::OnFailure::keep_going);
  while (auto socket = co_await listener.accept())
    scope.spawn(serve_tls_connection(std::move(*socket), site));
  scope.cancel();
  co_return co_await scope.join();
}

struct Visits {
  std::size_t one_by_one = 0;
  std::size_t concurrent = 0;  // after those
  bool keeps_idle = false;     // connections of the first ones serve the others
};

// BORROWS: the site.
async::Task<std::vector<http2::Fetched>> visit_tls_site(TlsSite& site, Visits visits,
                                                        ClientOptions options) {
  auto listener = async::Listener::bind(async::Endpoint::loopback(0));
  CHECK(listener);
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(serve_site(*listener, site));
  http2::NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  net::TlsOptions tls = site.world.options();
  tls.alpn = alpn_of(options.protocols);
  Client client(connector, net::TestWorld::context(tls), std::move(options));
  const Request request = {
      .url = *url::Url::parse("https://127.0.0.1:" + std::to_string(listener->endpoint().port)),
      .fields = {},
      .body = {}};
  std::vector<http2::Fetched> pages;
  for (std::size_t i = 0; i < visits.one_by_one; ++i) {
    pages.push_back(co_await http2::fetch(client, request));
  }
  if (!visits.keeps_idle) client.close_idle();
  std::vector<async::JoinHandle<http2::Fetched>> running;
  for (std::size_t i = 0; i < visits.concurrent; ++i) {
    running.push_back(scope.spawn(http2::fetch(client, request)));
  }
  for (auto& each : running) pages.push_back(co_await each.wait());
  client.close_idle();
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return pages;
}

std::vector<http2::Fetched> run_visits(TlsSite& site, Visits visits, ClientOptions options = {}) {
  auto world = sim::World::calm();
  return world.run(visit_tls_site(site, visits, std::move(options)));
}

void expect_pages(const std::vector<http2::Fetched>& pages, std::string_view protocol) {
  for (const http2::Fetched& page : pages) {
    EXPECT_TRUE(page.is_whole) << page.trouble;
    EXPECT_EQ(page.body, "page");
    EXPECT_EQ(page.facts.protocol, protocol);
    EXPECT_TRUE(page.facts.connection.is_tls);
    EXPECT_EQ(page.facts.connection.tls.protocol, "TLSv1.3");
  }
}

TEST(ClientTlsTest, TheServerChoosesTheProtocol) {
  TlsSite modern({"h2", "http/1.1"});
  expect_pages(run_visits(modern, {.one_by_one = 2}), "HTTP/2");
  EXPECT_THAT(modern.protocols, ElementsAre("HTTP/2"));
  TlsSite old({"http/1.1"});
  expect_pages(run_visits(old, {.one_by_one = 2}), "HTTP/1.1");
  EXPECT_THAT(old.protocols, ElementsAre("HTTP/1.1"));
  TlsSite silent({});
  expect_pages(run_visits(silent, {.one_by_one = 1}), "HTTP/1.1");
}

TEST(ClientTlsTest, TheUserMayRuleOutHttp2) {
  TlsSite site({"h2", "http/1.1"});
  ClientOptions options;
  options.protocols = Protocols::http1;
  expect_pages(run_visits(site, {.concurrent = 3}, options), "HTTP/1.1");
  EXPECT_EQ(site.protocols.size(), 3u) << "they do not wait for each other";
}

TEST(ClientTlsTest, ManyRequestsShareTheFirstConnection) {
  TlsSite site({"h2", "http/1.1"});
  site.delay = 1s;
  expect_pages(run_visits(site, {.concurrent = 5}), "HTTP/2");
  EXPECT_THAT(site.protocols, ElementsAre("HTTP/2"));
}

// A server that chose HTTP/1.1 once gets a connection for each request, without a delay.
TEST(ClientTlsTest, TheChoiceOfTheServerIsRemembered) {
  TlsSite site({"http/1.1"});
  site.delay = 1s;
  const auto pages = run_visits(site, {.one_by_one = 1, .concurrent = 4});
  expect_pages(pages, "HTTP/1.1");
  EXPECT_EQ(site.protocols.size(), 5u);
  for (const http2::Fetched& page : pages)
    EXPECT_LT(page.took, 2s) << "nobody waits for another dial";
}

TEST(ClientTlsTest, AServerThatRequiresHttp1GetsIt) {
  TlsSite site({"h2", "http/1.1"});
  site.requires_http1 = true;
  expect_pages(run_visits(site, {.one_by_one = 2}), "HTTP/1.1");
  EXPECT_THAT(site.protocols, ElementsAre("HTTP/2", "HTTP/1.1")) << "and it is remembered";
  site.protocols.clear();
  site.http2_requests = 0;
  expect_pages(run_visits(site, {.one_by_one = 1, .concurrent = 3, .keeps_idle = true}),
               "HTTP/1.1");
  EXPECT_EQ(site.http2_requests, 1u) << "its HTTP/2 connection is not used again";
}

TEST(ClientTlsTest, AFailedHandshakeSaysWhere) {
  TlsSite site({});
  site.closes_early = true;
  const auto pages = run_visits(site, {.one_by_one = 1});
  EXPECT_THAT(pages[0].trouble, HasSubstr("during the TLS handshake"));
  EXPECT_THAT(pages[0].trouble, HasSubstr("while connecting to 127.0.0.1"));
  TlsSite slow({});
  slow.delay = 60s;
  const auto late = run_visits(slow, {.one_by_one = 1});
  EXPECT_THAT(late[0].trouble, HasSubstr("timed_out: no handshake within 10 s"));
  EXPECT_LT(late[0].took, 11s);
}

}  // namespace
}  // namespace gossamer::http

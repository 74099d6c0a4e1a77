// Tests the client with proxies: tinyproxy (HTTP) and microsocks (SOCKS 5), to nginx.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/http_fetch.h"
#include "tests/end_to_end/http_servers.h"
#include "tests/support/driver_test.h"

namespace gossamer::http {
namespace {

using async::Task;
using async::tested_driver_name;
using async::TestedDriver;

constexpr const char* kUser = "someone";
constexpr const char* kPassword = "aWord42";

struct Servers {
  Nginx nginx;
  Tinyproxy open_http;
  Tinyproxy closed_http{kUser, kPassword};
  Microsocks open_socks;
  Microsocks closed_socks{kUser, kPassword};
};

class ProxyTest : public async::DriverTest {
 protected:
  static void SetUpTestSuite() {
    for (const char* program : {support::kNginx, support::kOpenssl, kTinyproxy, kMicrosocks}) {
      if (!support::is_installed(program)) missing = program;
    }
    if (missing.empty()) servers = new Servers();
  }
  static void TearDownTestSuite() {
    delete servers;
    servers = nullptr;
  }
  void SetUp() override {
    if (!missing.empty()) GTEST_SKIP() << "no " << missing;
    DriverTest::SetUp();
  }

  static inline Servers* servers = nullptr;
  static inline std::string missing;
};

ON_REAL_DRIVERS(ProxyTest);

Proxy proxy_at(ProxyKind kind, std::uint16_t port, bool has_password = false) {
  Proxy proxy = {.kind = kind, .host = "127.0.0.1", .port = port, .user = {}, .password = {}};
  if (has_password) {
    proxy.user = kUser;
    proxy.password = kPassword;
  }
  return proxy;
}

// The same two pages through any proxy, each twice, so that a connection is used again. The name is
// for the proxy to resolve: the client knows none.
Task<void> fetch_through(Proxy proxy, const Servers& all, bool uses_name) {  // BORROWS: the servers
  LocalClient local({.proxies = ProxySettings::all(proxy)}, trusting(all.nginx.certificate_file()));
  const std::string host = uses_name ? "localhost" : "127.0.0.1";
  const std::string plain = "http://" + host + ":" + std::to_string(all.nginx.port());
  const std::string tls = "https://" + host + ":" + std::to_string(all.nginx.tls_port());
  for (const std::string& origin : {plain, tls}) {
    for (int i = 0; i < 2; ++i) {
      const Fetched page = co_await fetch_whole(local.client, origin + "/page.html");
      EXPECT_EQ(page.status, 200) << origin;
      EXPECT_EQ(page.body, all.nginx.page()) << origin;
      EXPECT_EQ(page.facts.connection.remote, async::Endpoint::loopback(proxy.port));
    }
    const Fetched large = co_await fetch_whole(local.client, origin + "/large.bin");
    EXPECT_EQ(large.body.size(), Nginx::kLargeBytes) << origin;
  }
  EXPECT_TRUE(local.has_all_back());
}

TEST_P(ProxyTest, LeadsThroughAnHttpProxy) {
  for (const bool uses_name : {false, true}) {
    run(fetch_through(proxy_at(ProxyKind::http, servers->open_http.port()), *servers, uses_name));
  }
}

TEST_P(ProxyTest, LogsInToAnHttpProxy) {
  run(fetch_through(proxy_at(ProxyKind::http, servers->closed_http.port(), true), *servers, true));
}

TEST_P(ProxyTest, LeadsThroughASocksProxy) {
  for (const bool uses_name : {false, true}) {
    run(fetch_through(proxy_at(ProxyKind::socks5, servers->open_socks.port()), *servers,
                      uses_name));
  }
}

TEST_P(ProxyTest, LogsInToASocksProxy) {
  run(fetch_through(proxy_at(ProxyKind::socks5, servers->closed_socks.port(), true), *servers,
                    true));
}

// BORROWS: the nginx.
Task<void> meet_refusal(Proxy proxy, const Nginx& nginx, bool is_tls, Errc expected) {
  LocalClient local({.proxies = ProxySettings::all(proxy)}, trusting(nginx.certificate_file()));
  auto refused =
      co_await fetch(local.client, is_tls ? nginx.tls_url("/page.html") : nginx.url("/page.html"));
  EXPECT_FALSE(refused);
  if (!refused) {
    EXPECT_TRUE(refused.error() == expected) << refused.error().to_string();
    EXPECT_NE(refused.error().to_string().find(proxy.to_string()), std::string::npos)
        << refused.error().to_string() << " does not name the proxy";
    EXPECT_EQ(refused.error().to_string().find(kPassword), std::string::npos);
  }
  EXPECT_EQ(local.client.pool().open(), 0u);
}

TEST_P(ProxyTest, SaysSoWhenAProxyWantsAPassword) {
  const Proxy http = proxy_at(ProxyKind::http, servers->closed_http.port());
  run(meet_refusal(http, servers->nginx, true, Errc::denied));
  const Proxy socks = proxy_at(ProxyKind::socks5, servers->closed_socks.port());
  run(meet_refusal(socks, servers->nginx, false, Errc::denied));
  Proxy wrong = proxy_at(ProxyKind::socks5, servers->closed_socks.port(), true);
  wrong.password = "wrong";
  run(meet_refusal(wrong, servers->nginx, true, Errc::denied));
  wrong = proxy_at(ProxyKind::http, servers->closed_http.port(), true);
  wrong.password = "wrong";
  run(meet_refusal(wrong, servers->nginx, true, Errc::denied));
}

// In absolute form it is an answer like any other.
TEST_P(ProxyTest, GivesTheAnswerOfAProxyThatWantsAPassword) {
  run([](const Servers& all) -> Task<void> {
    const Proxy proxy = proxy_at(ProxyKind::http, all.closed_http.port());
    LocalClient local({.proxies = ProxySettings::all(proxy)});
    auto answer = co_await fetch(local.client, all.nginx.url("/page.html"));
    CHECK(answer);
    EXPECT_EQ(answer->status, 407);
  }(*servers));
}

TEST_P(ProxyTest, SaysSoWhenNobodyIsBehindAProxy) {
  run([](const Servers& all) -> Task<void> {
    const std::string nowhere = "127.0.0.1:" + std::to_string(support::free_port()) + "/";
    for (const Proxy& proxy : {proxy_at(ProxyKind::http, all.open_http.port()),
                               proxy_at(ProxyKind::socks5, all.open_socks.port())}) {
      LocalClient local({.proxies = ProxySettings::all(proxy)},
                        trusting(all.nginx.certificate_file()));
      auto refused = co_await fetch(local.client, "https://" + nowhere);
      EXPECT_FALSE(refused);
      EXPECT_EQ(local.client.pool().open(), 0u);
    }
  }(*servers));
}

TEST_P(ProxyTest, IsNotUsedForExceptions) {
  run([](const Servers& all) -> Task<void> {
    ProxySettings settings = ProxySettings::all(proxy_at(ProxyKind::http, all.open_http.port()));
    settings.set_exceptions("127.0.0.0/8");
    LocalClient local({.proxies = std::move(settings)});
    const Fetched page = co_await fetch_whole(local.client, all.nginx.url("/page.html"));
    EXPECT_EQ(page.facts.connection.remote, async::Endpoint::loopback(all.nginx.port()));
  }(*servers));
}

// Secrets for a proxy must not reach the server, and secrets for the server not the proxy.
TEST_P(ProxyTest, KeepsItsPasswordFromTheServer) {
  run([](const Servers& all) -> Task<void> {
    for (const bool is_tls : {false, true}) {
      LocalClient local(
          {.proxies = ProxySettings::all(proxy_at(ProxyKind::http, all.closed_http.port(), true)),
           .keep_request = true},
          trusting(all.nginx.certificate_file()));
      const Request request =
          make_request(is_tls ? all.nginx.tls_url("/page.html") : all.nginx.url("/page.html"), {});
      auto response = co_await local.client.send(request);
      CHECK(response);
      const bool has_password =
          response->request_head().find("Proxy-Authorization") != std::string::npos;
      EXPECT_EQ(has_password, !is_tls) << response->request_head();
      EXPECT_EQ(response->request_head().starts_with("GET http://"), !is_tls);
    }
  }(*servers));
}

}  // namespace
}  // namespace gossamer::http

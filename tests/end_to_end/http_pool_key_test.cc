// Tests which exchanges may share a connection: only those with the same scheme, host, port, proxy
// (with its credentials) and identity.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "http/dialer.h"
#include "tests/end_to_end/http_fetch.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"
#include "tests/support/scripted_server.h"

namespace gossamer::http {
namespace {

using async::Task;

// Everything that may set connections apart, as values.
struct Place {
  std::string url;
  std::optional<Proxy> proxy;
  std::string identity;

  std::string key() const {
    const auto parsed = url::Url::parse(url);
    return Destination::of(*parsed, proxy ? &*proxy : nullptr).key(identity);
  }
  std::string to_string() const {
    return url + " by " + (proxy ? proxy->key() : "no proxy") + " as '" + identity + "'";
  }
};

Proxy proxy(ProxyKind kind, std::string host, std::uint16_t port, std::string user = "",
            std::string password = "") {
  return {.kind = kind,
          .host = std::move(host),
          .port = port,
          .user = std::move(user),
          .password = std::move(password)};
}

// Any two of these differ.
std::vector<Place> different_places() {
  const std::vector<std::string> origins = {
      "http://a.example",       "https://a.example",
      "http://a.example:443",   "https://a.example:80",
      "http://a.example:8080",  "https://a.example:8080",
      "http://b.example",       "http://a.example.",
      "http://www.a.example",   "http://a.example:808",
      "http://127.0.0.1",       "http://[::1]",
      "http://[::ffff:7f00:1]", "http://a",
      "http://example",
  };
  const auto kHttp = ProxyKind::http;
  const auto kSocks = ProxyKind::socks5;
  const std::vector<std::optional<Proxy>> proxies = {
      std::nullopt,
      proxy(kHttp, "p.example", 80),
      proxy(kSocks, "p.example", 80),
      proxy(kHttp, "p.example", 8080),
      proxy(kHttp, "q.example", 80),
      proxy(kHttp, "p.example", 80, "user"),
      proxy(kHttp, "p.example", 80, "user", "word"),
      proxy(kHttp, "p.example", 80, "user", "other"),
      proxy(kHttp, "p.example", 80, "use", "rword"),
      proxy(kHttp, "p.example", 80, "", "word"),
      // A line end in a password is odd, but possible: %0A.
      proxy(kSocks, "p.example", 80, "user", "word\nmore"),
      proxy(kSocks, "p.example", 80, "user\nword", "more"),
      proxy(kSocks, "p.example", 80, "user", "word\n\nme"),
      proxy(kSocks, "p.example", 80, "user", "word"),
  };
  const std::vector<std::string> identities = {"", "me", "you", "\nme", "me\n", "word"};
  std::vector<Place> places;
  for (const std::string& origin : origins) {
    for (const auto& through : proxies) {
      for (const std::string& identity : identities) places.push_back({origin, through, identity});
    }
  }
  return places;
}

TEST(PoolKeyTest, SetsEveryTwoDifferentPlacesApart) {
  std::map<std::string, Place> by_key;
  for (const Place& place : different_places()) {
    const auto [found, is_new] = by_key.try_emplace(place.key(), place);
    EXPECT_TRUE(is_new) << place.to_string() << "\n  shares its connections with\n"
                        << found->second.to_string();
  }
}

TEST(PoolKeyTest, IsTheSameForTheSamePlace) {
  const auto same = [](std::string a, std::string b) {
    EXPECT_EQ((Place{a, {}, "me"}.key()), (Place{b, {}, "me"}.key())) << a << " and " << b;
    const Proxy through = proxy(ProxyKind::socks5, "p.example", 1080, "user", "word");
    EXPECT_EQ((Place{a, through, ""}.key()), (Place{b, through, ""}.key())) << a << " and " << b;
  };
  same("http://a.example/x", "http://a.example/y?q#f");
  same("http://a.example", "http://a.example:80");
  same("https://a.example", "https://a.example:443");
  same("http://A.EXAMPLE", "http://a.example");
  same("http://user:word@a.example", "http://a.example");  // they are not sent
  same("http://127.0.0.1", "http://0x7f.1");
  same("http://[::1]", "http://[0:0:0:0:0:0:0:1]");
}

// The same with connections: two fetches, and how many connections the server saw.

struct Step {
  std::string url;  // PORT stands for that of the server
  bool is_shared = false;
};

std::string with_port(std::string url, std::uint16_t port) {
  const std::size_t at = url.find("PORT");
  if (at != std::string::npos) url.replace(at, 4, std::to_string(port));
  return url;
}

struct Seen {
  std::size_t connections = 0;
  std::vector<std::string> requests;
};

// BORROWS: the world.
Task<Seen> fetch_in_turn(sim::World& world, std::vector<std::string> urls) {
  sim::NamedHosts names(world.seed());
  for (const char* name : {"a.example", "b.example", "www.a.example"}) {
    names.add(name, "127.0.0.1");
  }
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  Client client(connector, nullptr, {});
  ScriptedServer server({{.bytes = "HTTP/1.1 200 OK\r\nSet-Cookie: a=secret; Domain=example\r\n"
                                   "Content-Length: 2\r\n\r\nok"}});
  CHECK(server.listen());
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run());
  for (const std::string& url : urls) {
    FetchOptions options;
    if (url == urls.front()) {
      options.fields = {{"Authorization", "Basic c2VjcmV0"}, {"Cookie", "session=secret"}};
    }
    auto fetched =
        co_await fetch_in_any_time(client, with_port(url, server.port()), std::move(options));
    EXPECT_TRUE(fetched && fetched->is_whole()) << url;
  }
  EXPECT_EQ(client.pool().open(), client.pool().idle());
  client.close_idle();
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return Seen{.connections = server.connections, .requests = server.requests};
}

TEST(PoolKeyTest, DecidesAboutConnections) {
  const std::string first = "http://a.example:PORT/";
  const std::vector<Step> steps = {
      {"http://a.example:PORT/other?q", true},    {"http://A.example:PORT/", true},
      {"http://user:word@a.example:PORT/", true}, {"http://b.example:PORT/", false},
      {"http://www.a.example:PORT/", false},      {"http://a.example.:PORT/", false},
      {"http://127.0.0.1:PORT/", false},
  };
  for (const Step& step : steps) {
    auto world = sim::World::calm();
    const Seen seen = world.run(fetch_in_turn(world, {first, step.url}));
    EXPECT_EQ(seen.connections, step.is_shared ? 1u : 2u) << step.url;
    ASSERT_EQ(seen.requests.size(), 2u);
    EXPECT_NE(seen.requests[0].find("secret"), std::string::npos);
    // Neither what the first request told nor what its answer set goes anywhere by itself, nor what
    // the URL says.
    for (const char* field : {"Authorization:", "Cookie:", "secret", "user", "dXNlcjp3b3Jk"}) {
      EXPECT_EQ(seen.requests[1].find(field), std::string::npos)
          << step.url << ": " << seen.requests[1];
    }
  }
}

TEST(PoolKeyTest, KeepsClientsApart) {
  auto world = sim::World::calm();
  world.run([]() -> Task<void> {
    ScriptedServer server({{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"}});
    CHECK(server.listen());
    async::Scope scope(async::OnFailure::keep_going);
    auto serving = scope.spawn(server.run());
    const std::string url = "http://127.0.0.1:" + std::to_string(server.port()) + "/";
    LocalClient me({.identity = "me"});
    LocalClient you({.identity = "you"});
    for (int i = 0; i < 3; ++i) {
      static_cast<void>(co_await fetch_in_any_time(me.client, url, {}));
      static_cast<void>(co_await fetch_in_any_time(you.client, url, {}));
    }
    EXPECT_EQ(server.connections, 2u);
    me.client.close_idle();
    you.client.close_idle();
    serving.cancel();
    static_cast<void>(co_await scope.join());
  }());
}

}  // namespace
}  // namespace gossamer::http

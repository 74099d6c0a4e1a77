// For tests: our client and an HTTP/2 server whose frames the test writes, without TLS, over a
// simulated network.
#pragma once

#include <gtest/gtest.h>
#include <tests/support/http2_test_server.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "base/check.h"
#include "http/body.h"
#include "http/client.h"
#include "net/resolver.h"
#include "tests/simulated/world.h"

namespace gossamer::http2 {

class NoNames final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string) override {
    co_return fail(Errc::dns_failed, "there are no names");
  }
};

struct Fetched {
  int status = 0;
  std::string head;
  std::string body;
  std::string trouble;  // of the response or its body
  bool is_whole = false;
  http::ExchangeFacts facts;
  std::string request_head;
  Duration took = Duration::zero();
};

// BORROWS: the client.
inline async::Task<Fetched> fetch(http::Client& client, http::Request request) {
  const Instant begun = async::Loop::current().now();
  Fetched fetched;
  auto response = co_await client.send(request);
  if (response) {
    wire::WholeDecoder decoder;
    http::WholeBody body = co_await http::read_whole(*response, decoder);
    fetched = {.status = response->status(),
               .head = std::string(response->head().raw()),
               .body = std::move(body.bytes),
               .trouble = body.trouble ? body.trouble->to_string() : "",
               .is_whole = !body.trouble && response->is_complete(),
               .facts = response->facts(),
               .request_head = response->request_head()};
  } else {
    fetched.trouble = response.error().to_string();
  }
  fetched.took = async::Loop::current().now() - begun;
  co_return fetched;
}

struct Plan {
  TestServer::Answers answers = [](const Asked& asked) -> Reply {
    return {.bytes = response(asked.stream, "page " + asked.path)};
  };
  std::string greeting = settings();
  std::size_t count = 1;
  bool is_concurrent = false;
  Duration between = Duration::zero();
  std::string method = "GET";
  std::optional<std::string> body = {};
  http::ClientOptions options = {};
  // Which of concurrent fetches are cancelled, in this order, each after a time.
  struct Cancellation {
    std::size_t which = 0;
    Duration after = Duration::zero();
  };
  std::vector<Cancellation> cancelled = {};
};

struct Outcome {
  std::vector<Fetched> fetched;
  std::vector<Asked> asked;
  std::vector<Frame> frames;
  std::size_t connections = 0;
  std::size_t idle = 0;
};

// Fetches /0, /1, ...
inline async::Task<Outcome> converse(Plan plan) {
  TestServer server(plan.answers, plan.greeting);
  CHECK(server.listen());
  NoNames names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  plan.options.protocols = http::Protocols::http2_prior_knowledge;
  plan.options.keep_request = true;
  http::Client client(connector, nullptr, plan.options);
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run());
  Outcome outcome;
  std::vector<async::JoinHandle<Fetched>> running;
  for (std::size_t i = 0; i < plan.count; ++i) {
    const std::string url =
        "http://127.0.0.1:" + std::to_string(server.port()) + "/" + std::to_string(i);
    http::Request request = {
        .method = plan.method, .url = *url::Url::parse(url), .fields = {}, .body = plan.body};
    if (plan.is_concurrent) {
      running.push_back(scope.spawn(fetch(client, std::move(request))));
    } else {
      outcome.fetched.push_back(co_await fetch(client, std::move(request)));
    }
    if (plan.between > Duration::zero()) static_cast<void>(co_await async::sleep(plan.between));
  }
  for (const Plan::Cancellation& each : plan.cancelled) {
    static_cast<void>(co_await async::sleep(each.after));
    running[each.which].cancel();
  }
  for (auto& each : running) outcome.fetched.push_back(co_await each.wait());
  outcome.idle = client.pool().idle();
  client.close_idle();
  serving.cancel();
  static_cast<void>(co_await scope.join());
  outcome.asked = server.asked;
  outcome.frames = server.frames;
  outcome.connections = server.connections;
  co_return outcome;
}

inline Outcome run(Plan plan) {
  auto world = sim::World::calm();
  Outcome outcome = world.run(converse(std::move(plan)));
  EXPECT_EQ(world.loop().live_tasks(), 0u);
  EXPECT_EQ(world.loop().timers().size(), 0u);
  return outcome;
}

}  // namespace gossamer::http2

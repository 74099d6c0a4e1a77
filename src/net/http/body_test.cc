#include "http/body.h"

#include <gtest/gtest.h>
#include <tests/support/scripted_server.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "async/scope.h"
#include "async/sleep.h"
#include "base/random.h"
#include "http/client.h"
#include "net/connector.h"
#include "net/resolver.h"
#include "site/compression.h"
#include "tests/simulated/world.h"

namespace gossamer::http {
namespace {

class NamelessBodies final : public net::Resolver {
 public:
  async::Task<Result<net::Addresses>> look_up(std::string) override {
    co_return fail(Errc::dns_failed, "there are no names");
  }
};

constexpr std::string_view kGzipField = "Content-Encoding: gzip\r\n";

std::string body_in_one(std::string_view body, std::string_view fields = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         std::string(fields) + "\r\n" + std::string(body);
}

std::string body_in_bytes(std::string_view body, std::string_view fields = "") {
  std::string answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";
  answer.append(fields).append("\r\n");
  for (const char c : body) answer.append("1\r\n").append(1, c).append("\r\n");
  return answer + "0\r\n\r\n";
}

std::string random_text(std::size_t bytes) {
  base::Random random(1);
  std::string text;
  while (text.size() < bytes) text += static_cast<char>('a' + random.next() % 26);
  return text;
}

// BORROWS: both.
async::Task<Result<void>> count_turns(std::size_t& turns, const bool& is_over) {
  while (!is_over) {
    ++turns;
    if (auto yielded = co_await async::yield_now(); !yielded) co_return yielded;
  }
  co_return {};
}

// Counts the turns of other tasks while a body that is already there is read.
async::Task<std::size_t> turns_while_reading(std::string answer, std::string body) {
  ScriptedServer server({{.bytes = std::move(answer)}});
  CHECK(server.listen());
  NamelessBodies names;
  net::Connector connector(names, net::AddressGuard({.allow_private = true}));
  Client client(connector, nullptr, ClientOptions());
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(server.run());
  Request request = {
      .url = *url::Url::parse("http://127.0.0.1:" + std::to_string(server.port()) + "/"),
      .fields = {}};
  std::size_t turns = 0;
  bool is_over = false;
  {
    auto response = co_await client.send(request);
    CHECK(response);
    response->hold();
    CHECK(co_await async::sleep(10s));  // all of it has arrived
    scope.spawn(count_turns(turns, is_over));
    wire::WholeDecoder decoder;
    const WholeBody read = co_await read_whole(*response, decoder);
    is_over = true;
    CHECK(!read.trouble && read.bytes == body);
  }
  client.close_idle();
  scope.cancel();
  static_cast<void>(co_await scope.join());
  co_return turns;
}

std::size_t turns_of(std::string answer, const std::string& body) {
  sim::SimOptions options = sim::calm_options();
  options.network.segment_bytes = {64 * 1024, 64 * 1024};
  options.network.window_bytes = {1024 * 1024, 1024 * 1024};
  sim::World world(options);
  return world.run(turns_while_reading(std::move(answer), body));
}

TEST(BodyReaderTest, OthersHaveTheirTurnBetweenManySmallPieces) {
  const std::string body = random_text(60'000);
  const std::size_t turns = turns_of(body_in_one(body), body);
  const std::size_t more = turns_of(body_in_bytes(body), body);
  EXPECT_GT(more, turns + 10);
  EXPECT_LT(more, turns + 30) << "a turn for each piece would take too long";
}

TEST(BodyReaderTest, OthersHaveTheirTurnBetweenManySmallPiecesOfACodedBody) {
  const std::string body = random_text(60'000);
  const std::string coded = site::gzip(body);
  const std::size_t turns = turns_of(body_in_one(coded, kGzipField), body);
  const std::size_t more = turns_of(body_in_bytes(coded, kGzipField), body);
  EXPECT_GT(more, turns + 5);
  EXPECT_LT(more, turns + 30);
}

}  // namespace
}  // namespace gossamer::http

// Tests responses with wrong framing and unexpected bytes. Bytes after a response must never be
// read as the next one.

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/sleep.h"
#include "tests/end_to_end/http_fetch.h"
#include "tests/end_to_end/http_servers.h"
#include "tests/simulated/world.h"
#include "tests/support/scripted_server.h"

namespace gossamer::http {
namespace {

using async::Task;

std::string answer(std::string_view body, std::string_view fields = "") {
  return "HTTP/1.1 200 OK\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

Task<std::vector<Result<Fetched>>> fetch_with_a_pause(std::vector<Scripted> script,
                                                      std::string method) {
  ScriptedServer server(std::move(script));
  CHECK(server.listen());
  LocalClient local;
  async::Scope scope(async::OnFailure::keep_going);
  auto serving = scope.spawn(server.run());
  const std::string url = "http://127.0.0.1:" + std::to_string(server.port()) + "/";
  std::vector<Result<Fetched>> all;
  for (int i = 0; i < 2; ++i) {
    all.push_back(co_await fetch_in_any_time(local.client, url, {.method = method}));
    CHECK(co_await async::sleep(5s));
  }
  EXPECT_TRUE(local.has_all_back());
  serving.cancel();
  static_cast<void>(co_await scope.join());
  co_return all;
}

// Two fetches in a calm world, with a pause between them in which the server may say more.
std::vector<Result<Fetched>> fetch_two(std::vector<Scripted> script, std::string method = "GET") {
  auto world = sim::World::calm();
  return world.run(fetch_with_a_pause(std::move(script), std::move(method)));
}

struct Lie {
  const char* fields;
  const char* rest;  // behind the empty line; then the server closes
  // What is to be made of it. Nothing: it is refused.
  std::optional<std::string> body;
  bool is_complete = true;
  bool may_be_reused = false;
};

const std::vector<Lie>& lies() {
  static const std::vector<Lie> all = {
      {"Content-Length: 5\r\n", "hello", "hello", true, true},
      {"Content-Length: 5\r\n", "hello, more", "hello"},
      {"Content-Length: 9\r\n", "hello", "hello", false},
      {"Content-Length: 005\r\n", "hello", "hello", true, true},
      {"Content-Length: -5\r\n", "hello", std::nullopt},
      {"Content-Length: +5\r\n", "hello", std::nullopt},
      {"Content-Length: 5.0\r\n", "hello", std::nullopt},
      {"Content-Length: 0x5\r\n", "hello", std::nullopt},
      {"Content-Length: 5 5\r\n", "hello", std::nullopt},
      {"Content-Length: five\r\n", "hello", std::nullopt},
      {"Content-Length: \r\n", "hello", std::nullopt},
      {"Content-Length: 18446744073709551621\r\n", "hello", std::nullopt},
      {"Content-Length: 5\r\nContent-Length: 5\r\n", "hello", "hello", true, true},
      {"Content-Length: 5\r\nContent-Length: 6\r\n", "hello!", std::nullopt},
      {"Content-Length: 6\r\nContent-Length: 5\r\n", "hello!", std::nullopt},
      {"Content-Length: 5, 5\r\n", "hello", "hello", true, true},
      {"Content-Length: 5, 6\r\n", "hello!", std::nullopt},
      {"Content-Length : 5\r\n", "hello", std::nullopt},
      {" Content-Length: 5\r\n", "hello", std::nullopt},
      {"Content-Length: 5\n", "hello", std::nullopt},
      {"Content-Length:\r\n 5\r\n", "hello", std::nullopt},
      {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n", "hello"},
      {"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "5\r\nhello\r\n0\r\n\r\n", "hello"},
      {"Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n", "hello", true, true},
      {"Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\nmore", "hello"},
      {"Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n", "hello", false},
      {"Transfer-Encoding: chunked, chunked\r\n", "5\r\nhello\r\n0\r\n\r\n", std::nullopt},
      {"Transfer-Encoding: xchunked\r\n", "5\r\nhello\r\n0\r\n\r\n", std::nullopt},
      {"Transfer-Encoding: identity\r\nContent-Length: 5\r\n", "hello", "hello", true, true},
      {"Transfer-Encoding: gzip, chunked\r\n", "5\r\nhello\r\n0\r\n\r\n", std::nullopt},
      {"", "hello", "hello"},
  };
  return all;
}

TEST(LyingFramingTest, IsReadInOneWayOrNotAtAll) {
  for (const Lie& lie : lies()) {
    SCOPED_TRACE(std::string(lie.fields) + "|" + lie.rest);
    const std::string bytes = std::string("HTTP/1.1 200 OK\r\n") + lie.fields + "\r\n" + lie.rest;
    const auto two = fetch_two({{.bytes = bytes, .closes = true}, {.bytes = answer("next")}});
    if (!lie.body) {
      EXPECT_FALSE(two[0] && two[0]->is_complete);
      EXPECT_TRUE(two[0] || two[0].error() == Errc::malformed ||
                  two[0].error() == Errc::unsupported)
          << two[0].error().to_string();
    } else if (!two[0]) {
      ADD_FAILURE() << two[0].error().to_string();
    } else {
      EXPECT_EQ(two[0]->body, *lie.body);
      EXPECT_EQ(two[0]->is_complete, lie.is_complete);
      EXPECT_EQ(two[0]->is_whole(), lie.is_complete);
    }
    EXPECT_TRUE(two[1] && two[1]->body == "next" && !two[1]->facts.reused);
  }
}

TEST(LyingFramingTest, CostsTheConnectionUnlessItWasHarmless) {
  for (const Lie& lie : lies()) {
    if (!lie.body || !lie.is_complete || *lie.fields == '\0') continue;
    SCOPED_TRACE(std::string(lie.fields) + "|" + lie.rest);
    const std::string bytes = std::string("HTTP/1.1 200 OK\r\n") + lie.fields + "\r\n" + lie.rest;
    const auto two = fetch_two({{.bytes = bytes}, {.bytes = answer("next")}});
    EXPECT_TRUE(two[1] && two[1]->body == "next");
    EXPECT_TRUE(two[1] && two[1]->facts.reused == lie.may_be_reused);
  }
}

struct Smuggled {
  const char* name;
  std::string extra;
  bool closes = false;
};

std::vector<Smuggled> smuggled_extras() {
  return {
      {"another answer", answer("smuggled")},
      {"another answer, and the end", answer("smuggled"), true},
      {"a farewell",
       "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", true},
      {"an interim answer", "HTTP/1.1 103 Early Hints\r\n\r\n"},
      {"the begin of an answer", "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nField: "},
      {"a blank line", "\r\n"},
      {"nothing but the end", "", true},
  };
}

void expect_next(const std::vector<Result<Fetched>>& two) {
  ASSERT_TRUE(two[0] && two[0]->is_whole() && two[0]->body == "first");
  ASSERT_TRUE(two[1]) << two[1].error().to_string();
  EXPECT_EQ(two[1]->body, "next");
  EXPECT_EQ(two[1]->field("Set-Cookie"), "");
  EXPECT_TRUE(two[1]->is_whole());
}

TEST(SmuggledAnswerTest, IsNotTakenForTheNextIfItComesWithTheFirst) {
  for (const Smuggled& smuggled : smuggled_extras()) {
    SCOPED_TRACE(smuggled.name);
    expect_next(fetch_two({{.bytes = answer("first") + smuggled.extra, .closes = smuggled.closes},
                           {.bytes = answer("next")}}));
  }
}

// It comes a second after the first answer and well before the next request.
TEST(SmuggledAnswerTest, IsNotTakenForTheNextIfItComesWhileTheConnectionIdles) {
  for (const Smuggled& smuggled : smuggled_extras()) {
    SCOPED_TRACE(smuggled.name);
    const std::string first = answer("first");
    expect_next(fetch_two({{.bytes = first + smuggled.extra,
                            .piece = first.size(),
                            .between = 1s,
                            .closes = smuggled.closes},
                           {.bytes = answer("next")}}));
  }
}

// What a request must not be repeated for is not sent on a connection that is known to be dead.
TEST(SmuggledAnswerTest, DoesNotSpoilAPost) {
  for (const Smuggled& smuggled : smuggled_extras()) {
    SCOPED_TRACE(smuggled.name);
    const std::string first = answer("first");
    expect_next(fetch_two({{.bytes = first + smuggled.extra,
                            .piece = first.size(),
                            .between = 1s,
                            .closes = smuggled.closes},
                           {.bytes = answer("next")}},
                          "POST"));
  }
}

std::string deflated(std::string text) {
  std::string out(compressBound(text.size()), '\0');
  uLongf size = out.size();
  EXPECT_EQ(compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                      reinterpret_cast<const Bytef*>(text.data()), text.size(), 1),
            Z_OK);
  out.resize(size);
  return out;
}

// The coding ends before the framing does: both have to.
TEST(LargeCodedBodyTest, IsReadToTheEndOfItsFraming) {
  const std::string text = incompressible_text(1'500'000);
  const std::string coded = deflated(text);
  char size[32];
  std::snprintf(size, sizeof(size), "%zx\r\n", coded.size());
  const std::string whole =
      "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n"
      "Transfer-Encoding: chunked\r\n\r\n" +
      std::string(size) + coded;
  const std::string end = "\r\n0\r\n\r\n";

  const auto two = fetch_two(
      {{.bytes = whole + end, .piece = whole.size(), .between = 1s}, {.bytes = answer("next")}});
  ASSERT_TRUE(two[0]);
  EXPECT_TRUE(two[0]->body == text);
  EXPECT_TRUE(two[0]->is_whole());
  EXPECT_TRUE(two[1] && two[1]->facts.reused);

  const auto cut = fetch_two({{.bytes = whole, .closes = true}, {.bytes = answer("next")}});
  ASSERT_TRUE(cut[0]);
  EXPECT_FALSE(cut[0]->is_complete);
  EXPECT_TRUE(cut[0]->trouble && *cut[0]->trouble == Errc::peer_closed);
}

// Buffers are lent by the loop and few: who waits for something else gives them back.
TEST(LentBufferTest, GoesBackWhenAResponseIsPutAside) {
  auto world = sim::World::calm();
  world.run([](sim::World& all) -> Task<void> {
    const std::string page = answer("0123456789");
    const std::size_t head = page.size() - 10;
    // The head alone, the head and a part of the body, all of it.
    for (const std::size_t piece : {head, head + 5, page.size()}) {
      ScriptedServer server({{.bytes = page, .piece = piece, .between = 1s}});
      CHECK(server.listen());
      LocalClient local;
      async::Scope scope(async::OnFailure::keep_going);
      auto serving = scope.spawn(server.run());
      {
        const Request request =
            make_request("http://127.0.0.1:" + std::to_string(server.port()) + "/", {});
        auto response = co_await local.client.send(request);
        CHECK(response);
        response->hold();
        EXPECT_EQ(all.driver().buffers_lent(), 0u) << "after the head, " << piece;
        std::string body;
        for (;;) {
          auto next = co_await response->next();
          CHECK(next);
          if (next->empty()) break;
          body += as_text(*next);
        }
        EXPECT_EQ(body, "0123456789");
        response->hold();
        EXPECT_EQ(all.driver().buffers_lent(), 0u) << "after the body, " << piece;
      }
      EXPECT_EQ(all.driver().buffers_lent(), 0u);
      serving.cancel();
      static_cast<void>(co_await scope.join());
    }
  }(world));
}

}  // namespace
}  // namespace gossamer::http

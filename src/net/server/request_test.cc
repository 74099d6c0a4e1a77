#include "server/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::server {
namespace {

struct Read {
  int failure = 0;  // 0: none; -1: incomplete
  Request request = {};
  std::size_t taken = 0;
};

Read read(std::string_view text, const RequestLimits& limits = {}, std::size_t piece = 0) {
  RequestParser parser(limits);
  Read result;
  while (result.taken < text.size() && !parser.is_done() && !parser.has_failed()) {
    const std::string_view part = text.substr(result.taken, piece == 0 ? text.size() : piece);
    result.taken += parser.feed(as_bytes(part));
  }
  result.failure = parser.has_failed() ? parser.failure() : parser.is_done() ? 0 : -1;
  if (parser.is_done()) result.request = parser.take();
  return result;
}

constexpr std::string_view kHost = "Host: 127.0.0.1:80\r\n";

std::string get(std::string_view fields) {
  return "GET /a?b=c HTTP/1.1\r\n" + std::string(kHost) + std::string(fields) + "\r\n";
}

TEST(RequestParser, ReadsARequest) {
  const Read result = read(get("X-Y:  z \r\n") + "rest");
  ASSERT_EQ(result.failure, 0);
  EXPECT_EQ(result.request.method, "GET");
  EXPECT_EQ(result.request.path(), "/a");
  EXPECT_EQ(result.request.query(), "b=c");
  EXPECT_EQ(result.request.find("x-y"), "z");
  EXPECT_TRUE(result.request.keeps_alive);
  EXPECT_EQ(result.taken, get("X-Y:  z \r\n").size());
}

TEST(RequestParser, ReadsBodiesByLengthAndInChunks) {
  EXPECT_EQ(read("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcd").request.body, "abc");
  EXPECT_EQ(
      read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")
          .request.body,
      "abc");
}

TEST(RequestParser, RejectsAmbiguousFraming) {
  for (const std::string_view fields :
       {"Content-Length: 1\r\nContent-Length: 1\r\n",
        "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: identity\r\n",
        "Content-Length: +1\r\n", "Content-Length: 1, 1\r\n", "Content-Length: 0x1\r\n",
        "Content-Length:\r\n", "Content-Length : 1\r\n", "A: b\r\n c\r\n", "A: b\nC: d\r\n",
        "A\r\n", ": b\r\n", "A b: c\r\n", "A: b\rc\r\n"}) {
    EXPECT_EQ(read(get(fields)).failure, 400) << fields;
  }
  EXPECT_EQ(read("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n").failure, 400);
  EXPECT_EQ(read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\nab\r\n").failure, 400);
  EXPECT_EQ(read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\n\r\n").failure,
            400);
}

TEST(RequestParser, AcceptsOnlyPathsAsTargets) {
  for (const std::string_view line :
       {"GET http://127.0.0.1/ HTTP/1.1", "GET * HTTP/1.1", "CONNECT a:1 HTTP/1.1",
        "GET  / HTTP/1.1", "GET /a b HTTP/1.1", "GET /# HTTP/1.1", "GET /\x80 HTTP/1.1",
        "GET / http/1.1", "GET /", "G@T / HTTP/1.1", "", " GET / HTTP/1.1", "GET\t/\tHTTP/1.1"}) {
    EXPECT_EQ(read(std::string(line) + "\r\n\r\n").failure, 400) << line;
  }
  EXPECT_EQ(read("GET / HTTP/2.0\r\n\r\n").failure, 505);
  EXPECT_EQ(read("GET / HTTP/1.1\n\n").failure, 400);
}

TEST(RequestParser, HasLimits) {
  const RequestLimits limits;
  const std::string long_line =
      "GET /" + std::string(limits.line_bytes_max, 'a') + " HTTP/1.1\r\n\r\n";
  EXPECT_EQ(read(long_line).failure, 414);
  EXPECT_EQ(read(get("A: " + std::string(limits.line_bytes_max, 'a') + "\r\n")).failure, 431);
  std::string many;
  for (int i = 0; i < 200; ++i) many += "A: b\r\n";
  EXPECT_EQ(read(get(many)).failure, 431);
  std::string large;
  for (int i = 0; i < 5; ++i) large += "A: " + std::string(8000, 'a') + "\r\n";
  EXPECT_EQ(read(get(large)).failure, 431);
  EXPECT_EQ(read("POST / HTTP/1.1\r\nContent-Length: 65537\r\n\r\n").failure, 413);
  EXPECT_EQ(read("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n").failure, 413);
  const std::string chunk = "8000\r\n" + std::string(0x8000, 'a') + "\r\n";
  EXPECT_EQ(
      read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk + chunk).failure,
      413);
}

TEST(RequestParser, ReadsTheSameByteByByte) {
  for (const std::string& text :
       {get("A: b\r\n"), get("A: b\r\n c\r\n"), get("Content-Length: 3\r\n") + "abc",
        get("Transfer-Encoding: chunked\r\n") + "2\r\nab\r\n0\r\n\r\n",
        std::string("GET / HTTP/1.1\n"), "GET /" + std::string(9000, 'a')}) {
    const Read whole = read(text);
    const Read bytewise = read(text, {}, 1);
    EXPECT_EQ(whole.failure, bytewise.failure) << text;
    EXPECT_EQ(whole.request.body, bytewise.request.body);
    EXPECT_EQ(whole.request.fields.size(), bytewise.request.fields.size());
  }
}

TEST(RequestParser, ClosesAsTheClientWishes) {
  EXPECT_FALSE(read(get("Connection: Close\r\n")).request.keeps_alive);
  EXPECT_FALSE(read("GET / HTTP/1.0\r\n\r\n").request.keeps_alive);
}

TEST(Request, DecodesItsParameters) {
  Request request;
  request.target = "/a?q=a%20b+c&x=&q=2&y=%FF&z=%00&n%61me=v";
  EXPECT_EQ(**request.parameter("q"), "a b c");
  EXPECT_EQ(**request.parameter("x"), "");
  EXPECT_FALSE(request.parameter("none")->has_value());
  EXPECT_FALSE(request.parameter("y"));
  EXPECT_FALSE(request.parameter("z"));
  EXPECT_EQ(**request.parameter("name"), "v");
}

}  // namespace
}  // namespace gossamer::server

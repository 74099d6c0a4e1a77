#include "wire/response_parser.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gossamer::wire {
namespace {

using Kind = ResponseParser::Step::Kind;

struct Read {
  ResponseHead head;
  std::string body;
  std::string rest;  // what was left over
  bool is_complete = false;
  bool is_reusable = false;
  std::optional<Errc> error;
};

// Feeds one piece; returns the rest of it when the response has ended.
std::optional<Bytes> feed(ResponseParser& parser, Bytes input, Read& seen) {
  while (true) {
    const auto step = parser.feed(input);
    if (!step) {
      seen.error = step.error().code();
      return Bytes();
    }
    input = input.subspan(step->consumed);
    if (step->kind == Kind::head) seen.head = parser.take_head();
    if (step->kind == Kind::body) seen.body += as_text(step->body);
    if (step->kind == Kind::complete) return input;
    if (step->kind == Kind::need_more) return std::nullopt;
  }
}

// Reads a connection in pieces of this size, each in a block of exactly its size.
Read read_as(RequestKind kind, std::string_view bytes, std::size_t piece_bytes,
             const ResponseLimits& limits) {
  Read seen;
  ResponseParser parser(kind, limits);
  std::optional<Bytes> left;
  for (std::size_t at = 0; at < bytes.size() && !left; at += piece_bytes) {
    const std::string_view part = bytes.substr(at, piece_bytes);
    const auto block = std::make_unique<char[]>(part.size());
    std::ranges::copy(part, block.get());
    left = feed(parser, as_bytes({block.get(), part.size()}), seen);
    if (!left || seen.error) continue;
    seen.rest = as_text(*left);
    seen.rest += bytes.substr(at + part.size());
  }
  seen.is_complete = !seen.error && parser.finish().has_value();
  seen.is_reusable = !seen.error && parser.is_reusable();
  return seen;
}

Read read(std::string_view bytes, std::size_t piece_bytes, const ResponseLimits& limits) {
  return read_as(RequestKind::ordinary, bytes, piece_bytes, limits);
}

// The same for pieces of every small size.
Read read(std::string_view bytes) {
  const ResponseLimits limits;
  Read whole = read(bytes, bytes.size() + 1, limits);
  for (std::size_t piece_bytes = 1; piece_bytes < 5; ++piece_bytes) {
    const Read pieces = read(bytes, piece_bytes, limits);
    EXPECT_EQ(pieces.body, whole.body);
    EXPECT_EQ(pieces.head.raw(), whole.head.raw());
    EXPECT_EQ(pieces.error, whole.error);
    EXPECT_EQ(pieces.is_complete, whole.is_complete);
    EXPECT_EQ(pieces.is_reusable, whole.is_reusable);
    EXPECT_EQ(pieces.rest, whole.rest);
  }
  return whole;
}

TEST(ResponseParserTest, ReadsABodyOfKnownLengthAndLeavesTheRest) {
  const Read seen = read("HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nX: 1\r\nx: 2\r\n\r\nhelloHTTP");
  EXPECT_TRUE(seen.is_complete);
  EXPECT_TRUE(seen.is_reusable);
  EXPECT_EQ(seen.head.status(), 200);
  EXPECT_EQ(seen.head.reason(), "Fine");
  EXPECT_EQ(seen.head.find("content-length"), "5");
  EXPECT_EQ(seen.head.find_all("X"), (std::vector<std::string_view>{"1", "2"}));
  EXPECT_EQ(seen.body, "hello");
  EXPECT_EQ(seen.rest, "HTTP");
}

TEST(ResponseParserTest, KeepsTheHeadAsItCame) {
  constexpr std::string_view kHead = "HTTP/1.0 200 OK\nA:  b \n\tc\n\n";
  const Read seen = read(std::string(kHead) + "body");
  EXPECT_EQ(seen.head.raw(), kHead);
  EXPECT_EQ(seen.head.find("a"), "b c");
  EXPECT_TRUE(seen.head.has_bare_line_ends());
  EXPECT_FALSE(seen.is_reusable);
}

// RFC 9112 section 2.2: a recipient may accept a single LF as the end of a line. Programs behind a
// server write such lines, and the server adds its own.
TEST(ResponseParserTest, ReadsHeadsWhoseLinesEndInDifferentWays) {
  for (const std::string_view head : {"HTTP/1.1 200 OK\r\nA: b\nContent-Length: 5\n\n",
                                      "HTTP/1.1 200 OK\nContent-Length: 5\r\nA: b\n\n",
                                      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nB: c\nA: b\r\n\r\n",
                                      "HTTP/1.1 200 OK\nA: b\r\nContent-Length: 5\r\n\r\n"}) {
    const Read seen = read(std::string(head) + "helloHTTP");
    EXPECT_FALSE(seen.error) << head;
    EXPECT_EQ(seen.head.find("A"), "b") << head;
    EXPECT_EQ(seen.body, "hello") << head;
    EXPECT_FALSE(seen.is_reusable) << head;
  }
}

// A reader that accepts only CRLF sees no length here, or an invalid one.
TEST(ResponseParserTest, RejectsBareLineEndsThatHideTheFraming) {
  for (const std::string_view head :
       {"HTTP/1.1 200 OK\r\nA: b\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\nA: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\nTransfer-Encoding: chunked\r\nB: c\r\n\r\n",
        "HTTP/1.1 200 OK\n\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\r\n\nContent-Length: 5\r\n\r\n"}) {
    EXPECT_EQ(read(std::string(head) + "hello").error, Errc::malformed) << head;
  }
}

TEST(ResponseParserTest, ReadsChunksAndDropsTheirExtensionsAndTrailer) {
  const Read seen = read(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3;a=\"b;\\\"\"\r\nabc\r\nA\r\n0123456789\r\n0\r\nSet-Cookie: x=y\r\n\r\nrest");
  EXPECT_EQ(seen.body, "abc0123456789");
  EXPECT_FALSE(seen.head.find("set-cookie").has_value());
  EXPECT_TRUE(seen.is_reusable);
  EXPECT_EQ(seen.rest, "rest");
}

TEST(ResponseParserTest, SkipsInterimResponsesUpToALimit) {
  const std::string interim = "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n";
  const std::string final = "HTTP/1.1 204 No Content\r\n\r\n";
  EXPECT_EQ(read(interim + interim + final).head.status(), 204);
  std::string flood;
  for (int i = 0; i < 17; ++i) flood += interim;
  EXPECT_EQ(read(flood + final).error, Errc::over_limit);
  EXPECT_EQ(read("HTTP/1.1 101 Switching\r\n\r\n").error, Errc::unsupported);
}

TEST(ResponseParserTest, KnowsWhichAnswersHaveNoBody) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n";
  const Read of_head = read_as(RequestKind::head, head, 1000, {});
  EXPECT_TRUE(of_head.is_complete);
  EXPECT_TRUE(of_head.is_reusable);
  const Read tunnel = read_as(RequestKind::connect, "HTTP/1.1 200 OK\r\n\r\n\x16\x03", 1000, {});
  EXPECT_TRUE(tunnel.is_complete);
  EXPECT_EQ(tunnel.rest, "\x16\x03");
  EXPECT_FALSE(tunnel.is_reusable);
}

TEST(ResponseParserTest, DistinguishesACompleteBodyFromATruncatedOne) {
  EXPECT_TRUE(read("HTTP/1.1 200 OK\r\n\r\nuntil the end").is_complete);
  EXPECT_FALSE(read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort").is_complete);
  EXPECT_FALSE(
      read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n").is_complete);
  EXPECT_FALSE(read("HTTP/1.1 200 O").is_complete);

  const ResponseLimits limits;
  ResponseParser parser(RequestKind::ordinary, limits);
  EXPECT_FALSE(parser.has_begun());
  EXPECT_EQ(parser.finish().error(), Errc::peer_closed);
}

TEST(ResponseParserTest, RejectsContradictionsAboutTheLength) {
  for (const char* fields : {
           "Content-Length: 5\r\nContent-Length: 6",
           "Content-Length: 5, 6",
           "Content-Length: -1",
           "Content-Length: +5",
           "Content-Length: 0x5",
           "Content-Length: ",
           "Content-Length: 5 5",
           "Content-Length: 99999999999999999999",
           "Transfer-Encoding: gzip, chunked",
           "Transfer-Encoding: chunked, chunked",
           "Transfer-Encoding: chunked\r\n identity",
           "Content-Length: 5\r\n 6",
           "Content-Length : 5",
           "Transfer-Encoding: ",
       }) {
    const Read seen = read("HTTP/1.1 200 OK\r\n" + std::string(fields) + "\r\n\r\nhello");
    EXPECT_TRUE(seen.error.has_value()) << fields;
  }
}

TEST(ResponseParserTest, LetsChunkedOverrideALengthButDoesNotTrustTheConnection) {
  const Read seen = read(
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5\r\nhello\r\n0\r\n\r\n");
  EXPECT_EQ(seen.body, "hello");
  EXPECT_TRUE(seen.is_complete);
  EXPECT_FALSE(seen.is_reusable);
}

TEST(ResponseParserTest, RejectsLineEndsOfTwoKindsInOneHead) {
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nA: b\nContent-Length: 0\r\n\r\n").error, Errc::malformed);
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nA: b\rB: c\r\n\r\n").error, Errc::malformed);
  EXPECT_EQ(read("HTTP/1.1 200 OK\nA: b\r\n\n").error, Errc::malformed);
}

TEST(ResponseParserTest, FailsImmediatelyIfItIsNotHttp) {
  EXPECT_EQ(read("SSH-2.0-x").error, Errc::malformed);
  EXPECT_EQ(read("\x15\x03").error, Errc::malformed);
}

TEST(ResponseParserTest, HoldsTheLimits) {
  const std::string head = "HTTP/1.1 200 OK\r\n";
  const ResponseLimits limits = {.head_bytes_max = 200, .line_bytes_max = 50, .fields_max = 4};
  for (const std::size_t piece_bytes : {1, 1000}) {
    EXPECT_EQ(read(head + std::string(60, 'a'), piece_bytes, limits).error, Errc::over_limit);
    EXPECT_EQ(read(head + "a:\r\na:\r\na:\r\na:\r\na:\r\n\r\n", piece_bytes, limits).error,
              Errc::over_limit);
    const std::string long_line = "a: " + std::string(40, 'x') + "\r\n";
    EXPECT_EQ(read(head + long_line + long_line + long_line + long_line + long_line, piece_bytes,
                   {.head_bytes_max = 200, .line_bytes_max = 50})
                  .error,
              Errc::over_limit);
  }
  const std::string chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(read(chunked + "0\r\n" + std::string(5000, 'x')).error, Errc::over_limit);
  EXPECT_EQ(read(chunked + "1;" + std::string(5000, 'x')).error, Errc::over_limit);
}

TEST(ResponseParserTest, DecidesWhetherTheConnectionStays) {
  const auto is_kept = [](std::string_view version, std::string_view fields) {
    return read(std::string(version) + " 200 OK\r\nContent-Length: 0\r\n" + std::string(fields) +
                "\r\n")
        .is_reusable;
  };
  EXPECT_TRUE(is_kept("HTTP/1.1", ""));
  EXPECT_FALSE(is_kept("HTTP/1.1", "Connection: close\r\n"));
  EXPECT_FALSE(is_kept("HTTP/1.1", "Connection: x, CLOSE\r\n"));
  EXPECT_FALSE(is_kept("HTTP/1.0", ""));
  EXPECT_TRUE(is_kept("HTTP/1.0", "Connection: Keep-Alive\r\n"));
}

TEST(ResponseHeadTest, FindsOneLocationOrRejectsSeveral) {
  const auto head = [](std::string_view fields) {
    return *ResponseHead::parse("HTTP/1.1 302 Found\r\n" + std::string(fields) + "\r\n", 10);
  };
  const ResponseHead one = head("Location: /a\r\nLocation: /a\r\n");
  EXPECT_EQ(**location(one), "/a");
  EXPECT_FALSE((*location(head(""))).has_value());
  EXPECT_EQ(location(head("Location: /a\r\nLocation: /b\r\n")).error(), Errc::malformed);
}

}  // namespace
}  // namespace gossamer::wire

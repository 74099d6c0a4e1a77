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
  std::string detail;
};

// Feeds one piece; returns the rest of it when the response has ended.
std::optional<Bytes> feed(ResponseParser& parser, Bytes input, Read& seen) {
  while (true) {
    const auto step = parser.feed(input);
    if (!step) {
      seen.error = step.error().code();
      seen.detail = step.error().detail();
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
    const Read seen = read(std::string(head) + "hello");
    EXPECT_EQ(seen.error, Errc::malformed) << head;
    EXPECT_TRUE(seen.detail.contains("(LF and CRLF), so programs disagree on where"))
        << seen.detail;
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

  // The message says where it ended.
  const auto detail = [&](std::string_view bytes) {
    ResponseParser cut(RequestKind::ordinary, limits);
    Read seen;
    feed(cut, as_bytes(bytes), seen);
    return std::string(cut.finish().error().detail());
  };
  EXPECT_NE(detail("HTTP/1.1 200 O"), detail("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"));
  EXPECT_TRUE(detail("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort").contains("4 bytes"));
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
  EXPECT_EQ(read(chunked + "0\r\n" + std::string(5000, 'x')).error, Errc::malformed);
  EXPECT_EQ(read(chunked + "1;" + std::string(5000, 'x')).error, Errc::malformed);
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

// RFC 9112 section 7.1: chunk-size = 1*HEXDIG, and every line of the framing ends with CRLF.
TEST(ResponseParserTest, RejectsChunksThatAreNotFramedAsTheStandardSays) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char* const body : {
           "\r\nabc",                                // no size
           ";a=b\r\nabc",                            // no size but an extension
           "g\r\nabc",                               // not a digit
           "-3\r\nabc\r\n0\r\n\r\n",                 // a sign
           "00000000000000003\r\nabc\r\n0\r\n\r\n",  // 17 digits
           "FFFFFFFFFFFFFFFF\r\nabc",                // larger than any body
           "4000000000000001\r\nabc",                // one byte larger than any body
           "3\nabc\r\n0\r\n\r\n",                    // a bare LF after the size
           "3\r\nabc\n0\r\n\r\n",                    // a bare LF after the data
           "3\r\nabc\rX",                            // a CR without LF after the data
           "3\r\nabcd\r\n0\r\n\r\n",                 // data longer than the size
           "3 x\r\nabc\r\n0\r\n\r\n",                // text after the size
           "3;\r\nabc\r\n0\r\n\r\n",                 // an extension without a name
           "3;a=\r\nabc\r\n0\r\n\r\n",               // an extension without a value
           "3;a=\"b\r\nabc\r\n0\r\n\r\n",            // a quotation without end
           "3;a=\"b\\\"\r\nabc\r\n0\r\n\r\n",        // the same after an escaped mark
           "3;a\x01\r\nabc\r\n0\r\n\r\n",            // a control character
           "0\r\nno colon\r\n\r\n",                  // a trailer line without a colon
           "0\r\nbad name: x\r\n\r\n",               // a trailer field with an invalid name
           "0\r\n: x\r\n\r\n",                       // a trailer field without a name
           "0\r\nname: \x01\r\n\r\n",                // a control character in a trailer field
       }) {
    const Read seen = read(head + body);
    EXPECT_EQ(seen.error, Errc::malformed) << body;
    EXPECT_FALSE(seen.is_complete) << body;
  }
}

TEST(ResponseParserTest, ReadsEveryChunkSizeAndExtensionThatTheStandardAllows) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char* const size : {"3", "03", "0000000000000003", "3 ; a", "3;a;b", "3;a = b ;c",
                                 "3;a=\"\"", "3\t;\ta\t=\t\"x\\\"y\";b=c"}) {
    const Read seen = read(head + size + "\r\nabc\r\n0\r\n\r\nrest");
    EXPECT_EQ(seen.error, std::nullopt) << size;
    EXPECT_EQ(seen.body, "abc") << size;
    EXPECT_EQ(seen.rest, "rest") << size;
    EXPECT_TRUE(seen.is_reusable) << size;
  }
}

// A reader that accepts only CRLF would look for the end of the trailer elsewhere.
TEST(ResponseParserTest, EndsTheConnectionAfterABareLineEndInATrailer) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const char* const end : {"0\r\nA: b\n\r\n", "0\r\nA: b\r\n\n", "0\r\n\n"}) {
    const Read seen = read(head + "3\r\nabc\r\n" + end);
    EXPECT_TRUE(seen.is_complete) << end;
    EXPECT_FALSE(seen.is_reusable) << end;
  }
}

TEST(ResponseParserTest, ReadsAsMuchAsEachLimitAllowsAndNoMore) {
  const ResponseLimits limits = {.head_bytes_max = 60,
                                 .line_bytes_max = 30,
                                 .fields_max = 3,
                                 .interim_max = 2,
                                 .chunked = {.line_bytes_max = 10, .trailer_bytes_max = 12}};
  const std::string line = "HTTP/1.1 200 OK\r\n";
  const std::string interim = "HTTP/1.1 100 Go\r\n\r\n";
  const std::string chunked = line + "Transfer-Encoding: chunked\r\n\r\n";
  const auto filled = [](std::size_t bytes) {
    return "a: " + std::string(bytes - 5, 'x') + "\r\n";
  };
  struct Example {
    std::string allowed;
    std::string too_much;
  };
  const Example examples[] = {
      {line + filled(30) + "\r\n", line + filled(31) + "\r\n"},
      {line + filled(30) + filled(11) + "\r\n", line + filled(30) + filled(12) + "\r\n"},
      {line + "a:\r\na:\r\na:\r\n\r\n", line + "a:\r\na:\r\na:\r\na:\r\n\r\n"},
      {line + "a:\r\n b\r\n b\r\n\r\n", line + "a:\r\n b\r\n b\r\n b\r\n\r\n"},
      {interim + interim + line + "\r\n", interim + interim + interim + line + "\r\n"},
      {"\r\n\r\n" + line + "\r\n", "\r\n\r\n\r\n" + line + "\r\n"},
      {chunked + "1;abcdef\r\nx\r\n0\r\n\r\n", chunked + "1;abcdefg\r\nx\r\n0\r\n\r\n"},
      {chunked + "0\r\na: b\r\nc:\r\n\r\n", chunked + "0\r\na: b\r\nc: \r\n\r\n"},
  };
  for (const Example& example : examples) {
    // Over a limit of ours, a body is cut; its framing is not.
    const bool is_framing = example.allowed.starts_with(chunked);
    for (const std::size_t piece_bytes : {1, 7, 1000}) {
      const Read seen = read(example.allowed, piece_bytes, limits);
      EXPECT_EQ(seen.error, std::nullopt) << example.allowed;
      EXPECT_TRUE(seen.is_complete) << example.allowed;
      EXPECT_EQ(read(example.too_much, piece_bytes, limits).error,
                is_framing ? Errc::malformed : Errc::over_limit)
          << example.too_much;
    }
  }
}

TEST(ResponseParserTest, ReadsLengthsUpToTheLargestSignedNumber) {
  const auto error_of = [](std::string_view length) {
    return read("HTTP/1.1 200 OK\r\nContent-Length: " + std::string(length) + "\r\n\r\n").error;
  };
  EXPECT_EQ(error_of("9223372036854775807"), std::nullopt);
  EXPECT_EQ(error_of("9223372036854775808"), Errc::malformed);
  EXPECT_EQ(error_of("18446744073709551615"), Errc::malformed);
  EXPECT_EQ(error_of("5x"), Errc::malformed);
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello").body, "hello");
  EXPECT_EQ(error_of("5, 05"), Errc::malformed) << "two programs wrote it";
}

TEST(ResponseParserTest, DoesNotTrustAConnectionThatMixesVersionsOrProxies) {
  const std::string chunks = "3\r\nabc\r\n0\r\n\r\n";
  const Read old = read(
      "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);
  EXPECT_EQ(old.body, "abc");
  EXPECT_FALSE(old.is_reusable) << "HTTP/1.0 has no chunks";
  const Read proxied =
      read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nProxy-Connection: close\r\n\r\n");
  EXPECT_TRUE(proxied.is_complete);
  EXPECT_FALSE(proxied.is_reusable);
  EXPECT_FALSE(read("HTTP/1.1 200 OK\r\n\r\nx").is_reusable) << "the end of the connection ends it";
}

TEST(ResponseParserTest, ReadsIdentityAsNoCoding) {
  const Read seen =
      read("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nabc");
  EXPECT_EQ(seen.body, "ab");
  EXPECT_EQ(seen.rest, "c");
  const Read chunked = read("HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n");
  EXPECT_TRUE(chunked.is_reusable);
}

TEST(ResponseParserTest, GivesNoBodyToStatusesThatHaveNone) {
  for (const char* const status : {"204 No Content", "304 Not Modified"}) {
    const Read seen =
        read("HTTP/1.1 " + std::string(status) + "\r\nContent-Length: 5\r\n\r\nHTTP/");
    EXPECT_TRUE(seen.is_complete) << status;
    EXPECT_TRUE(seen.is_reusable) << status;
    EXPECT_EQ(seen.body, "") << status;
    EXPECT_EQ(seen.rest, "HTTP/") << status;
  }
  const Read refused =
      read_as(RequestKind::connect, "HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno", 1000, {});
  EXPECT_EQ(refused.body, "no") << "only a successful CONNECT has no body";
  EXPECT_TRUE(refused.is_reusable);
}

// RFC 9112 section 4: status-line = HTTP-version SP status-code SP [ reason-phrase ]
TEST(ResponseParserTest, RejectsStatusLinesAndFieldsThatAreMalformed) {
  for (const char* const head :
       {"HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.2 200 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n",
        "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n",
        "HTTP/1.1 x00 OK\r\n\r\n", "HTTP/1.1 20x OK\r\n\r\n", "HTTP/1.1 200 O\x01K\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\na b: x\r\n\r\n", "HTTP/1.1 200 OK\r\na: \x01\r\n\r\n",
        "HTTP/1.1 200 OK\r\na: b\r\n \x01\r\n\r\n", "HTTP/1.1 200 OK\r\n a: b\r\n\r\n",
        "\rHTTP/1.1 200 OK\r\n\r\n"}) {
    EXPECT_EQ(read(head).error, Errc::malformed) << head;
  }
  EXPECT_EQ(read("HTTP/1.1 299\r\n\r\n").head.status(), 299) << "the phrase may be missing";
  EXPECT_EQ(read("HTTP/1.1 200 \r\n\r\n").head.reason(), "");
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nA: b\tc\xFF\r\n\r\n").head.find("a"), "b\tc\xFF");
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nA:\r\n b\r\n \r\n c\r\n\r\n").head.find("a"), "b c");
}

TEST(ResponseHeadTest, IsWholeWithItsEmptyLineAndNothingAfterIt) {
  EXPECT_TRUE(ResponseHead::parse("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", 1).has_value());
  EXPECT_EQ(ResponseHead::parse("HTTP/1.1 200 OK\r\nA: b\r\n", 1).error(), Errc::malformed);
  EXPECT_EQ(ResponseHead::parse("HTTP/1.1 200 OK\r\n\r\nx", 1).error(), Errc::malformed);
  EXPECT_EQ(ResponseHead::parse("HTTP/1.1 200 OK\r\nA: b\r\nA: b\r\n\r\n", 1).error(),
            Errc::over_limit);
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

TEST(ResponseParserTest, HasBegunWithTheFirstByte) {
  const ResponseLimits limits;
  ResponseParser parser(RequestKind::ordinary, limits);
  EXPECT_TRUE(parser.feed({}));
  EXPECT_FALSE(parser.has_begun());
  EXPECT_TRUE(parser.feed(as_bytes("H")));
  EXPECT_TRUE(parser.has_begun());
}

}  // namespace
}  // namespace gossamer::wire

#include "warc/http_block.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "warc/payload_reader.h"
#include "warc/record_writer.h"
#include "warc/verifier.h"

namespace gossamer::warc {
namespace {

class Text final : public PayloadSink {
 public:
  void put(Bytes piece) override { text += as_text(piece); }
  std::string text;
};

RecordHead response_head(std::size_t block_bytes) {
  RecordHead head = {.type = RecordType::response, .block_bytes = block_bytes};
  head.fields.append("WARC-Target-URI", "http://h/");
  return head;
}

std::string payload_of(std::string_view block, std::size_t piece, wire::DecodeEnd* end = nullptr) {
  Text text;
  PayloadReader reader(response_head(block.size()), {}, text);
  for (std::size_t at = 0; at < block.size(); at += piece) {
    reader.feed(as_bytes(block.substr(at, piece)));
  }
  const auto how = reader.finish();
  if (end != nullptr) *end = how;
  return text.text;
}

std::string as_member(std::string_view text) {
  std::string out;
  MemberWriter member;
  member.write(as_bytes(text), out);
  member.finish(out);
  return out;
}

TEST(HttpHead, IsReadAsAnyServerWritesIt) {
  const HttpHead head = parse_http_head(
      "HTTP/1.0 404 file does not exist\nServer : x\nbroken line\nContent-Type: text/html "
      "charset=x\n\n");
  EXPECT_EQ(head.start_line, "HTTP/1.0 404 file does not exist");
  EXPECT_EQ(head.status(), 404);
  EXPECT_EQ(head.content_type(), "text/html");
  EXPECT_EQ(head.fields.size(), 2U);
  EXPECT_EQ(parse_http_head("GET / HTTP/1.1\r\n\r\n").status(), std::nullopt);
  EXPECT_EQ(parse_http_head("HTTP/1.1\r\n\r\n").status(), std::nullopt);
  EXPECT_EQ(parse_http_head("HTTP/1.1 2000 OK\r\n\r\n").status(), std::nullopt);
  EXPECT_EQ(parse_http_head("").start_line, "");
}

TEST(HttpHead, KnowsWhatIsAlreadyCompressed) {
  const auto is_packed = [](const std::string& fields) {
    return parse_http_head("HTTP/1.1 200 OK\r\n" + fields + "\r\n").is_packed();
  };
  EXPECT_FALSE(is_packed("Content-Type: text/html\r\n"));
  EXPECT_FALSE(is_packed("Content-Type: image/svg+xml\r\nContent-Encoding: identity\r\n"));
  EXPECT_TRUE(is_packed("Content-Type: text/html\r\nContent-Encoding: gzip\r\n"));
  EXPECT_TRUE(is_packed("Content-Encoding:  br \r\n"));
  EXPECT_TRUE(is_packed("Content-Type: Image/JPEG; q=1\r\n"));
}

TEST(HttpBlock, IsTakenApartHoweverItIsCut) {
  const std::string block = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n\r\nbody\n\n";
  for (std::size_t piece = 1; piece <= block.size(); ++piece) {
    EXPECT_EQ(payload_of(block, piece), "\r\nbody\n\n") << piece;
  }
}

TEST(HttpBlock, IsAllHeadOrAllBodyIfTheHeadNeverEnds) {
  HttpBlock shorter;
  EXPECT_TRUE(shorter.feed(as_bytes("HTTP/1.1 200 OK\r\nA: b")).empty());
  shorter.finish();
  EXPECT_EQ(shorter.head()->fields.find("A"), "b");
  HttpBlock longer(10);
  EXPECT_TRUE(longer.feed(as_bytes("12345")).empty());
  EXPECT_EQ(as_text(longer.feed(as_bytes("67890abc"))), "1234567890abc");
  EXPECT_EQ(as_text(longer.feed(as_bytes("d"))), "d");
  EXPECT_FALSE(longer.head().has_value());
}

TEST(PayloadReader, UndoesChunksAndCodings) {
  const std::string packed = as_member("the text");
  const std::string block =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: "
      "gzip\r\n\r\n" +
      fmt::format("{:x}\r\n", packed.size()) + packed + "\r\n0\r\n\r\n";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, block.size()}) {
    EXPECT_EQ(payload_of(block, piece), "the text");
  }
}

TEST(PayloadReader, PassesWhatIsNotCodedAsItSays) {
  const std::string_view head =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n";
  for (const std::size_t piece : {1, 7, 1000}) {
    EXPECT_EQ(payload_of(std::string(head) + "<p>plain text", piece), "<p>plain text");
    EXPECT_EQ(payload_of(std::string(head), piece), "");
  }
}

TEST(PayloadReader, ReportsADamagedCoding) {
  for (const std::size_t piece : {1, 7, 1000}) {
    wire::DecodeEnd end = wire::DecodeEnd::complete;
    const std::string damaged = std::string("\x1f\x8b\x08") + std::string(7, '\0') + "not deflate";
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    EXPECT_EQ(payload_of(head + damaged, piece, &end), "");
    EXPECT_EQ(end, wire::DecodeEnd::damaged) << piece;
  }
}

TEST(PayloadReader, ReportsATruncatedCoding) {
  const std::string packed = as_member(std::string(100'000, 'a') + "b");
  wire::DecodeEnd end = wire::DecodeEnd::complete;
  payload_of(
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + packed.substr(0, packed.size() - 9),
      1000, &end);
  EXPECT_EQ(end, wire::DecodeEnd::cut);
}

TEST(PayloadReader, HoldsNothingThatComesBehindTheLastChunk) {
  const std::string_view head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string behind(1'000'000, 'x');
  Text text;
  PayloadReader reader(response_head(head.size()), {}, text);
  reader.feed(as_bytes(std::string(head) + "0\r\n\r\n"));
  for (int i = 0; i < 10; ++i) {
    reader.feed(as_bytes(behind));
    EXPECT_EQ(reader.held_bytes(), 0U);
  }
  EXPECT_EQ(reader.finish(), wire::DecodeEnd::complete);
  EXPECT_EQ(text.text, "");
}

TEST(PayloadReader, HoldsNothingOnceItIsKnownThatTheBodyIsChunked) {
  const std::string block =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n";
  Text text;
  PayloadReader reader(response_head(block.size()), {}, text);
  std::size_t held_most = 0;
  for (const char& c : block) {
    reader.feed(as_bytes(std::string_view(&c, 1)));
    held_most = std::max(held_most, reader.held_bytes());
    if (!text.text.empty()) EXPECT_EQ(reader.held_bytes(), 0U);
  }
  EXPECT_EQ(held_most, 3U) << "the line before the data";
  EXPECT_EQ(text.text, "x");
}

TEST(PayloadReader, HoldsOneLineOfChunksAtMost) {
  const std::string_view head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string_view start : {"0", "0\r\nA: "}) {
    const std::string block = std::string(head) + std::string(start) + std::string(100'000, '0');
    Text text;
    PayloadReader reader(response_head(block.size()), {}, text);
    for (const char& c : block) {
      reader.feed(as_bytes(std::string_view(&c, 1)));
      ASSERT_LE(reader.held_bytes(), 10'000U);
    }
    reader.finish();
    EXPECT_EQ(text.text, block.substr(head.size())) << "it was not chunked";
  }
}

TEST(PayloadReader, ReportsInvalidOrTruncatedChunks) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}}) {
    wire::DecodeEnd end = wire::DecodeEnd::complete;
    EXPECT_EQ(payload_of(head + "\r\nZZ\r\nlost", piece, &end), "hello");
    EXPECT_EQ(end, wire::DecodeEnd::damaged);
    EXPECT_EQ(payload_of(head + "\r\n", piece, &end), "hello");
    EXPECT_EQ(end, wire::DecodeEnd::cut);
    EXPECT_EQ(payload_of(head + "\r\n0\r\n\r\n", piece, &end), "hello");
    EXPECT_EQ(end, wire::DecodeEnd::complete);
  }
}

Verifier verify(std::string_view digests, std::string_view block, bool is_whole = true) {
  RecordHead head = response_head(block.size());
  while (!digests.empty()) {
    const std::size_t end = std::min(digests.find('\n'), digests.size());
    head.fields.append_line(digests.substr(0, end));
    digests.remove_prefix(std::min(end + 1, digests.size()));
  }
  Verifier verifier(head);
  for (const char& c : block) verifier.feed(as_bytes(std::string_view(&c, 1)));
  verifier.finish(is_whole);
  return verifier;
}

TEST(Verifier, KnowsThePayloadWithChunksAndWithout) {
  const std::string_view block =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
  const std::string without = digest_of(DigestAlgorithm::sha1, as_bytes("hello")).to_string();
  const std::string with =
      digest_of(DigestAlgorithm::md5, as_bytes("5\r\nhello\r\n0\r\n\r\n")).to_string();
  EXPECT_EQ(verify("WARC-Payload-Digest: " + without, block).payload(), DigestVerdict::right);
  EXPECT_EQ(verify("WARC-Payload-Digest: " + with, block).payload(), DigestVerdict::right);
  EXPECT_EQ(verify("WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", block).payload(),
            DigestVerdict::wrong);
}

TEST(Verifier, SaysNothingOfWhatItCannotKnow) {
  const std::string_view block = "HTTP/1.1 200 OK\r\n\r\nhello";
  EXPECT_FALSE(verify("", block).is_declared());
  EXPECT_TRUE(verify("", block).is_good());
  EXPECT_EQ(verify("WARC-Block-Digest: sha9:AAAA", block).block(), DigestVerdict::unreadable);
  EXPECT_FALSE(verify("WARC-Block-Digest: sha9:AAAA", block).is_good());
  const std::string_view wrong = "WARC-Block-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
  EXPECT_EQ(verify(wrong, block).block(), DigestVerdict::wrong);
  EXPECT_EQ(verify(wrong, block, /*is_whole=*/false).block(), DigestVerdict::absent);
  EXPECT_TRUE(
      verify("WARC-Block-Digest: x\nWARC-Payload-Digest: x", block, /*is_whole=*/false).is_good());
  EXPECT_EQ(verify("WARC-Segment-Number: 1\nWARC-Payload-Digest: sha1:x", block).payload(),
            DigestVerdict::absent);
}

TEST(HttpHead, HasAStatusOfThreeDigits) {
  const auto status = [](const std::string& line) {
    return parse_http_head(line + "\r\n\r\n").status();
  };
  EXPECT_EQ(status("HTTP/1.1 200"), 200);
  EXPECT_EQ(status("http/1.0   301\tMoved"), 301);
  EXPECT_EQ(status("HTTP/1.1 999 x"), 999);
  EXPECT_EQ(status("HTTP/1.1 000 x"), 0);
  for (const char* const line :
       {"HTTP/1.1 20 OK", "HTTP/1.1 20x OK", "HTTP/1.1 2/0", "HTTP/1.1 2:0", "HTTP/1.1 -20",
        "HTTP/1.1 ", "HTTP 200 OK", "HTT 200", "200 OK"}) {
    EXPECT_EQ(status(line), std::nullopt) << line;
  }
}

TEST(HttpHead, IsChunkedIfTheFieldSaysSo) {
  const auto is_chunked = [](const std::string& value) {
    return parse_http_head("HTTP/1.1 200 OK\r\nTransfer-Encoding:" + value + "\r\n\r\n")
        .is_chunked();
  };
  EXPECT_TRUE(is_chunked("Chunked"));
  EXPECT_TRUE(is_chunked(" chunked \t"));
  EXPECT_FALSE(is_chunked("identity"));
  EXPECT_FALSE(is_chunked(""));
  EXPECT_FALSE(parse_http_head("HTTP/1.1 200 OK\r\n\r\n").is_chunked());
}

TEST(HttpBlock, HoldsAHeadOfExactlyTheLimit) {
  HttpBlock block(10);
  EXPECT_TRUE(block.feed(as_bytes("HTTP/1.1 2")).empty()) << "ten bytes";
  block.finish();
  EXPECT_TRUE(block.head().has_value());
  HttpBlock longer(10);
  EXPECT_EQ(as_text(longer.feed(as_bytes("HTTP/1.1 20"))), "HTTP/1.1 20");
  longer.finish();
  EXPECT_FALSE(longer.head().has_value());
  HttpBlock nothing;
  nothing.finish();
  EXPECT_FALSE(nothing.head().has_value());
}

TEST(HttpBlock, EndsItsHeadAtTheFirstEmptyLine) {
  for (const std::string_view head : {"A\n\n", "A\r\n\r\n", "A\n\r\n", "A\r\n\n", "\n", "\r\n"}) {
    for (const std::size_t piece : {1U, 2U, 100U}) {
      EXPECT_EQ(payload_of(std::string(head) + "\n\nbody", piece), "\n\nbody") << head;
    }
  }
  EXPECT_EQ(payload_of("A\n\rB\n\nbody", 100), "body") << "a carriage return is not a line end";
}

TEST(PayloadReader, DecodesOnlyWhatItIsToldAndKnows) {
  const std::string packed = as_member("the text");
  const auto read = [](std::string_view fields, const std::string& body, bool decode_content) {
    const std::string block = "HTTP/1.1 200 OK\r\n" + std::string(fields) + "\r\n" + body;
    Text text;
    PayloadReader reader(response_head(block.size()), {.decode_content = decode_content}, text);
    reader.feed(as_bytes(block));
    EXPECT_EQ(reader.finish(), wire::DecodeEnd::complete);
    return text.text;
  };
  EXPECT_EQ(read("Content-Encoding: gzip\r\n", packed, true), "the text");
  EXPECT_EQ(read("Content-Encoding: gzip\r\n", packed, false), packed);
  EXPECT_EQ(read("Content-Encoding: unheard-of\r\n", packed, true), packed);
  EXPECT_EQ(read("Content-Encoding: identity\r\n", packed, true), packed);
  EXPECT_EQ(read("", packed, true), packed);
}

TEST(PayloadReader, KnowsAHeadWithoutAnEnd) {
  Text text;
  PayloadReader reader(response_head(20), {}, text);
  reader.feed(as_bytes("HTTP/1.1 204 Done"));
  EXPECT_EQ(reader.finish(), wire::DecodeEnd::complete);
  ASSERT_TRUE(reader.http().has_value());
  EXPECT_EQ(reader.http()->status(), 204);
  EXPECT_EQ(text.text, "");
}

TEST(PayloadReader, PassesTheBlockOfAnotherRecordAsItIs) {
  RecordHead head = {.type = RecordType::resource, .block_bytes = 20};
  Text text;
  PayloadReader reader(head, {}, text);
  reader.feed(as_bytes("HTTP/1.1 200 OK\n\nx"));
  EXPECT_EQ(reader.finish(), wire::DecodeEnd::complete);
  EXPECT_EQ(text.text, "HTTP/1.1 200 OK\n\nx");
  EXPECT_FALSE(reader.http().has_value());
}

TEST(PayloadReader, PassesMuchDataThatIsNotCodedAsItSays) {
  const std::string body = "<p>" + std::string(200'000, 'x');
  const std::string block = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + body;
  for (const std::size_t piece : {std::size_t{1000}, block.size()}) {
    wire::DecodeEnd end = wire::DecodeEnd::cut;
    EXPECT_EQ(payload_of(block, piece, &end), body);
    EXPECT_EQ(end, wire::DecodeEnd::complete);
  }
}

TEST(PayloadReader, DecodesMoreThanFitsIntoOnePiece) {
  const std::string text(64 * 1024 * 3, 't');
  for (const std::size_t more : {0U, 1U}) {
    const std::string body = text + std::string(more, 'u');
    const std::string block = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + as_member(body);
    wire::DecodeEnd end = wire::DecodeEnd::cut;
    EXPECT_EQ(payload_of(block, block.size(), &end), body);
    EXPECT_EQ(end, wire::DecodeEnd::complete);
  }
}

TEST(Verifier, ComparesWhatIsDeclared) {
  const std::string_view block = "HTTP/1.1 200 OK\r\n\r\nhello";
  const std::string whole = digest_of(DigestAlgorithm::sha256, as_bytes(block)).to_string();
  const std::string body = digest_of(DigestAlgorithm::sha1, as_bytes("hello")).to_string();
  const Verifier only_block = verify("WARC-Block-Digest: " + whole, block);
  EXPECT_EQ(only_block.block(), DigestVerdict::right);
  EXPECT_EQ(only_block.payload(), DigestVerdict::absent);
  EXPECT_TRUE(only_block.is_declared() && only_block.is_good());
  const Verifier only_payload = verify("WARC-Payload-Digest: " + body, block);
  EXPECT_EQ(only_payload.block(), DigestVerdict::absent);
  EXPECT_EQ(only_payload.payload(), DigestVerdict::right);
  EXPECT_TRUE(only_payload.is_declared() && only_payload.is_good());
  const Verifier wrong =
      verify("WARC-Block-Digest: " + whole + "\nWARC-Payload-Digest: " + whole, block);
  EXPECT_EQ(wrong.block(), DigestVerdict::right);
  EXPECT_EQ(wrong.payload(), DigestVerdict::wrong);
  EXPECT_FALSE(wrong.is_good());
  EXPECT_EQ(verify("WARC-Payload-Digest: x", block).payload(), DigestVerdict::unreadable);
  EXPECT_FALSE(verify("WARC-Payload-Digest: x", block).is_good());
  EXPECT_FALSE(verify("WARC-Payload-Digest:\nWARC-Block-Digest:", block).is_declared());
  EXPECT_EQ(wrong.body_bytes(), 5U);
}

TEST(Verifier, ComparesNoPayloadThatIsElsewhere) {
  for (const auto type : {RecordType::revisit, RecordType::continuation, RecordType::response}) {
    RecordHead head = {.type = type, .block_bytes = 1};
    head.fields.append("WARC-Target-URI", "http://h/");
    head.fields.append("WARC-Payload-Digest", "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    Verifier verifier(head);
    verifier.feed(as_bytes("HTTP/1.1 200 OK\n\nx"));
    verifier.finish(true);
    EXPECT_EQ(verifier.payload(),
              type == RecordType::response ? DigestVerdict::wrong : DigestVerdict::absent);
  }
}

TEST(Verifier, DoesNotTrustAPartOfInvalidChunks) {
  const std::string digest = digest_of(DigestAlgorithm::sha1, as_bytes("hello")).to_string();
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n";
  EXPECT_EQ(verify("WARC-Payload-Digest: " + digest, head + "ZZ\r\n").payload(),
            DigestVerdict::wrong);
  EXPECT_EQ(verify("WARC-Payload-Digest: " + digest, head + "0\r\n\r\nignored").payload(),
            DigestVerdict::right);
}

}  // namespace
}  // namespace gossamer::warc

#include "warc/record_writer.h"

#include <gtest/gtest.h>
#include <tests/support/archive_contents.h>

#include <array>
#include <vector>

#include "base/random.h"
#include "warc/payload_reader.h"
#include "warc/verifier.h"

namespace gossamer::warc {
namespace {

using support::ArchivedRecord;
using support::read_archive;

constexpr WallTime kDate = {.seconds = 1'488'772'926, .nanoseconds = 123'456'789};
constexpr std::string_view kHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

RecordId id_of(int number) {
  std::array<std::byte, 16> bytes = {};
  bytes.fill(static_cast<std::byte>(number));
  return RecordId(bytes);
}

Capture capture() { return {.target_uri = "http://a.example/", .date = kDate}; }

std::string written(const RecordDraft& draft, const WriterOptions& options = {}) {
  std::string out;
  RecordWriter(options).append(draft, out);
  return out;
}

// Returns the only record of a file, which must have no fault and valid digests.
ArchivedRecord read_back(std::string_view file) {
  auto contents = read_archive(file);
  EXPECT_TRUE(contents.faults.empty());
  EXPECT_EQ(contents.records.size(), 1U);
  if (contents.records.size() != 1) return {};
  ArchivedRecord record = std::move(contents.records[0]);
  EXPECT_TRUE(record.extent.is_whole);
  EXPECT_EQ(record.extent.member_offset, 0U);
  Verifier verifier(record.head);
  verifier.feed(as_bytes(record.block));
  verifier.finish(true);
  EXPECT_EQ(verifier.block(), DigestVerdict::right);
  EXPECT_TRUE(verifier.is_good());
  return record;
}

class PayloadText final : public PayloadSink {
 public:
  void put(Bytes piece) override { text += as_text(piece); }
  std::string text;
};

std::string payload_of(const ArchivedRecord& record) {
  PayloadText text;
  PayloadReader reader(record.head, {}, text);
  reader.feed(as_bytes(record.block));
  reader.finish();
  return text.text;
}

TEST(RecordId, IsAUuidOfTheGivenBytes) {
  EXPECT_EQ(id_of(0).text(), "<urn:uuid:00000000-0000-4000-8000-000000000000>");
  EXPECT_EQ(id_of(255).text(), "<urn:uuid:ffffffff-ffff-4fff-bfff-ffffffffffff>");
}

TEST(RecordWriter, WritesAResponseByteForByte) {
  Capture shared = capture();
  shared.ip_address = "192.0.2.1";
  shared.protocol = "http/1.1";
  shared.warcinfo_id = id_of(9).text();
  const auto draft =
      response_record(id_of(1), shared, {.head = kHead, .payload = as_bytes("<p>hello")});
  EXPECT_EQ(written(draft, {.compress = false}),
            "WARC/1.1\r\n"
            "WARC-Type: response\r\n"
            "WARC-Record-ID: <urn:uuid:01010101-0101-4101-8101-010101010101>\r\n"
            "WARC-Date: 2017-03-06T04:02:06.123Z\r\n"
            "WARC-Target-URI: http://a.example/\r\n"
            "WARC-Warcinfo-ID: <urn:uuid:09090909-0909-4909-8909-090909090909>\r\n"
            "WARC-IP-Address: 192.0.2.1\r\n"
            "WARC-Protocol: http/1.1\r\n"
            "WARC-Payload-Digest: sha1:6VMT7HTE2K745SIQUUYG3CKPEJVFD5GH\r\n"
            "WARC-Block-Digest: sha1:5V677TXSDNEETSATS2ZXBY6KVTY2U65C\r\n"
            "Content-Type: application/http;msgtype=response\r\n"
            "Content-Length: 52\r\n"
            "\r\n"
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello"
            "\r\n\r\n");
}

TEST(RecordWriter, GivesEachRecordAMemberOfItsOwn) {
  RecordWriter writer;
  std::string file;
  std::vector<std::size_t> ends;
  for (int i = 0; i < 3; ++i) {
    const std::string body(static_cast<std::size_t>(i) * 100'000, 'x');
    writer.append(response_record(id_of(i), capture(), {.head = kHead, .payload = as_bytes(body)}),
                  file);
    ends.push_back(file.size());
  }
  const auto contents = read_archive(file, 1000);
  EXPECT_TRUE(contents.faults.empty());
  ASSERT_EQ(contents.records.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const Extent& extent = contents.records[i].extent;
    EXPECT_EQ(extent.member_offset + extent.member_bytes, ends[i]);
    EXPECT_EQ(payload_of(contents.records[i]).size(), i * 100'000);
  }
}

TEST(RecordWriter, KeepsTheHeadAndGivesAChunkToABodyThatShouldHaveThem) {
  const std::string_view head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string_view body : {"", "hello", "0\r\n\r\n"}) {
    EXPECT_EQ(body_form_for(head), BodyForm::one_chunk);
    const auto record = read_back(written(
        response_record(id_of(1), capture(),
                        {.head = head, .payload = as_bytes(body), .form = body_form_for(head)})));
    EXPECT_TRUE(record.block.starts_with(head));
    EXPECT_EQ(payload_of(record), body);
    EXPECT_EQ(record.head.fields.find("WARC-Payload-Digest"),
              digest_of(DigestAlgorithm::sha1, as_bytes(body)).to_string());
  }
  EXPECT_EQ(body_form_for(kHead), BodyForm::as_given);
}

TEST(RecordWriter, NeverLetsAValueEndItsLine) {
  Capture hostile = capture();
  hostile.target_uri =
      "http://h/\r\n\r\nWARC/1.1\r\nWARC-Type: response\n \tx\0"
      "y z";
  hostile.ip_address = "1.2.3.4\r\nContent-Length: 0";
  const std::string body = "\r\n\r\nWARC/1.1\r\nWARC-Type: request\r\nContent-Length: 0\r\n\r\n";
  for (const bool compress : {false, true}) {
    const auto record = read_back(
        written(response_record(id_of(1), hostile, {.head = kHead, .payload = as_bytes(body)}),
                {.compress = compress}));
    EXPECT_EQ(record.head.type, RecordType::response);
    EXPECT_EQ(record.head.fields.size(), 9U);
    EXPECT_EQ(record.block, std::string(kHead) + body);
    EXPECT_TRUE(record.head.target_uri().starts_with("http://h/%0D%0A%0D%0AWARC/1.1%0D%0AWARC"));
  }
}

TEST(RecordWriter, SaysWhyAPayloadIsCut) {
  const auto record = read_back(written(response_record(
      id_of(1), capture(),
      {.head = kHead, .payload = as_bytes("part"), .truncation = Truncation::length})));
  EXPECT_EQ(record.head.fields.find("WARC-Truncated"), "length");
}

TEST(RecordWriter, CanUseSha256) {
  const auto record = read_back(
      written(response_record(id_of(1), capture(),
                              {.head = kHead, .payload = {}, .algorithm = DigestAlgorithm::sha256}),
              {.digest = DigestAlgorithm::sha256}));
  EXPECT_EQ(record.head.fields.find("WARC-Payload-Digest"),
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(RecordWriter, WritesTheRequestBesideItsResponse) {
  const std::string_view message = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";
  const auto record =
      read_back(written(request_record(id_of(2), capture(), id_of(1), as_bytes(message))));
  EXPECT_EQ(record.head.type, RecordType::request);
  EXPECT_EQ(record.head.fields.find("WARC-Concurrent-To"), id_of(1).text());
  EXPECT_EQ(record.block, message);
}

TEST(RecordWriter, WritesRevisitsOfBothKinds) {
  const Original original = {
      .record_id = id_of(1).text(), .target_uri = "http://a.example/old", .date = kDate};
  const Digest payload = digest_of(DigestAlgorithm::sha1, as_bytes("x"));
  const auto same =
      read_back(written(identical_revisit_record(id_of(2), capture(), kHead, payload, original)));
  EXPECT_EQ(same.head.type, RecordType::revisit);
  EXPECT_EQ(same.head.fields.find("WARC-Profile"),
            "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
  EXPECT_EQ(same.head.fields.find("WARC-Refers-To"), id_of(1).text());
  EXPECT_EQ(same.head.fields.find("WARC-Refers-To-Target-URI"), "http://a.example/old");
  EXPECT_EQ(same.head.fields.find("WARC-Refers-To-Date"), "2017-03-06T04:02:06.123Z");
  EXPECT_EQ(same.block, kHead);
  const auto unchanged = read_back(written(not_modified_revisit_record(
      id_of(2), capture(), "HTTP/1.1 304 Not Modified\r\n\r\n", std::nullopt, original)));
  EXPECT_EQ(unchanged.head.fields.find("WARC-Profile"),
            "http://netpreserve.org/warc/1.1/revisit/server-not-modified");
  EXPECT_EQ(unchanged.head.fields.find("WARC-Payload-Digest"), std::nullopt);
  const auto known = read_back(written(not_modified_revisit_record(
      id_of(2), capture(), "HTTP/1.1 304 Not Modified\r\n\r\n", payload, original)));
  EXPECT_EQ(known.head.fields.find("WARC-Payload-Digest"), payload.to_string());
}

TEST(RecordWriter, WritesMetadataWithOutlinks) {
  Fields about;
  about.append("via", "http://b.example/");
  const Outlink outlinks[] = {{.url = "http://a.example/x y\n", .context = "L a/@href"},
                              {.url = "http://a.example/z", .context = ""}};
  const auto record =
      read_back(written(metadata_record(id_of(3), capture(), id_of(1), about, outlinks)));
  EXPECT_EQ(record.block,
            "via: http://b.example/\r\n"
            "outlink: http://a.example/x%20y%0A L a/@href\r\n"
            "outlink: http://a.example/z\r\n");
}

TEST(RecordWriter, WritesWarcinfoAndResources) {
  Fields about;
  about.append("software", "Gossamer");
  about.append("format", "WARC File Format 1.1");
  const auto first = read_back(written(warcinfo_record(id_of(4), kDate, "a.warc.gz", about)));
  EXPECT_EQ(first.block, "software: Gossamer\r\nformat: WARC File Format 1.1\r\n");
  EXPECT_EQ(first.head.fields.find("WARC-Filename"), "a.warc.gz");
  EXPECT_EQ(first.head.target_uri(), "");
  const auto resource =
      read_back(written(resource_record(id_of(5), capture(), "text/plain", as_bytes("text"))));
  EXPECT_EQ(resource.block, "text");
  EXPECT_EQ(resource.head.content_type(), "text/plain");
  EXPECT_EQ(resource.head.fields.find("WARC-Payload-Digest"),
            digest_of(DigestAlgorithm::sha1, as_bytes("text")).to_string());
}

TEST(RecordWriter, NamesTheProtocolsOfTheConnection) {
  Capture shared = capture();
  shared.protocol = "h2";
  shared.tls = "tls/1.3";
  shared.cipher = "TLS_AES_128_GCM_SHA256";
  const auto record = read_back(
      written(response_record(id_of(1), shared, {.head = kHead, .payload = as_bytes("x")})));
  std::vector<std::string> protocols;
  for (const Fields::Field& field : record.head.fields) {
    if (field.name == "WARC-Protocol") protocols.push_back(field.value);
  }
  EXPECT_EQ(protocols, (std::vector<std::string>{"h2", "tls/1.3"}));
  EXPECT_EQ(record.head.fields.find("WARC-Cipher-Suite"), "TLS_AES_128_GCM_SHA256");
}

TEST(RecordWriter, EscapesControlCharactersOnly) {
  for (int c = 0; c < 256; ++c) {
    std::string line;
    append_field(line, "A", std::string(1, static_cast<char>(c)));
    const bool is_control = c < 0x20 || c == 0x7F;
    EXPECT_EQ(line.size(), is_control ? 8U : 6U) << c;
    const std::string uri = escaped_uri(std::string(1, static_cast<char>(c)));
    EXPECT_EQ(uri.size(), is_control || c == ' ' ? 3U : 1U) << c;
  }
  EXPECT_EQ(escaped_uri("\x1F\x7F "), "%1F%7F%20");
}

// WARC 1.1 sections 5.6 and 6: which type of content a record of each kind has.
TEST(RecordWriter, NamesTheContentAndTheRelatedRecord) {
  const Original original = {.record_id = "<urn:x>", .target_uri = "http://o/", .date = kDate};
  const Digest digest = digest_of(DigestAlgorithm::sha1, {});
  const auto type_of = [](const RecordDraft& draft) {
    return std::string(read_archive(written(draft)).records.at(0).head.content_type());
  };
  EXPECT_TRUE(type_of(response_record(id_of(1), capture(), {.head = kHead, .payload = {}}))
                  .starts_with("application/http"));
  EXPECT_TRUE(
      type_of(request_record(id_of(1), capture(), id_of(2), as_bytes("GET / HTTP/1.1\r\n\r\n")))
          .starts_with("application/http"));
  EXPECT_TRUE(type_of(identical_revisit_record(id_of(1), capture(), kHead, digest, original))
                  .starts_with("application/http"));
  EXPECT_EQ(type_of(warcinfo_record(id_of(1), kDate, "a", {})), "application/warc-fields");
  const auto metadata = metadata_record(id_of(1), capture(), id_of(2), {}, {});
  EXPECT_EQ(type_of(metadata), "application/warc-fields");
  EXPECT_EQ(metadata.fields.find("WARC-Concurrent-To"), id_of(2).text());
}

TEST(RecordWriter, StoresABodyThatIsCompressedAlready) {
  base::Random random(1);
  RecordWriter writer;
  std::string file;
  std::vector<std::string> bodies;
  for (const std::size_t size : {0, 1000, 2048, 70'000, 300'000, 5000}) {
    std::string body;
    while (body.size() < size) body.push_back(static_cast<char>(random.next()));
    RecordDraft draft =
        response_record(id_of(1), capture(), {.head = kHead, .payload = as_bytes(body)});
    draft.block.is_body_packed = true;
    const std::size_t before = file.size();
    writer.append(draft, file);
    EXPECT_LT(file.size() - before, size + 600);
    // The others are still compressed.
    draft.block.is_body_packed = false;
    writer.append(draft, file);
    bodies.push_back(std::move(body));
  }
  EXPECT_NE(file.find(bodies.back()), file.npos) << "byte for byte";
  const auto contents = read_archive(file);
  EXPECT_TRUE(contents.faults.empty());
  ASSERT_EQ(contents.records.size(), 2 * bodies.size());
  for (std::size_t i = 0; i < contents.records.size(); ++i) {
    EXPECT_EQ(contents.records[i].block, std::string(kHead) + bodies[i / 2]);
  }
}

TEST(RecordWriter, WritesTheTailOfABlockStoredOrCompressedAtEveryLevel) {
  const std::string body(5000, 'b');
  for (const bool compress : {false, true}) {
    for (const bool is_packed : {false, true}) {
      for (int level = 1; level <= 12; ++level) {
        RecordDraft draft = resource_record(id_of(1), capture(), "text/plain", as_bytes(body));
        draft.block.head = "head ";
        draft.block.tail = " tail";
        draft.block.is_body_packed = is_packed;
        draft.payload_digest.reset();
        const auto record = read_back(written(draft, {.compress = compress, .level = level}));
        EXPECT_EQ(record.block, "head " + body + " tail") << level;
        EXPECT_EQ(record.head.block_bytes, body.size() + 10);
        if (!compress) EXPECT_TRUE(written(draft, {.compress = false}).starts_with("WARC/1.1"));
      }
    }
  }
}

TEST(MemberWriter, CompressesAgainAfterAMemberWithStoredBytes) {
  const std::string body(50'000, 'b');
  MemberWriter member(9);
  std::string stored;
  member.store(as_bytes(body), stored);
  member.finish(stored);
  EXPECT_GT(stored.size(), body.size());
  std::string compressed;
  member.write(as_bytes(body), compressed);
  member.finish(compressed);
  EXPECT_LT(compressed.size(), body.size() / 10);
}

TEST(MemberWriter, WritesLargeRecordsPieceByPiece) {
  const std::string body(3'000'000, 'b');
  RecordDraft draft = resource_record(id_of(1), capture(), "text/plain", as_bytes(body));
  const BlockFacts facts = facts_of(draft.block, DigestAlgorithm::sha1);
  std::string file;
  MemberWriter member;
  for (int i = 0; i < 2; ++i) {
    member.write(as_bytes(record_head(draft, facts)), file);
    for (std::size_t at = 0; at < body.size(); at += 700'000) {
      member.write(as_bytes(std::string_view(body).substr(at, 700'000)), file);
    }
    member.write(as_bytes(kRecordEnd), file);
    member.finish(file);
  }
  const auto contents = read_archive(file, 4096);
  ASSERT_EQ(contents.records.size(), 2U);
  EXPECT_TRUE(contents.faults.empty());
  EXPECT_EQ(contents.records[1].block, body);
  EXPECT_EQ(contents.records[1].extent.member_offset, file.size() / 2);
}

}  // namespace
}  // namespace gossamer::warc

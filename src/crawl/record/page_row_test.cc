#include "record/page_row.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/packing.h"
#include "content/text_sketch.h"

namespace gossamer::store {
namespace {

crawler::FetchRecord full_record() {
  crawler::FetchRecord record;
  record.ts = {.seconds = 1'700'000'000, .nanoseconds = 5};
  record.confirmed = WallTime{.seconds = 1'700'000'100};
  record.url = "https://a.example/";
  record.status = 301;
  record.next_url = "https://a.example/b";
  record.error = crawler::kBadRedirect;
  record.error_detail = "detail";
  record.bytes = 12;
  record.wire_bytes = 345;
  record.mime = "text/html";
  record.charset = "utf-8";
  record.depth = 3;
  record.via = "https://a.example/from";
  record.links_found = 7;
  record.links_new = 6;
  record.tries = 2;
  record.digest = 0xFEDCBA9876543210;
  record.text_digest = 0x0123456789ABCDEF;
  record.duplicate_of = "https://a.example/first";
  record.title = "A title";
  record.etag = "\"abc\"";
  record.last_modified = "Thu, 01 Jan 1970 00:00:00 GMT";
  record.extracted = {{.name = "title", .is_list = false, .values = {"T"}},
                      {.name = "tags", .is_list = true, .values = {"a", "", "c"}},
                      {.name = "none", .is_list = false, .values = {}}};
  record.is_extract_truncated = true;
  record.robots = "noindex";
  record.metadata = std::make_shared<content::Metadata>(
      content::Metadata{.language = "en",
                        .canonical = "https://a.example/c",
                        .headline = "Kettles",
                        .translations = {{.language = "de", .url = "https://a.example/de"}},
                        .open_graph = {{.name = "title", .value = "T"}},
                        .headings = {{.level = 2, .text = "H"}},
                        .json_ld = "[1]",
                        .words = 300});
  record.sketch = std::make_shared<const content::TextSketch>(
      content::TextSketch{.digest = 0x1122334455667788, .values = {1, 0, 255}});
  record.similar_to = "https://a.example/like";
  record.is_requisite = true;
  record.is_guess = true;
  record.is_truncated = true;
  record.archive = {.file = "a-00001.warc.gz", .offset = 99, .length = 100};
  record.facts.connection.remote = *async::Endpoint::parse("10.0.0.1:443");
  record.facts.connection.is_tls = true;
  record.facts.protocol = "HTTP/1.1";
  record.facts.first_byte = 5ms;
  record.facts.total = 7ms;
  return record;
}

// The row of full_record() as version 0.1 wrote it, around the zeros of the sketch.
constexpr std::string_view kEarlierRowBegin =
    "01bfbe7c80c49fd50c050c6261645f72656469726563741268747470733a2f2f612e6578616d706c652f1368"
    "747470733a2f2f612e6578616d706c652f620664657461696c09746578742f68746d6c057574662d38166874"
    "7470733a2f2f612e6578616d706c652f66726f6d1768747470733a2f2f612e6578616d706c652f6669727374"
    "0741207469746c650522616263221d5468752c203031204a616e20313937302030303a30303a303020474d54"
    "0cd90203070602c8c59fd50cda041032547698badcfe0f612d30303030312e776172632e677a63640c31302e"
    "302e302e313a34343308485454502f312e3100000080ade20480bfd6060000efcdab89674523010305746974"
    "6c6500010154047461677301030161000163046e6f6e650000076e6f696e64657802656e001368747470733a"
    "2f2f612e6578616d706c652f6300000000035b315d0000ac02000000010264651468747470733a2f2f612e65"
    "78616d706c652f646501057469746c6501540001020148887766554433221180010100ff";
constexpr std::size_t kEarlierRowZeros = 125;
constexpr std::string_view kEarlierRowEnd =
    "1668747470733a2f2f612e6578616d706c652f6c696b6501074b6574746c6573";

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (; !hex.empty(); hex.remove_prefix(2)) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(0, 2)), nullptr, 16)));
  }
  return bytes;
}

TEST(PageRow, IsTheSameInAllVersions) {
  const std::string earlier =
      from_hex(kEarlierRowBegin) + std::string(kEarlierRowZeros, '\0') + from_hex(kEarlierRowEnd);
  EXPECT_EQ(pack_page(full_record()), earlier);
  const auto read = unpack_page(earlier);
  ASSERT_TRUE(read);
  EXPECT_EQ(crawler::to_json(*read), crawler::to_json(full_record()));
  EXPECT_EQ(read->similar_to, full_record().similar_to);
}

TEST(PageRow, KeepsWhatCameToMetadataLater) {
  crawler::FetchRecord record = full_record();
  record.metadata = std::make_shared<content::Metadata>(
      content::Metadata{.author = "A", .page_kind = "forum", .has_several_canonicals = true});
  const auto read = unpack_page(pack_page(record));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read->metadata, *record.metadata);
}

TEST(PageRow, KeepsWhatABrowserDid) {
  for (const bool is_good : {true, false}) {
    crawler::FetchRecord record = full_record();
    record.needs_scripts = is_good;
    record.rendering = crawler::Rendering{.why = crawler::kRenderedHint,
                                          .error = is_good ? "" : "timed_out",
                                          .took = 1500ms,
                                          .requests = 12,
                                          .has_gained = is_good,
                                          .is_cut = !is_good};
    const auto read = unpack_page(pack_page(record));
    ASSERT_TRUE(read);
    EXPECT_EQ(crawler::to_json(*read), crawler::to_json(record));
    ASSERT_TRUE(read->rendering);
    EXPECT_EQ(read->rendering->why, crawler::kRenderedHint);
    EXPECT_EQ(read->rendering->requests, 12U);
    EXPECT_EQ(read->rendering->has_gained, is_good);
    EXPECT_EQ(read->rendering->is_cut, !is_good);

    crawler::Statistics statistics;
    statistics.add(record);
    const auto counts = unpack_statistics(pack_statistics(statistics));
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->needs_scripts, statistics.needs_scripts);
    EXPECT_EQ(counts->rendered, statistics.rendered);
    EXPECT_EQ(counts->rendered_gained, statistics.rendered_gained);
    EXPECT_EQ(counts->by_rendering_error, statistics.by_rendering_error);
    EXPECT_EQ(counts->rendered_by_pattern.size(), is_good ? 1U : 0U);
  }
}

TEST(PageRow, KeepsTheItemsOfFields) {
  crawler::FetchRecord record = full_record();
  record.extracted = {{.name = "a", .is_list = true, .values = {"x"}, .item = 1},
                      {.name = "a", .is_list = false, .values = {"y"}, .item = 300}};
  const auto read = unpack_page(pack_page(record));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->extracted, record.extracted);
}

TEST(PageRow, UnpacksTheSameRecord) {
  const crawler::FetchRecord record = full_record();
  const auto read = unpack_page(pack_page(record));
  ASSERT_TRUE(read);
  EXPECT_EQ(crawler::to_json(*read), crawler::to_json(record));
  EXPECT_EQ(read->etag, record.etag);
  EXPECT_EQ(read->extracted, record.extracted);
  EXPECT_TRUE(read->is_extract_truncated);
  ASSERT_TRUE(read->sketch);
  EXPECT_EQ(*read->sketch, *record.sketch);
  EXPECT_EQ(read->similar_to, record.similar_to);
  EXPECT_EQ(read->text_digest, record.text_digest);
  EXPECT_EQ(read->confirmed, record.confirmed);
  EXPECT_EQ(read->last_modified, record.last_modified);
  EXPECT_EQ(read->facts.total, record.facts.total);
  EXPECT_EQ(read->archive->offset, 99U);
  EXPECT_TRUE(read->facts.connection.is_tls);

  const auto bare = unpack_page(pack_page({}));
  ASSERT_TRUE(bare);
  EXPECT_EQ(crawler::to_json(*bare), crawler::to_json(crawler::FetchRecord()));
}

TEST(PageRow, KeepsHowTheConnectionWasUsed) {
  for (const bool is_reused : {true, false}) {
    for (const bool is_tls : {true, false}) {
      crawler::FetchRecord record = full_record();
      record.facts.reused = is_reused;
      record.facts.connection.is_tls = is_tls;
      const auto read = unpack_page(pack_page(record));
      ASSERT_TRUE(read);
      EXPECT_EQ(read->facts.reused, is_reused);
      EXPECT_EQ(read->facts.connection.is_tls, is_tls);
    }
  }
}

TEST(PageRow, RejectsATruncatedRow) {
  const std::string row = pack_page(full_record());
  for (std::size_t size = 0; size < row.size(); ++size) {
    EXPECT_FALSE(unpack_page(std::string_view(row).substr(0, size))) << size;
  }
}

TEST(PageRow, RejectsUnknownFlags) {
  const std::string row = pack_page({});
  ASSERT_EQ(row[1], '\0');  // the flags, after the version
  const auto with_flags = [&row](std::string_view flags) {
    return row.substr(0, 1).append(flags).append(row, 2);
  };
  EXPECT_TRUE(unpack_page(with_flags(std::string_view("\x10", 1))));  // a requisite
  EXPECT_FALSE(unpack_page(with_flags("\x80\x80\x80\x01")));          // 2^21
  EXPECT_FALSE(unpack_page(with_flags("\x80\x40")));                  // 2^13
}

TEST(PageRow, HoldsSeveralSkippedUrls) {
  std::string row;
  pack_skip(row, {.url = "https://a.example/1",
                  .reason = crawler::SkipReason::robots,
                  .via = "https://a.example/",
                  .depth = 1,
                  .detail = "line 3"});
  pack_skip(row, {.url = "https://a.example/2", .reason = crawler::SkipReason::too_deep});
  const auto read = unpack_skips(row);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[0].reason, crawler::SkipReason::robots);
  EXPECT_EQ((*read)[0].detail, "line 3");
  EXPECT_EQ((*read)[1].url, "https://a.example/2");
  EXPECT_FALSE(unpack_skips(row.substr(0, row.size() - 1)));
}

TEST(PageRow, UnpacksTheSameStatistics) {
  crawler::Statistics statistics;
  statistics.add(full_record());
  statistics.add(crawler::SkipReason::robots, 5);
  statistics.add(crawler::SkipReason::too_deep, 1);
  const auto read = unpack_statistics(pack_statistics(statistics));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pages, statistics.pages);
  EXPECT_EQ(read->wire_bytes, statistics.wire_bytes);
  EXPECT_EQ(read->by_status, statistics.by_status);
  EXPECT_EQ(read->by_type, statistics.by_type);
  EXPECT_EQ(read->by_error, statistics.by_error);
  EXPECT_EQ(read->skipped, statistics.skipped);
}

TEST(PageRow, UnpacksTheStatisticsOfEarlierVersions) {
  Packer packer;
  packer.number(2);
  // pages, answered, redirects, failed, retries, duplicates, bytes, wire_bytes, links
  for (const std::uint64_t number : {10, 9, 1, 2, 0, 0, 100, 100, 5, 5}) packer.number(number);
  packer.number(1);  // truncated
  packer.number(2);  // statuses
  for (const auto& [status, count] : {std::pair(200, 6), {404, 3}}) {
    packer.signed_number(status);
    packer.number(static_cast<std::uint64_t>(count));
  }
  packer.number(0);  // types
  packer.number(2);  // errors
  for (const std::string_view error : {"timed_out", "unwanted_type"}) {
    packer.text(error);
    packer.number(1);
  }
  const auto read = unpack_statistics(std::move(packer).take());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->count(crawler::Outcome::redirect), 1u);
  EXPECT_EQ(read->count(crawler::Outcome::error), 4u);
  EXPECT_EQ(read->count(crawler::Outcome::unwanted), 1u);
  EXPECT_EQ(read->count(crawler::Outcome::page), 4u);
  EXPECT_EQ(read->by_error.at("404"), 3u);
  EXPECT_FALSE(read->by_error.contains("unwanted_type"));
}

}  // namespace
}  // namespace gossamer::store

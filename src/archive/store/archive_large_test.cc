// Exchanges whose payloads are in files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/archive_setting.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "store/archive_bodies.h"
#include "warc/payload_reader.h"
#include "warc/verifier.h"

namespace gossamer::store {
namespace {

using support::ArchivedRecord;
using support::exchange_of;
using support::options_for;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Setting = support::ArchiveSetting;

constexpr const char* kFirstFile = "crawl-00001.warc.gz";
constexpr std::uint64_t kUnsyncedBytes = 400'000;

// Puts the payload of an exchange into a file. BORROWS: all.
async::Task<Result<void>> move_to_file(crawler::BodyFiles& bodies, crawler::Exchange& exchange) {
  auto file = co_await crawler::BodyFile::create(bodies);
  if (!file) co_return fail(std::move(file).error());
  auto stored = co_await (*file)->append(as_bytes(exchange.capture.payload));
  if (!stored) co_return stored;
  (*file)->finish();
  exchange.capture.file = std::move(*file);
  exchange.capture.payload.clear();
  co_return {};
}

using Places = Result<std::vector<ArchivePlace>>;

// Puts the exchanges, with their payloads in files. BORROWS: the setting.
async::Task<Places> archive_from_files(Setting& setting, ArchiveOptions options,
                                       std::vector<crawler::Exchange> exchanges) {
  ArchiveBodies bodies(setting.files, options.name, Duration::zero(), kUnsyncedBytes);
  auto archive = co_await Archive::open(setting.files, setting.pool, std::move(options));
  if (!archive) co_return fail(std::move(archive).error());
  std::vector<ArchivePlace> places;
  for (crawler::Exchange& given : exchanges) {
    crawler::Exchange exchange = std::move(given);
    if (auto moved = co_await move_to_file(bodies, exchange); !moved) {
      co_return fail(std::move(moved).error());
    }
    auto place = co_await (*archive)->put(exchange);
    if (!place) co_return fail(std::move(place).error());
    places.push_back(std::move(*place));
  }
  auto closed = co_await (*archive)->close();
  if (!closed) co_return fail(std::move(closed).error());
  co_return places;
}

std::string text_of_size(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) text += std::to_string(i) + " bottles of beer\n";
  return text;
}

std::string noise_of_size(std::size_t bytes) {
  base::Random random(bytes);
  std::string noise(bytes, '\0');
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t drawn = random.next();
    std::memcpy(&noise[at], &drawn, sizeof drawn);
  }
  return noise;
}

class StringSink final : public warc::PayloadSink {
 public:
  void put(Bytes piece) override { text += as_text(piece); }
  std::string text;
};

std::string payload_of(const ArchivedRecord& record) {
  StringSink sink;
  warc::PayloadReader reader(record.head, {.decode_content = false}, sink);
  reader.feed(as_bytes(record.block));
  EXPECT_EQ(reader.finish(), wire::DecodeEnd::complete);
  return sink.text;
}

// Checks lengths and digests of all records.
void expect_good(const support::ArchiveContents& contents) {
  EXPECT_THAT(contents.faults, IsEmpty());
  for (const ArchivedRecord& record : contents.records) {
    warc::Verifier verifier(record.head);
    verifier.feed(as_bytes(record.block));
    verifier.finish(record.extent.is_whole);
    EXPECT_TRUE(record.extent.is_whole && verifier.is_good()) << record.head.raw;
  }
}

TEST(ArchiveLarge, APayloadInAFileMakesTheSameRecordAsOneInMemory) {
  for (const std::string fields :
       {"", "Transfer-Encoding: chunked\r\n", "Content-Encoding: br\r\n"}) {
    std::vector<crawler::Exchange> exchanges = {exchange_of("/", text_of_size(1'000'000), fields),
                                                exchange_of("/2", noise_of_size(900'000), fields),
                                                exchange_of("/3", "small", fields)};
    exchanges[0].capture.outlinks = {{.url = "http://a.example/x", .where = "L a/@href"}};
    exchanges[1].capture.cut = crawler::Cut::length;
    Setting small;
    ASSERT_TRUE(small.world.run(archive_all(small, options_for(), exchanges)));
    Setting large;
    std::vector<warc::CdxjEntry> entries;
    ArchiveOptions options = options_for();
    options.on_entry = [&entries](const warc::CdxjEntry& entry) { entries.push_back(entry); };
    const auto places = large.world.run(archive_from_files(large, std::move(options), exchanges));
    ASSERT_TRUE(places) << places.error().message();
    EXPECT_THAT(large.disk().names(), ElementsAre(kFirstFile)) << "the files of bodies are gone";
    const auto expected = small.contents(kFirstFile);
    const auto found = large.contents(kFirstFile);
    expect_good(found);
    ASSERT_EQ(found.records.size(), expected.records.size());
    std::size_t responses = 0;
    for (std::size_t i = 0; i < found.records.size(); ++i) {
      EXPECT_EQ(found.records[i].head.raw, expected.records[i].head.raw);
      EXPECT_EQ(found.records[i].block, expected.records[i].block);
      if (found.records[i].head.type != warc::RecordType::response) continue;
      const warc::Extent& extent = found.records[i].extent;
      EXPECT_EQ(extent.member_offset, (*places)[responses].offset);
      EXPECT_EQ(extent.member_offset, entries[responses].offset);
      EXPECT_EQ((*places)[responses].length, entries[responses].length);
      EXPECT_EQ(payload_of(found.records[i]), exchanges[responses].capture.payload);
      ++responses;
    }
    EXPECT_EQ(responses, 3U);
  }
}

TEST(ArchiveLarge, APayloadThatDoesNotCompressIsStored) {
  Setting setting;
  constexpr std::size_t kBytes = 6'000'000;
  ASSERT_TRUE(setting.world.run(
      archive_from_files(setting, options_for(), {exchange_of("/", noise_of_size(kBytes))})));
  expect_good(setting.contents(kFirstFile));
  EXPECT_LT(setting.disk().content(kFirstFile)->size(), kBytes + kBytes / 500);
}

TEST(ArchiveLarge, ACopyIsNotStoredAgain) {
  Setting setting;
  PayloadsInMemory known;
  ArchiveOptions options = options_for();
  options.known = &known;
  const std::string text = text_of_size(500'000);
  ASSERT_TRUE(setting.world.run(archive_from_files(
      setting, std::move(options), {exchange_of("/", text), exchange_of("/again", text)})));
  const auto contents = setting.contents(kFirstFile);
  expect_good(contents);
  ASSERT_THAT(contents.records, SizeIs(5));
  EXPECT_EQ(contents.records[2].head.type, warc::RecordType::response);
  EXPECT_EQ(contents.records[4].head.type, warc::RecordType::revisit);
}

TEST(ArchiveLarge, AnExchangeThatDoesNotFitBeginsAFile) {
  Setting setting;
  ArchiveOptions options = options_for();
  options.file_bytes_max = 1'000'000;
  ASSERT_TRUE(setting.world.run(archive_from_files(
      setting, std::move(options),
      {exchange_of("/", noise_of_size(700'000)), exchange_of("/2", noise_of_size(700'001))})));
  EXPECT_THAT(setting.disk().names(), ElementsAre(kFirstFile, "crawl-00002.warc.gz"));
  for (const std::string& name : setting.disk().names()) expect_good(setting.contents(name));
}

// What happens if an operation fails while a large exchange is put, counted from 1.
struct LargeFailures {
  bool first = false;   // the exchange was not put
  bool second = false;  // nor a second time
};

// BORROWS: the setting.
async::Task<LargeFailures> put_large_twice(Setting& setting, std::uint64_t operation, int error) {
  ArchiveBodies bodies(setting.files, "crawl", Duration::zero(), kUnsyncedBytes);
  auto archive = co_await Archive::open(setting.files, setting.pool, options_for());
  const crawler::Exchange small = exchange_of("/", "x");
  EXPECT_TRUE(co_await (*archive)->put(small));
  crawler::Exchange large = exchange_of("/large", noise_of_size(600'000));
  EXPECT_TRUE(co_await move_to_file(bodies, large));
  setting.disk().fail_operation(operation, error);
  LargeFailures failed;
  failed.first = !(co_await (*archive)->put(large));
  failed.second = !(co_await (*archive)->put(large));
  static_cast<void>(co_await (*archive)->close());
  // A failed archive is repaired by the next process.
  EXPECT_TRUE(co_await Archive::open(setting.files, setting.pool, options_for()));
  co_return failed;
}

TEST(ArchiveLarge, AFailureLeavesNoPartOfARecord) {
  for (const int error : {ENOSPC, EIO}) {
    std::size_t failures = 0;
    std::size_t permanent = 0;
    for (std::uint64_t operation = 1;; ++operation) {
      SCOPED_TRACE(operation);
      Setting setting;
      const LargeFailures failed = setting.world.run(put_large_twice(setting, operation, error));
      if (!failed.first && !failed.second) break;  // it was a later operation
      failures += failed.first ? 1 : 0;
      permanent += failed.first && failed.second ? 1 : 0;
      const auto contents = setting.contents(kFirstFile);
      expect_good(contents);
      const std::size_t puts = 1U + (failed.first ? 0U : 1U) + (failed.second ? 0U : 1U);
      EXPECT_EQ(contents.records.size(), 1 + 2 * puts);
    }
    EXPECT_GT(failures, 5U);
    EXPECT_EQ(permanent > 0, error == EIO) << "a full disk may have room later";
  }
}

// Writes bodies side by side, then archives them. BORROWS: the setting.
async::Task<std::uint64_t> most_unsynced(Setting& setting, std::size_t count, std::size_t bytes) {
  std::uint64_t most = 0;
  setting.disk().before_operation([&] { most = std::max(most, setting.disk().unsynced_bytes()); });
  ArchiveBodies bodies(setting.files, "crawl", Duration::zero(), kUnsyncedBytes);
  ArchiveOptions options = options_for();
  options.unsynced_bytes_max = kUnsyncedBytes;
  auto archive = co_await Archive::open(setting.files, setting.pool, std::move(options));
  std::vector<crawler::Exchange> exchanges;
  std::vector<std::shared_ptr<crawler::BodyFile>> files;
  for (std::size_t i = 0; i < count; ++i) {
    exchanges.push_back(exchange_of("/" + std::to_string(i), ""));
    files.push_back(std::move(*(co_await crawler::BodyFile::create(bodies))));
  }
  const std::string noise = noise_of_size(bytes);
  constexpr std::size_t kPiece = 16'000;
  for (std::size_t at = 0; at < bytes; at += kPiece) {
    for (const auto& file : files) {
      EXPECT_TRUE(co_await file->append(as_bytes(noise.substr(at, kPiece))));
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    files[i]->finish();
    exchanges[i].capture.file = std::move(files[i]);
    EXPECT_TRUE(co_await (*archive)->put(exchanges[i]));
    exchanges[i].capture.file.reset();
  }
  EXPECT_TRUE(co_await (*archive)->close());
  setting.disk().before_operation({});
  co_return most;
}

// A memory cgroup may count them, and end the process.
TEST(ArchiveLarge, FewBytesAreUnsynced) {
  for (const std::size_t count : {1, 7, 40}) {
    Setting setting;
    const std::uint64_t most = setting.world.run(most_unsynced(setting, count, 1'000'000));
    EXPECT_GT(most, kUnsyncedBytes / 2) << "a sync of every piece would be slow";
    EXPECT_LT(most, kUnsyncedBytes * 5 / 2) << count << " bodies and one archive";
    expect_good(setting.contents(kFirstFile));
  }
}

TEST(ArchiveLarge, WhatAnEarlierProcessLeftIsRemoved) {
  Setting setting;
  setting.disk().put("crawl-body-7.part", "half of a video");
  setting.disk().put("other-body-7.part", "of another archive");
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), {exchange_of("/", "x")})));
  EXPECT_THAT(setting.disk().names(), ElementsAre(kFirstFile, "other-body-7.part"));
}

}  // namespace
}  // namespace gossamer::store

// Tests an archive at its limits, after failures of the disk, and its index.

#include <gtest/gtest.h>
#include <tests/support/archive_setting.h>

#include <cerrno>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "base/random.h"
#include "store/archive.h"

namespace gossamer::store {
namespace {

using support::archive_all;
using support::exchange_of;
using support::options_for;
using Setting = support::ArchiveSetting;
using Names = std::vector<std::string>;

// BORROWS: all.
async::Task<Result<Names>> put_twice(Setting& setting, std::uint64_t failing, int error_number) {
  auto archive = co_await Archive::open(setting.files, setting.pool, options_for());
  if (!archive) co_return fail(std::move(archive).error());
  setting.disk().fail_operation(failing, error_number);
  Names results;
  const crawler::Exchange exchange = exchange_of("/", "x");
  for (int i = 0; i < 2; ++i) {
    auto place = co_await (*archive)->put(exchange);
    results.emplace_back(place ? "good" : base::name(place.error().code()));
  }
  static_cast<void>(co_await (*archive)->close());
  co_return results;
}

// The first operation creates the file, the second writes its first record.
TEST(ArchiveLimits, AFileThatCannotBeginIsTriedAgainOnlyAfterAFullDisk) {
  for (const std::uint64_t operation : {1U, 2U}) {
    Setting full;
    EXPECT_EQ(*full.world.run(put_twice(full, operation, ENOSPC)), (Names{"no_space", "good"}));
    EXPECT_EQ(full.disk().names(), Names{"crawl-00001.warc.gz"});
    EXPECT_EQ(full.contents("crawl-00001.warc.gz").records.size(), 3U);
    Setting broken;
    EXPECT_EQ(*broken.world.run(put_twice(broken, operation, EIO)),
              (Names{"io_failed", "io_failed"}));
  }
}

TEST(ArchiveLimits, ASyncWithoutSpaceIsAPermanentFailure) {
  Setting setting;
  const auto run = [](Setting& in) -> async::Task<Result<Names>> {
    auto archive = co_await Archive::open(in.files, in.pool, options_for());
    const crawler::Exchange exchange = exchange_of("/", "x");
    static_cast<void>(co_await (*archive)->put(exchange));
    in.disk().fail_operation(1, ENOSPC);
    Names results;
    for (int i = 0; i < 2; ++i) {
      auto synced = co_await (*archive)->sync();
      results.emplace_back(synced ? "good" : base::name(synced.error().code()));
    }
    co_return results;
  };
  EXPECT_EQ(*setting.world.run(run(setting)), (Names{"io_failed", "io_failed"}));
}

// The first operation of a close syncs the file, the second renames it.
TEST(ArchiveLimits, AFileThatCannotBeRenamedIsTriedAgainOnlyAfterAFullDisk) {
  const auto close_twice = [](Setting& in, int error_number) -> async::Task<Result<Names>> {
    auto archive = co_await Archive::open(in.files, in.pool, options_for());
    const crawler::Exchange exchange = exchange_of("/", "x");
    static_cast<void>(co_await (*archive)->put(exchange));
    in.disk().fail_operation(2, error_number);
    Names results;
    for (int i = 0; i < 2; ++i) {
      auto closed = co_await (*archive)->close();
      results.emplace_back(closed ? "good" : base::name(closed.error().code()));
    }
    co_return results;
  };
  Setting full;
  EXPECT_EQ(*full.world.run(close_twice(full, ENOSPC)), (Names{"no_space", "good"}));
  EXPECT_EQ(full.disk().names(), Names{"crawl-00001.warc.gz"});
  Setting broken;
  EXPECT_EQ(*broken.world.run(close_twice(broken, EIO)), (Names{"io_failed", "io_failed"}));
}

TEST(ArchiveLimits, TheProtocolHasItsRegisteredName) {
  Setting setting;
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/", "x")};
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  const auto contents = setting.contents("crawl-00001.warc.gz");
  EXPECT_EQ(contents.records.at(1).head.fields.find("WARC-Protocol"), "http/1.1");
}

TEST(ArchiveLimits, AClosedArchiveTakesNothingAndKnowsItsFiles) {
  Setting setting;
  const auto run = [](Setting& in) -> async::Task<Result<void>> {
    auto archive = co_await Archive::open(in.files, in.pool, options_for());
    const crawler::Exchange exchange = exchange_of("/", "x");
    static_cast<void>(co_await (*archive)->put(exchange));
    EXPECT_EQ((*archive)->whole_length("crawl-00001.warc.gz"), std::nullopt);
    EXPECT_TRUE(co_await (*archive)->close());
    EXPECT_EQ((*archive)->closed_files(), Names{"crawl-00001.warc.gz"});
    EXPECT_EQ((*archive)->whole_length("crawl-00001.warc.gz"),
              in.disk().content("crawl-00001.warc.gz")->size());
    auto late = co_await (*archive)->put(exchange);
    EXPECT_FALSE(late);
    EXPECT_EQ(late.error(), Errc::closed);
    co_return {};
  };
  EXPECT_TRUE(setting.world.run(run(setting)));
}

TEST(ArchiveLimits, AFileMayBeExactlyAsLargeAsTheBound) {
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/1", "x"), exchange_of("/2", "y")};
  const auto names_with = [&](std::uint64_t file_bytes_max) {
    Setting setting;
    ArchiveOptions options = options_for();
    options.file_bytes_max = file_bytes_max;
    EXPECT_TRUE(setting.world.run(archive_all(setting, std::move(options), exchanges)));
    return std::pair(setting.disk().names().size(),
                     setting.disk().content("crawl-00001.warc.gz")->size());
  };
  const auto [files, bytes] = names_with(1'000'000);
  EXPECT_EQ(files, 1U);
  EXPECT_EQ(names_with(bytes).first, 1U);
  EXPECT_EQ(names_with(bytes - 1).first, 2U);
}

TEST(ArchiveLimits, AFileThatHasOnlyBegunTakesALargeExchange) {
  Setting setting;
  const auto run = [](Setting& in) -> async::Task<Result<void>> {
    ArchiveOptions options = options_for();
    options.file_bytes_max = 100;
    auto archive = co_await Archive::open(in.files, in.pool, std::move(options));
    EXPECT_TRUE(co_await (*archive)->begin());
    const crawler::Exchange exchange = exchange_of("/", "x");
    EXPECT_TRUE(co_await (*archive)->put(exchange));
    co_return co_await (*archive)->close();
  };
  EXPECT_TRUE(setting.world.run(run(setting)));
  EXPECT_EQ(setting.disk().names(), Names{"crawl-00001.warc.gz"});
}

TEST(ArchiveLimits, EachRecordHasItsOwnId) {
  Setting setting;
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/1", "x"), exchange_of("/2", "y")};
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  std::set<std::string> ids;
  const auto contents = setting.contents("crawl-00001.warc.gz");
  for (const support::ArchivedRecord& record : contents.records) {
    ids.emplace(record.head.record_id());
  }
  EXPECT_EQ(ids.size(), 5U);
}

TEST(ArchiveLimits, TheIndexHasAnEntryForEachResponse) {
  Setting setting;
  std::vector<warc::CdxjEntry> entries;
  ArchiveOptions options = options_for();
  options.on_entry = [&](const warc::CdxjEntry& entry) { entries.push_back(entry); };
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/1", "x"), exchange_of("/2", "y")};
  const auto places = setting.world.run(archive_all(setting, std::move(options), exchanges));
  ASSERT_TRUE(places);
  ASSERT_EQ(entries.size(), 2U);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].url, exchanges[i].url);
    EXPECT_EQ(entries[i].key, warc::capture_key(exchanges[i].url));
    EXPECT_EQ(entries[i].timestamp, "20231114221320");
    EXPECT_EQ(entries[i].mime, "text/html");
    EXPECT_EQ(entries[i].status, "200");
    EXPECT_EQ(entries[i].filename, places->at(i).file);
    EXPECT_EQ(entries[i].offset, places->at(i).offset);
    EXPECT_EQ(entries[i].length, places->at(i).length);
  }
}

// --- concurrent writers

std::string noise_of(std::uint64_t seed, std::size_t bytes) {
  base::Random random(seed);
  std::string noise;
  for (std::size_t i = 0; i < bytes; ++i) noise.push_back(static_cast<char>(random.next()));
  return noise;
}

// BORROWS: both.
async::Task<Result<void>> put_quietly(Archive& archive, const crawler::Exchange& exchange) {
  auto place = co_await archive.put(exchange);
  EXPECT_TRUE(place);
  co_return {};
}

// BORROWS: both.
async::Task<Result<void>> put_together(Setting& in, const std::vector<crawler::Exchange>& all) {
  ArchiveOptions options = options_for();
  options.file_bytes_max = 4000;
  auto archive = co_await Archive::open(in.files, in.pool, std::move(options));
  if (!archive) co_return fail(std::move(archive).error());
  async::Scope scope;
  for (const crawler::Exchange& exchange : all) scope.spawn(put_quietly(**archive, exchange));
  static_cast<void>(co_await scope.join());
  co_return co_await (*archive)->close();
}

TEST(ArchiveLimits, ExchangesThatAreWrittenTogetherStartANewFileToo) {
  Setting setting;
  std::vector<crawler::Exchange> exchanges;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const std::string path = "/" + std::to_string(i);
    exchanges.push_back(exchange_of(path, noise_of(i, i == 5 ? 2500 : 700)));
  }
  ASSERT_TRUE(setting.world.run(put_together(setting, exchanges)));
  std::size_t responses = 0;
  for (const std::string& name : setting.disk().names()) {
    EXPECT_LE(setting.disk().content(name)->size(), 4000U) << name;
    for (const support::ArchivedRecord& record : setting.contents(name).records) {
      if (record.head.type == warc::RecordType::response) ++responses;
    }
  }
  EXPECT_EQ(responses, exchanges.size());
}

// --- failures

TEST(ArchiveLimits, ARecordThatCannotBeWrittenIsAPermanentFailure) {
  const auto put_both = [](Setting& in, int error_number) -> async::Task<Result<Names>> {
    auto archive = co_await Archive::open(in.files, in.pool, options_for());
    EXPECT_TRUE(co_await (*archive)->begin());
    EXPECT_EQ(in.disk().names(), Names{"crawl-00001.warc.gz.open"}) << "it has begun";
    in.disk().fail_operation(1, error_number);
    Names results;
    const crawler::Exchange exchange = exchange_of("/", "x");
    for (int i = 0; i < 2; ++i) {
      auto place = co_await (*archive)->put(exchange);
      results.emplace_back(place ? "good" : base::name(place.error().code()));
    }
    EXPECT_EQ((*archive)->failure().has_value(), error_number == EIO);
    auto begun = co_await (*archive)->begin();
    results.emplace_back(begun ? "good" : base::name(begun.error().code()));
    co_return results;
  };
  Setting full;
  EXPECT_EQ(*full.world.run(put_both(full, ENOSPC)), (Names{"no_space", "good", "good"}));
  Setting broken;
  EXPECT_EQ(*broken.world.run(put_both(broken, EIO)),
            (Names{"io_failed", "io_failed", "io_failed"}));
}

TEST(ArchiveLimits, EachSyncMakesTheExchangesBeforeItDurable) {
  Setting setting;
  const auto run = [](Setting& in) -> async::Task<Result<void>> {
    auto archive = co_await Archive::open(in.files, in.pool, options_for());
    EXPECT_TRUE(co_await (*archive)->sync()) << "there is no file yet";
    for (const char* const path : {"/1", "/2"}) {
      const crawler::Exchange exchange = exchange_of(path, path);
      EXPECT_TRUE(co_await (*archive)->put(exchange));
      EXPECT_TRUE(co_await (*archive)->sync());
    }
    in.disk().fail_operation(1, EIO);
    EXPECT_TRUE(co_await (*archive)->sync()) << "nothing has changed, so it does nothing";
    co_return {};
  };
  ASSERT_TRUE(setting.world.run(run(setting)));
  setting.disk().crash();
  std::size_t responses = 0;
  for (const auto& record : setting.contents("crawl-00001.warc.gz.open").records) {
    if (record.head.type == warc::RecordType::response) ++responses;
  }
  EXPECT_EQ(responses, 2U);
}

TEST(ArchiveLimits, TheIndexHasTheDigestOfEachPayload) {
  Setting setting;
  std::vector<warc::CdxjEntry> entries;
  ArchiveOptions options = options_for();
  options.on_entry = [&](const warc::CdxjEntry& entry) { entries.push_back(entry); };
  ASSERT_TRUE(setting.world.run(
      archive_all(setting, std::move(options), {exchange_of("/1", "x"), exchange_of("/2", "y")})));
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].digest, "sha1:CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS");
  EXPECT_NE(entries[0].digest, entries[1].digest);
}

TEST(ArchiveLimits, PayloadsInMemoryAreTheFirst) {
  PayloadsInMemory known(2);
  const auto digest = [](const char* text) {
    return warc::digest_of(warc::DigestAlgorithm::sha1, as_bytes(std::string_view(text)));
  };
  for (const char* const text : {"a", "b", "c"}) {
    EXPECT_TRUE(known.add(digest(text), {.record_id = text, .target_uri = "", .date = {}}));
  }
  EXPECT_EQ((*known.find(digest("a")))->record_id, "a");
  EXPECT_EQ((*known.find(digest("b")))->record_id, "b");
  EXPECT_FALSE(known.find(digest("c"))->has_value());
}

TEST(ArchiveLimits, AFileThatHasOnlyBegunIsDurableAfterClose) {
  Setting setting;
  const auto run = [](Setting& in) -> async::Task<Result<void>> {
    auto archive = co_await Archive::open(in.files, in.pool, options_for());
    EXPECT_TRUE(co_await (*archive)->begin());
    co_return co_await (*archive)->close();
  };
  ASSERT_TRUE(setting.world.run(run(setting)));
  setting.disk().crash();
  EXPECT_EQ(setting.contents("crawl-00001.warc.gz").records.size(), 1U) << "the warcinfo record";
}

}  // namespace
}  // namespace gossamer::store

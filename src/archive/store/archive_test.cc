#include "store/archive.h"

#include <gtest/gtest.h>
#include <tests/support/archive_contents.h>
#include <tests/support/archive_setting.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "store/archiving_sink.h"
#include "tests/simulated/world.h"
#include "warc/verifier.h"

namespace gossamer::store {
namespace {

using support::ArchivedRecord;

using support::archive_all;
using support::exchange_of;
using support::options_for;
using Setting = support::ArchiveSetting;

std::vector<std::string> types_of(const support::ArchiveContents& contents) {
  std::vector<std::string> types;
  for (const ArchivedRecord& record : contents.records) {
    types.emplace_back(warc::name(record.head.type));
  }
  return types;
}

using Types = std::vector<std::string>;
using Names = std::vector<std::string>;

TEST(Archive, HasAWarcinfoThenRequestAndResponseOfEveryExchange) {
  Setting setting;
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/", "<p>"),
                                                    exchange_of("/b", "more")};
  const auto places = setting.world.run(archive_all(setting, options_for(), exchanges));
  ASSERT_TRUE(places) << places.error().to_string();
  EXPECT_EQ(setting.disk().names(), Names{"crawl-00001.warc.gz"});
  const auto contents = setting.contents("crawl-00001.warc.gz");
  EXPECT_TRUE(contents.faults.empty());
  ASSERT_EQ(types_of(contents), (Types{"warcinfo", "request", "response", "request", "response"}));
  EXPECT_EQ(contents.records[0].block, "software: gossamer\r\n");
  EXPECT_EQ(contents.records[1].block, exchanges[0].capture.request_head);
  EXPECT_EQ(contents.records[2].block, exchanges[0].capture.response_head + "<p>");
  EXPECT_EQ(contents.records[2].head.target_uri(), "http://a.example/");
  EXPECT_EQ(contents.records[1].head.fields.find("WARC-Concurrent-To"),
            contents.records[2].head.record_id());
  EXPECT_EQ((*places)[1].file, "crawl-00001.warc.gz");
  EXPECT_EQ((*places)[1].offset, contents.records[4].extent.member_offset);
  EXPECT_EQ((*places)[1].length, contents.records[4].extent.member_bytes);
}

TEST(Archive, IsDurableAfterClose) {
  Setting setting;
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/", "<p>")};
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  setting.disk().crash();
  EXPECT_EQ(setting.disk().names(), Names{"crawl-00001.warc.gz"});
  EXPECT_EQ(setting.contents("crawl-00001.warc.gz").records.size(), 3U);
}

TEST(Archive, StartsANewFileBeforeOneBecomesTooLarge) {
  Setting setting;
  ArchiveOptions options = options_for();
  options.file_bytes_max = 2000;
  std::string noise;
  base::Random random(1);
  for (int i = 0; i < 600; ++i) noise.push_back(static_cast<char>(random.next()));
  std::vector<crawler::Exchange> exchanges;
  for (int i = 0; i < 6; ++i) exchanges.push_back(exchange_of("/" + std::to_string(i), noise));
  const auto places = setting.world.run(archive_all(setting, std::move(options), exchanges));
  ASSERT_TRUE(places);
  const Names names = setting.disk().names();
  EXPECT_GT(names.size(), 2U);
  std::size_t responses = 0;
  for (const std::string& name : names) {
    EXPECT_LE(setting.disk().content(name)->size(), 2000U) << name;
    const auto contents = setting.contents(name);
    EXPECT_EQ(contents.records[0].head.fields.find("WARC-Filename"), name);
    responses += static_cast<std::size_t>(std::ranges::count(types_of(contents), "response"));
  }
  EXPECT_EQ(responses, 6U);
}

TEST(Archive, DoesNotSplitAnExchangeThatIsLargerThanAFile) {
  Setting setting;
  ArchiveOptions options = options_for();
  options.file_bytes_max = 100;
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/1", "a"), exchange_of("/2", "b")};
  ASSERT_TRUE(setting.world.run(archive_all(setting, std::move(options), exchanges)));
  EXPECT_EQ(types_of(setting.contents("crawl-00002.warc.gz")),
            (Types{"warcinfo", "request", "response"}));
}

TEST(Archive, ContainsNoSecrets) {
  Setting setting;
  std::vector<crawler::Exchange> exchanges = {exchange_of("/", "")};
  exchanges[0].capture.request_head =
      "GET / HTTP/1.1\r\nHost: h\r\nauthorization: Basic canary\r\nCookie: a=canary\r\n"
      "Proxy-Authorization: canary\r\nX-API-Key: canary\r\nAccept: */*\r\n\r\n";
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  EXPECT_EQ(setting.contents("crawl-00001.warc.gz").records[1].block,
            "GET / HTTP/1.1\r\nHost: h\r\nAccept: */*\r\n\r\n");
}

TEST(Archive, NamesTheProtocols) {
  Setting setting;
  std::vector<crawler::Exchange> exchanges = {exchange_of("/", "")};
  exchanges[0].facts.protocol = "HTTP/2";
  exchanges[0].facts.connection.tls = {.protocol = "TLSv1.3", .cipher = "TLS_AES_128_GCM_SHA256"};
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  const auto contents = setting.contents("crawl-00001.warc.gz");
  for (const std::size_t i : {1U, 2U}) {  // request and response
    const warc::Fields& fields = contents.records[i].head.fields;
    Names protocols;
    for (const auto& field : fields) {
      if (field.name == "WARC-Protocol") protocols.push_back(field.value);
    }
    EXPECT_EQ(protocols, (Names{"h2", "tls/1.3"}));
    EXPECT_EQ(fields.find("WARC-Cipher-Suite"), "TLS_AES_128_GCM_SHA256");
  }
}

TEST(Archive, SaysWhyABodyIsTruncated) {
  Setting setting;
  std::vector<crawler::Exchange> exchanges;
  for (const crawler::Cut cut : {crawler::Cut::none, crawler::Cut::length, crawler::Cut::time,
                                 crawler::Cut::disconnect, crawler::Cut::unread}) {
    exchanges.push_back(exchange_of("/", "part"));
    exchanges.back().capture.cut = cut;
  }
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  std::vector<std::string> words;
  for (const ArchivedRecord& record : setting.contents("crawl-00001.warc.gz").records) {
    if (record.head.type != warc::RecordType::response) continue;
    words.emplace_back(record.head.fields.find("WARC-Truncated").value_or("-"));
  }
  EXPECT_EQ(words, (Names{"-", "length", "time", "disconnect", "unspecified"}));
}

TEST(Archive, StoresAKnownPayloadOnce) {
  Setting setting;
  PayloadsInMemory known;
  ArchiveOptions options = options_for();
  options.known = &known;
  std::vector<std::string> index;
  options.on_entry = [&](const warc::CdxjEntry& entry) { index.push_back(entry.mime); };
  std::vector<crawler::Exchange> exchanges = {
      exchange_of("/a", "same"),  exchange_of("/b", "same", "X: 1\r\n"),
      exchange_of("/c", "other"), exchange_of("/d", ""),
      exchange_of("/e", ""),      exchange_of("/f", "same")};
  exchanges.back().capture.cut = crawler::Cut::time;
  ASSERT_TRUE(setting.world.run(archive_all(setting, std::move(options), exchanges)));
  const auto contents = setting.contents("crawl-00001.warc.gz");
  ASSERT_EQ(types_of(contents),
            (Types{"warcinfo", "request", "response", "request", "revisit", "request", "response",
                   "request", "response", "request", "response", "request", "response"}));
  const warc::RecordHead& original = contents.records[2].head;
  const ArchivedRecord& revisit = contents.records[4];
  EXPECT_EQ(revisit.block, exchanges[1].capture.response_head);
  EXPECT_EQ(revisit.head.fields.find("WARC-Profile"),
            "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
  EXPECT_EQ(revisit.head.fields.find("WARC-Refers-To"), original.record_id());
  EXPECT_EQ(revisit.head.fields.find("WARC-Refers-To-Target-URI"), "http://a.example/a");
  EXPECT_EQ(revisit.head.fields.find("WARC-Payload-Digest"),
            original.fields.find("WARC-Payload-Digest"));
  EXPECT_EQ(index, (Names{"text/html", "warc/revisit", "text/html", "text/html", "text/html",
                          "text/html"}));
}

TEST(Archive, RefersToTheOriginalOfA304) {
  Setting setting;
  const crawler::Exchange exchange = exchange_of("/", "");
  const auto put = setting.world.run(
      [](Setting& in, const crawler::Exchange& given) -> async::Task<Result<void>> {
        auto archive = co_await Archive::open(in.files, in.pool, options_for());
        const NotModified earlier = {.original = {.record_id = "",
                                                  .target_uri = "http://a.example/",
                                                  .date = {.seconds = 1'600'000'000}},
                                     .payload = std::nullopt};
        auto place = co_await (*archive)->put(given, earlier);
        if (!place) co_return fail(std::move(place).error());
        co_return co_await (*archive)->close();
      }(setting, exchange));
  ASSERT_TRUE(put);
  const auto contents = setting.contents("crawl-00001.warc.gz");
  ASSERT_EQ(types_of(contents), (Types{"warcinfo", "request", "revisit"}));
  EXPECT_EQ(contents.records[2].head.fields.find("WARC-Profile"),
            "http://netpreserve.org/warc/1.1/revisit/server-not-modified");
  EXPECT_EQ(contents.records[2].head.fields.find("WARC-Refers-To-Date"),
            "2020-09-13T12:26:40.000Z");
}

TEST(Archive, ListsTheLinksOfAPage) {
  Setting setting;
  std::vector<crawler::Exchange> exchanges = {exchange_of("/", "x")};
  exchanges[0].capture.outlinks = {{"http://a.example/b", "L a/@href"}};
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  const auto contents = setting.contents("crawl-00001.warc.gz");
  ASSERT_EQ(types_of(contents), (Types{"warcinfo", "request", "response", "metadata"}));
  EXPECT_EQ(contents.records[3].block, "outlink: http://a.example/b L a/@href\r\n");
}

TEST(Archive, StoresWhatABrowserMadeOfAPage) {
  Setting setting;
  crawler::Exchange rendered = exchange_of("/", "<p>shown");
  rendered.capture.request_head.clear();
  rendered.capture.response_head.clear();
  std::vector<crawler::Exchange> exchanges;
  exchanges.push_back(std::move(rendered));
  exchanges.push_back(exchange_of("/", "<script>"));
  std::vector<std::string> entries;
  ArchiveOptions options = options_for();
  options.on_entry = [&](const warc::CdxjEntry& entry) { entries.push_back(entry.url); };
  ASSERT_TRUE(setting.world.run(archive_all(setting, std::move(options), exchanges)));
  const auto contents = setting.contents("crawl-00001.warc.gz");
  EXPECT_TRUE(contents.faults.empty());
  ASSERT_EQ(types_of(contents), (Types{"warcinfo", "conversion", "request", "response"}));
  const ArchivedRecord& shown = contents.records[1];
  EXPECT_EQ(shown.block, "<p>shown");
  EXPECT_EQ(shown.head.content_type(), "text/html;charset=utf-8");
  EXPECT_EQ(shown.head.target_uri(), contents.records[3].head.target_uri());
  EXPECT_EQ(shown.head.date(), contents.records[3].head.date());
  EXPECT_EQ(entries, Names{"http://a.example/"});
}

TEST(Archive, WritesOneRecordWhateverThePayloadContains) {
  Setting setting;
  const std::string payload =
      "\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n";
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/", payload)};
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  EXPECT_EQ(setting.contents("crawl-00001.warc.gz").records.size(), 3U);
}

TEST(Archive, ContinuesAfterExistingFiles) {
  Setting setting;
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/", "x")};
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for("crawl-2"), exchanges)));
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  EXPECT_EQ(setting.disk().names(),
            (Names{"crawl-00001.warc.gz", "crawl-00002.warc.gz", "crawl-2-00001.warc.gz"}));
}

// BORROWS: the setting.
async::Task<Result<Names>> open_and_list(Setting& setting) {
  auto archive = co_await Archive::open(setting.files, setting.pool, options_for());
  if (!archive) co_return fail(std::move(archive).error());
  Names names;
  for (const std::string& name : (*archive)->closed_files()) {
    names.push_back(name + " " + std::to_string((*archive)->whole_length(name).value_or(0)));
  }
  co_return names;
}

TEST(Archive, TruncatesAnOpenFileAfterItsLastCompleteRecord) {
  Setting setting;
  const std::vector<crawler::Exchange> exchanges = {exchange_of("/", "x")};
  ASSERT_TRUE(setting.world.run(archive_all(setting, options_for(), exchanges)));
  const std::string whole = *setting.disk().content("crawl-00001.warc.gz");
  setting.disk().put("crawl-00002.warc.gz.open", whole + whole.substr(0, 100));
  setting.disk().put("crawl-00003.warc.gz.open", whole.substr(0, 20));
  setting.disk().put("other-00001.warc.gz.open", "not ours");
  const std::string length = " " + std::to_string(whole.size());
  const auto names = setting.world.run(open_and_list(setting));
  ASSERT_TRUE(names) << names.error().to_string();
  EXPECT_EQ(*names, (Names{"crawl-00001.warc.gz" + length, "crawl-00002.warc.gz" + length}));
  EXPECT_EQ(setting.disk().names(),
            (Names{"crawl-00001.warc.gz", "crawl-00002.warc.gz", "other-00001.warc.gz.open"}));
  setting.disk().crash();
  EXPECT_EQ(setting.disk().content("crawl-00002.warc.gz"), whole);
}

TEST(Archive, DoesNotOverwriteACompleteFile) {
  Setting setting;
  setting.disk().put("crawl-00001.warc.gz", "whole");
  setting.disk().put("crawl-00001.warc.gz.open", "");
  const auto names = setting.world.run(open_and_list(setting));
  ASSERT_FALSE(names);
  EXPECT_EQ(names.error(), Errc::exists);
  EXPECT_EQ(setting.disk().content("crawl-00001.warc.gz"), "whole");
}

// The disk is full for one exchange and has space for the next.
TEST(Archive, RemovesAPartialRecordAndContinues) {
  sim::SimOptions world = sim::calm_options();
  world.disk.bytes_max = 4000;
  Setting setting(world);
  std::string noise;
  base::Random random(1);
  for (int i = 0; i < 5000; ++i) noise.push_back(static_cast<char>(random.next()));
  const auto run = [](Setting& in, const std::string& large) -> async::Task<Result<Names>> {
    auto archive = co_await Archive::open(in.files, in.pool, options_for());
    Names results;
    for (const std::string& payload : {std::string("a"), large, std::string("b")}) {
      const crawler::Exchange exchange = exchange_of("/", payload);
      auto place = co_await (*archive)->put(exchange);
      results.emplace_back(place ? "good" : base::name(place.error().code()));
    }
    if (auto closed = co_await (*archive)->close(); !closed) {
      co_return fail(std::move(closed).error());
    }
    co_return results;
  };
  const auto results = setting.world.run(run(setting, noise));
  ASSERT_TRUE(results);
  EXPECT_EQ(*results, (Names{"good", "no_space", "good"}));
  const auto contents = setting.contents("crawl-00001.warc.gz");
  EXPECT_TRUE(contents.faults.empty());
  EXPECT_EQ(types_of(contents), (Types{"warcinfo", "request", "response", "request", "response"}));
}

// BORROWS: all; they outlive the scope this runs in.
async::Task<Result<void>> put_one(Archive& archive, const crawler::Exchange& exchange,
                                  Result<ArchivePlace>& place) {
  place = co_await archive.put(exchange);
  co_return {};
}

TEST(Archive, WritesWaitingExchangesTogetherIfTheyFit) {
  sim::SimOptions world = sim::calm_options();
  world.disk.bytes_max = 6000;
  Setting setting(world);
  std::string noise;
  base::Random random(1);
  for (int i = 0; i < 5000; ++i) noise.push_back(static_cast<char>(random.next()));
  std::vector<crawler::Exchange> exchanges;
  for (const std::string path : {"/a", "/b", "/c", "/large", "/d"}) {
    exchanges.push_back(exchange_of(path, path == "/large" ? noise : path));
  }
  std::vector<Result<ArchivePlace>> places(exchanges.size());
  const auto run = [](Setting& in, const std::vector<crawler::Exchange>& from,
                      std::vector<Result<ArchivePlace>>& into) -> async::Task<Result<void>> {
    auto archive = co_await Archive::open(in.files, in.pool, options_for());
    async::Scope scope;
    for (std::size_t i = 0; i < from.size(); ++i) {
      scope.spawn(put_one(**archive, from[i], into[i]));
    }
    static_cast<void>(co_await scope.join());
    co_return co_await (*archive)->close();
  };
  ASSERT_TRUE(setting.world.run(run(setting, exchanges, places)));
  const auto contents = setting.contents("crawl-00001.warc.gz");
  EXPECT_TRUE(contents.faults.empty());
  std::size_t found = 0;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    const bool is_large = exchanges[i].capture.payload == noise;
    ASSERT_EQ(places[i].has_value(), !is_large) << exchanges[i].url;
    if (is_large) EXPECT_EQ(places[i].error(), Errc::no_space);
    for (const ArchivedRecord& record : contents.records) {
      if (is_large || record.extent.member_offset != places[i]->offset) continue;
      EXPECT_EQ(record.head.target_uri(), exchanges[i].url);
      EXPECT_EQ(record.extent.member_bytes, places[i]->length);
      ++found;
    }
  }
  EXPECT_EQ(found, 4U);
}

TEST(Archive, NeverRetriesAFailedSync) {
  Setting setting;
  const auto run = [](Setting& in) -> async::Task<Result<Names>> {
    auto archive = co_await Archive::open(in.files, in.pool, options_for());
    const crawler::Exchange exchange = exchange_of("/", "x");
    static_cast<void>(co_await (*archive)->put(exchange));
    in.disk().fail_operation(1, EIO);
    Names results;
    for (int i = 0; i < 2; ++i) {
      auto synced = co_await (*archive)->sync();
      results.emplace_back(synced ? "good" : base::name(synced.error().code()));
    }
    auto place = co_await (*archive)->put(exchange);
    results.emplace_back(place ? "good" : base::name(place.error().code()));
    auto closed = co_await (*archive)->close();
    results.emplace_back(closed ? "good" : base::name(closed.error().code()));
    co_return results;
  };
  const auto results = setting.world.run(run(setting));
  ASSERT_TRUE(results);
  EXPECT_EQ(*results, (Names{"io_failed", "io_failed", "io_failed", "io_failed"}));
  EXPECT_EQ(setting.disk().names(), Names{"crawl-00001.warc.gz.open"});
}

// Puts 20 exchanges of some 800 bytes at the same time; returns how long that takes. BORROWS: all.
async::Task<Result<Duration>> put_at_once(Setting& setting, std::uint64_t pending_bytes_max) {
  ArchiveOptions options = options_for();
  options.pending_bytes_max = pending_bytes_max;
  auto archive = co_await Archive::open(setting.files, setting.pool, std::move(options));
  if (!archive) co_return fail(std::move(archive).error());
  if (auto begun = co_await (*archive)->begin(); !begun) co_return fail(std::move(begun).error());
  std::vector<crawler::Exchange> exchanges;
  for (int i = 0; i < 20; ++i) exchanges.push_back(exchange_of("/", std::string(600, 'x')));
  const Instant before = async::Loop::current().now();
  async::Scope scope;
  for (const crawler::Exchange& exchange : exchanges) {
    scope.spawn([](Archive& into, const crawler::Exchange& one) -> async::Task<Result<void>> {
      auto place = co_await into.put(one);
      if (!place) co_return fail(std::move(place).error());
      co_return {};
    }(**archive, exchange));
  }
  if (auto joined = co_await scope.join(); !joined) co_return fail(std::move(joined).error());
  const Duration took = async::Loop::current().now() - before;
  if (auto closed = co_await (*archive)->close(); !closed)
    co_return fail(std::move(closed).error());
  co_return took;
}

// A write takes 50 microseconds here. Without a bound, one write takes all that wait for it.
TEST(Archive, MakesCallersWaitForRoom) {
  const auto time_with = [](std::uint64_t pending_bytes_max) {
    Setting setting;
    const auto took = setting.world.run(put_at_once(setting, pending_bytes_max));
    EXPECT_TRUE(took) << took.error().to_string();
    EXPECT_EQ(setting.contents("crawl-00001.warc.gz").records.size(), 41U);
    return took.value_or(Duration::zero());
  };
  EXPECT_GE(time_with(1000), 20 * 50us) << "one at a time";
  EXPECT_GE(time_with(100), 20 * 50us) << "each is larger than the bound, and still written";
  EXPECT_LE(time_with(1'000'000), 5 * 50us);
  const std::uint64_t bytes = exchange_of("/", std::string(600, 'x')).capture.bytes();
  EXPECT_LE(time_with(3 * bytes), 15 * 50us) << "three fit: one is written and two wait";
}

}  // namespace
}  // namespace gossamer::store

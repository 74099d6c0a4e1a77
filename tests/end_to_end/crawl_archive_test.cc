// Tests `gossamer crawl --warc-file`: the archive contains what the servers sent.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/crawl_run.h"
#include "tests/support/archive_contents.h"
#include "warc/http_block.h"
#include "warc/record.h"

namespace gossamer::cli {
namespace {

using support::ArchivedRecord;
using support::ScriptedServerThread;
using support::TestFolder;
using warc::RecordType;

std::vector<std::string> archives_in(const TestFolder& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().string().ends_with(".warc.gz")) paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

std::vector<std::string> names_in(const TestFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::vector<ArchivedRecord> records_of(const TestFolder& folder) {
  std::vector<ArchivedRecord> records;
  for (const std::string& path : archives_in(folder)) {
    auto contents = support::read_archive(support::file_content(path));
    EXPECT_TRUE(contents.faults.empty()) << path;
    std::ranges::move(contents.records, std::back_inserter(records));
  }
  return records;
}

std::size_t count_of(const std::vector<ArchivedRecord>& records, RecordType type) {
  return static_cast<std::size_t>(std::ranges::count_if(
      records, [type](const ArchivedRecord& record) { return record.head.type == type; }));
}

const ArchivedRecord* find(const std::vector<ArchivedRecord>& records, RecordType type,
                           const std::string& url) {
  for (const ArchivedRecord& record : records) {
    if (record.head.type == type && record.head.target_uri() == url) return &record;
  }
  ADD_FAILURE() << "no " << warc::name(type) << " of " << url;
  return nullptr;
}

// "gossamer warc ..." and what it says.
std::pair<int, std::string> warc(std::vector<std::string> words) {
  words.insert(words.begin(), "warc");
  CommandRun run(words);
  const int exit_code = run.wait();
  return {exit_code, run.out() + run.err()};
}

void expect_sound(const std::vector<std::string>& files) {
  std::vector<std::string> words = {"check"};
  words.insert(words.end(), files.begin(), files.end());
  const auto [exit_code, said] = warc(words);
  EXPECT_EQ(exit_code, 0) << said;
}

std::string gzipped(const std::string& text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(text.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

constexpr std::string_view kInjection =
    "<p>\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n";

TEST(CrawlArchive, HasWhatTheServerSentByteForByte) {
  const std::string root = "<a href=/coded><a href=/chunked><a href=/injected><a href=/gone>";
  const std::string coded = gzipped("<title>coded</title>" + std::string(3000, 'x'));
  const std::string odd_head =
      "HTTP/1.1 200 Fine  by me\r\ncontent-TYPE:text/html\r\nX-Odd:  a \tb\r\n"
      "Transfer-Encoding: chunked\r\n\r\n";
  const std::string gone = "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone";
  ScriptedServerThread server(
      {{.bytes = kMissing},
       {.bytes = answer(root)},
       {.bytes = answer(coded, "Content-Encoding: gzip\r\n")},
       {.bytes = odd_head + "3\r\n<p>\r\n5;x=y\r\nhello\r\n0\r\nT: 1\r\n\r\n"},
       {.bytes = answer(std::string(kInjection))},
       {.bytes = gone}});
  TestFolder folder;
  const auto outcome =
      crawl({server.url("/"), "--concurrency", "1", "--warc-file", folder.file("a")});
  EXPECT_EQ(outcome.exit_code, 8) << outcome.err;
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"a-00001.warc.gz"});
  expect_sound(archives_in(folder));

  const auto records = records_of(folder);
  EXPECT_EQ(count_of(records, RecordType::warcinfo), 1U);
  EXPECT_EQ(count_of(records, RecordType::request), 6U);
  EXPECT_EQ(count_of(records, RecordType::response), 6U);
  const auto block_of = [&](const std::string& path) {
    const ArchivedRecord* const record = find(records, RecordType::response, server.url(path));
    return record == nullptr ? std::string() : record->block;
  };
  EXPECT_EQ(block_of("/robots.txt"), kMissing);
  EXPECT_EQ(block_of("/"), answer(root));
  EXPECT_EQ(block_of("/coded"), answer(coded, "Content-Encoding: gzip\r\n"));
  EXPECT_EQ(block_of("/chunked"), odd_head + "8\r\n<p>hello\r\n0\r\n\r\n");
  EXPECT_EQ(block_of("/injected"), answer(std::string(kInjection)));
  EXPECT_EQ(block_of("/gone"), gone);
  server.stop();
  EXPECT_EQ(find(records, RecordType::request, server.url("/coded"))->block, server.requests()[2]);
  EXPECT_EQ(
      find(records, RecordType::response, server.url("/"))->head.fields.find("WARC-IP-Address"),
      "127.0.0.1");
}

TEST(CrawlArchive, SaysInEveryRecordWhereItIs) {
  ScriptedServerThread server({{.bytes = answer("<p>the body")}});
  TestFolder folder;
  const auto outcome = crawl({server.url("/"), "--no-robots", "--warc-file", folder.file("a")});
  ASSERT_EQ(outcome.records.size(), 1U);
  const Json& place = outcome.records[0]["warc"];
  EXPECT_EQ(place["file"], "a-00001.warc.gz");
  const auto [exit_code, block] =
      warc({"cat", folder.file("a-00001.warc.gz"), "--offset",
            std::to_string(place["offset"].get<std::uint64_t>()), "--payload"});
  EXPECT_EQ(exit_code, 0);
  EXPECT_EQ(block, "<p>the body");
  EXPECT_EQ(place["offset"].get<std::uint64_t>() + place["length"].get<std::uint64_t>(),
            std::filesystem::file_size(folder.file("a-00001.warc.gz")));
}

TEST(CrawlArchive, SaysNothingAboutArchivesWithoutOne) {
  ScriptedServerThread server({{.bytes = answer("")}});
  const auto outcome = crawl({server.url("/"), "--no-robots"});
  ASSERT_EQ(outcome.records.size(), 1U);
  EXPECT_FALSE(outcome.records[0].contains("warc"));
}

TEST(CrawlArchive, TellsNoSecrets) {
  ScriptedServerThread server(
      {{.bytes = answer("<a href=/b>", "Set-Cookie: a=set\r\n")}, {.bytes = answer("")}});
  TestFolder folder;
  std::string url = server.url("/");
  url.insert(url.find("127"), "user:canary@");
  const auto outcome = crawl({url, "--no-robots", "-H", "X-Token: canary", "-H",
                              "Accept-Language: de", "--warc-file", folder.file("a"), "--wacz"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  server.stop();
  EXPECT_TRUE(has(server.requests()[1], "Authorization:")) << server.requests()[1];
  EXPECT_TRUE(has(server.requests()[1], "X-Token: canary")) << server.requests()[1];
  for (const ArchivedRecord& record : records_of(folder)) {
    EXPECT_FALSE(has(record.block, "canary") || has(record.head.raw, "canary")) << record.block;
    if (record.head.type != RecordType::request) continue;
    EXPECT_FALSE(has(record.block, "Authorization") || has(record.block, "Cookie"));
    EXPECT_TRUE(has(record.block, "Accept-Language: de")) << record.block;
  }
  EXPECT_FALSE(has(support::file_content(folder.file("a.wacz")), "canary"));
}

TEST(CrawlArchive, MarksWhatWasCut) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
  ScriptedServerThread server(
      {{.bytes = answer("<a href=/long><a href=/left>")},
       {.bytes = answer(std::string(100'000, 'x'))},
       {.bytes = head + "Content-Length: 50\r\n\r\nonly this", .closes = true}});
  TestFolder folder;
  crawl({server.url("/"), "--no-robots", "--concurrency", "1", "-t", "1", "--max-size", "1000",
         "--warc-file", folder.file("a")});
  const auto records = records_of(folder);
  const auto* const long_one = find(records, RecordType::response, server.url("/long"));
  const auto* const left = find(records, RecordType::response, server.url("/left"));
  ASSERT_TRUE(long_one != nullptr && left != nullptr);
  EXPECT_EQ(long_one->head.fields.find("WARC-Truncated"), "length");
  EXPECT_TRUE(long_one->block.ends_with("\r\n\r\n" + std::string(1000, 'x')));
  EXPECT_EQ(left->head.fields.find("WARC-Truncated"), "disconnect");
  EXPECT_TRUE(left->block.ends_with("only this"));
  expect_sound(archives_in(folder));
}

TEST(CrawlArchive, StoresCopiesOnceAndLinksWhereThatIsWanted) {
  ScriptedServerThread server({{.bytes = answer("<a href=/1><img src=/2.png><a href=/2>")},
                               {.bytes = answer("<p>the same")}});
  TestFolder folder;
  crawl({server.url("/"), "--no-robots", "--concurrency", "1", "--warc-file", folder.file("a"),
         "--warc-dedup", "--warc-metadata", "--warc-header", "operator: A Library"});
  const auto records = records_of(folder);
  EXPECT_EQ(count_of(records, RecordType::response), 2U);
  EXPECT_EQ(count_of(records, RecordType::revisit), 1U);
  const auto* const revisit = find(records, RecordType::revisit, server.url("/2"));
  ASSERT_NE(revisit, nullptr);
  EXPECT_EQ(revisit->head.fields.find("WARC-Refers-To-Target-URI"), server.url("/1"));
  ASSERT_EQ(count_of(records, RecordType::metadata), 1U);
  EXPECT_EQ(find(records, RecordType::metadata, server.url("/"))->block,
            "outlink: " + server.url("/1") + " L a/@href\r\noutlink: " + server.url("/2.png") +
                " E img/@src\r\noutlink: " + server.url("/2") + " L a/@href\r\n");
  EXPECT_TRUE(has(records[0].block, "operator: A Library\r\n")) << records[0].block;
  EXPECT_TRUE(has(records[0].block, "robots: ignore\r\n")) << records[0].block;
  expect_sound(archives_in(folder));
}

class CrawlArchiveOnLoops : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Loops, CrawlArchiveOnLoops, testing::Values("1", "2"));

TEST_P(CrawlArchiveOnLoops, GoesIntoSeveralFilesWithOneIndexAndOnePackage) {
  SiteThread site(plain_site(60));
  TestFolder folder;
  const auto outcome =
      crawl({site.url("/"), "--threads", GetParam(), "--warc-file", folder.file("deep/a"),
             "--warc-max-size", "50K", "--warc-cdx", "--wacz"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(outcome.records.size(), 60U);
  std::vector<std::string> files;
  std::size_t responses = 0;
  for (int i = 1;; ++i) {
    std::string path = folder.file("deep/a-0000" + std::to_string(i) + ".warc.gz");
    if (!std::filesystem::exists(path)) break;
    EXPECT_LE(std::filesystem::file_size(path), 51'200U) << path;
    responses +=
        count_of(support::read_archive(support::file_content(path)).records, RecordType::response);
    files.push_back(std::move(path));
  }
  EXPECT_GT(files.size(), 2U);
  EXPECT_EQ(responses, 61U);  // and robots.txt
  expect_sound(files);
  expect_sound({folder.file("deep/a.wacz")});
  std::vector<std::string> words = {"index"};
  words.insert(words.end(), files.begin(), files.end());
  const std::string index = support::file_content(folder.file("deep/a.cdxj"));
  EXPECT_TRUE(index == warc(words).second) << index;
  EXPECT_EQ(support::lines_of(index).size(), 61U);
  for (const Json& record : outcome.records) {
    EXPECT_TRUE(has(index, "\"offset\": \"" + record["warc"]["offset"].dump() +
                               "\", \"filename\": " + record["warc"]["file"].dump()));
  }
}

TEST(CrawlArchive, IsClosedAndIndexedWhenTheUserStopsIt) {
  SiteThread site(plain_site(5000, 20ms));
  TestFolder folder;
  CommandRun run(crawl_words({site.url("/"), "--concurrency", "4", "--warc-file", folder.file("a"),
                              "--warc-cdx", "--wacz"}));
  wait_for_requests(site, 30);
  run.send_signal(SIGINT);
  EXPECT_EQ(run.wait(), 11) << run.err();
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{"a-00001.warc.gz", "a.cdxj", "a.wacz"}));
  expect_sound({folder.file("a-00001.warc.gz"), folder.file("a.wacz")});
  const std::size_t responses = count_of(records_of(folder), RecordType::response);
  EXPECT_EQ(run.out_lines().size() + 1, responses);  // and robots.txt
  EXPECT_EQ(support::lines_of(support::file_content(folder.file("a.cdxj"))).size(), responses);
}

TEST(CrawlArchive, IsWholeAfterTheProgramWasKilledAndStartedAgain) {
  SiteThread site(plain_site(5000, 2ms));
  TestFolder folder;
  for (int kills = 1; kills <= 3; ++kills) {
    CommandRun run(crawl_words({site.url("/"), "--concurrency", "8", "--warc-file",
                                folder.file("a"), "--warc-max-size", "40K"}));
    wait_for_requests(site, static_cast<std::uint64_t>(kills) * 100);
    run.send_signal(SIGKILL);
    run.wait();
  }
  const auto outcome =
      crawl({site.url("/"), "--limit", "20", "--warc-file", folder.file("a"), "--warc-cdx"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const std::string& name : names_in(folder)) EXPECT_FALSE(name.ends_with(".open")) << name;
  expect_sound(archives_in(folder));
  const auto records = records_of(folder);
  const std::size_t responses = count_of(records, RecordType::response);
  EXPECT_GT(responses, 200U);
  EXPECT_EQ(support::lines_of(support::file_content(folder.file("a.cdxj"))).size(), responses);
}

// A disk of its own, which goes with the test. Only root may have one.
class SmallDisk {
 public:
  explicit SmallDisk(const TestFolder& folder) : path_(folder.path().string()) {
    is_there_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=128k") == 0;
  }
  ~SmallDisk() {
    if (is_there_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool is_there() const { return is_there_; }

 private:
  std::string path_;
  bool is_there_ = false;
};

TEST(CrawlArchive, IsWholeWhenTheDiskIsFull) {
  SiteThread site(plain_site(2000));
  TestFolder folder;
  const SmallDisk disk(folder);
  if (!disk.is_there()) GTEST_SKIP() << "only root may mount a small disk";
  const auto outcome = crawl({site.url("/"), "--warc-file", folder.file("a")});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "No space left on device")) << outcome.err;
  EXPECT_EQ(names_in(folder), std::vector<std::string>{"a-00001.warc.gz"});
  expect_sound(archives_in(folder));
  EXPECT_GT(count_of(records_of(folder), RecordType::response), 10U);
}

TEST(CrawlArchive, MustBeNamedAndWritable) {
  const auto unnamed = crawl({"http://127.0.0.1:1/", "--warc-cdx"});
  EXPECT_EQ(unnamed.exit_code, 2);
  EXPECT_TRUE(has(unnamed.err, "--warc-file NAME")) << unnamed.err;
  const auto unwritable = crawl({"http://127.0.0.1:1/", "--warc-file", "/proc/nothing/a"});
  EXPECT_EQ(unwritable.exit_code, 3) << unwritable.err;
}

}  // namespace
}  // namespace gossamer::cli

// `gossamer index`, `gossamer search` and `crawl --index`, with archives of crawls and of others.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "crawl_run.h"
#include "tests/support/suite.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;
using ::testing::HasSubstr;

std::string archived_page(int number) {
  const std::string block =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html lang=en><title>Page " +
      std::to_string(number) + "</title><p>The amber stones of room" + std::to_string(number) +
      " are shown in the museum.";
  return "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:" + std::to_string(number) +
         ">\r\nWARC-Target-URI: http://museum.example/" + std::to_string(number) +
         "\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http\r\n"
         "Content-Length: " +
         std::to_string(block.size()) + "\r\n\r\n" + block + "\r\n\r\n";
}

std::string archive_of(int pages) {
  std::string archive;
  for (int number = 0; number < pages; ++number) archive += archived_page(number);
  return archive;
}

// The last line of `search --json`.
Json summary(const std::string& folder, const std::string& query) {
  CommandRun run({"search", folder, query, "--json", "--all"});
  EXPECT_LE(run.wait(), 1) << run.err();
  const auto lines = run.out_lines();
  return lines.empty() ? Json() : Json::parse(lines.back());
}

std::uint64_t total(const std::string& folder, const std::string& query) {
  return summary(folder, query).value("total", std::uint64_t{0});
}

TEST(Search, FindsThePagesOfAnArchive) {
  const TestFolder folder;
  folder.write("a.warc", archive_of(30));
  CommandRun index({"index", folder.file("a.warc"), "--check"});
  EXPECT_EQ(index.wait(), 0) << index.err();
  EXPECT_THAT(index.out(), HasSubstr("30 pages added, 0 were there already."));
  EXPECT_EQ(total(folder.path(), "amber"), 30U);
  EXPECT_EQ(total(folder.path(), "room7"), 1U);
  CommandRun found({"search", folder.path(), "stone room7"});
  EXPECT_EQ(found.wait(), 0) << found.err();
  EXPECT_THAT(found.out(), HasSubstr(" 1. Page 7\n    http://museum.example/7\n"));
  EXPECT_THAT(found.out(), HasSubstr("amber stones of room7 are shown"));
  EXPECT_THAT(found.out(), HasSubstr("1 page found."));
}

TEST(Search, SaysWhyItFoundNothing) {
  const TestFolder folder;
  CommandRun none({"search", folder.path(), "amber"});
  EXPECT_EQ(none.wait(), 2);
  EXPECT_THAT(none.err(), HasSubstr("there is no search index"));
  EXPECT_THAT(none.err(), HasSubstr("run `gossamer index "));
  folder.write("a.warc", archive_of(3));
  CommandRun index({"index", folder.path()});
  EXPECT_EQ(index.wait(), 0) << index.err();
  CommandRun misspelt({"search", folder.path(), "musuem"});
  EXPECT_EQ(misspelt.wait(), 1);
  EXPECT_THAT(misspelt.out(), HasSubstr("Did you mean: museum"));
  CommandRun wrong({"search", folder.path(), "before:soon"});
  EXPECT_EQ(wrong.wait(), 2);
  EXPECT_THAT(wrong.err(), HasSubstr("before:soon is not a date"));
}

TEST(Search, SaysWhichWordsAPageLacks) {
  const TestFolder folder;
  folder.write("a.warc", archive_of(30));
  CommandRun index({"index", folder.path()});
  EXPECT_EQ(index.wait(), 0) << index.err();
  CommandRun found({"search", folder.path(), "amber room7 quartz"});
  EXPECT_EQ(found.wait(), 0) << found.err();
  EXPECT_THAT(found.out(), HasSubstr("without: quartz\n"));
  EXPECT_THAT(found.out(), HasSubstr("1 page found, none with all words."));
  CommandRun lines({"search", folder.path(), "amber room7 quartz", "--json"});
  EXPECT_EQ(lines.wait(), 0) << lines.err();
  EXPECT_EQ(Json::parse(lines.out_lines().front())["missing"], Json::array({"quartz"}));
  EXPECT_EQ(Json::parse(lines.out_lines().back())["complete"], 0);
  CommandRun strict({"search", folder.path(), "amber room7 \"quartz\""});
  EXPECT_EQ(strict.wait(), 1);
}

TEST(Search, LeadsToTheHeading) {
  const TestFolder folder;
  std::string page = archived_page(1);
  const std::string tail =
      "<h2 id=glass>Melting glass</h2><p>It melts in a furnace that is hot enough.</p>";
  page.insert(page.rfind("\r\n\r\n"), tail);
  const std::size_t size = page.find("Content-Length: ") + 16;
  const std::size_t end = page.find("\r\n", size);
  page.replace(size, end - size, std::to_string(std::stoul(page.substr(size)) + tail.size()));
  folder.write("a.warc", page);
  CommandRun index({"index", folder.path()});
  EXPECT_EQ(index.wait(), 0) << index.err();
  CommandRun found({"search", folder.path(), "furnace"});
  EXPECT_EQ(found.wait(), 0) << found.err();
  EXPECT_THAT(found.out(), HasSubstr("    http://museum.example/1#glass\n    Melting glass\n"));
  CommandRun lines({"search", folder.path(), "furnace", "--json"});
  EXPECT_EQ(lines.wait(), 0) << lines.err();
  EXPECT_EQ(Json::parse(lines.out_lines().front())["anchor"], "glass");
  EXPECT_EQ(Json::parse(lines.out_lines().front())["url"], "http://museum.example/1");
}

TEST(Search, PrintsNothingThatControlsTheTerminal) {
  const TestFolder folder;
  std::string page = archived_page(1);
  page.replace(page.find("Page 1"), 6, "\x1B]0;a\x07");
  folder.write("a.warc", page);
  CommandRun index({"index", folder.path()});
  EXPECT_EQ(index.wait(), 0) << index.err();
  for (const char* const format : {"--json", "--csv", "--explain"}) {
    CommandRun found({"search", folder.path(), "amber", format});
    EXPECT_EQ(found.wait(), 0) << found.err();
    EXPECT_EQ(found.out().find('\x1B'), std::string::npos) << format;
  }
}

TEST(Index, BuildsADamagedIndexAgainButNoOtherFile) {
  const TestFolder folder;
  folder.write("a.warc", archive_of(20));
  folder.write("search.db", std::string("SQLite format 3\0", 16) + std::string(8000, 'x'));
  CommandRun index({"index", folder.path()});
  EXPECT_EQ(index.wait(), 0) << index.err();
  EXPECT_THAT(index.err(), HasSubstr("was damaged or outdated, so it was built again"));
  EXPECT_EQ(total(folder.path(), "amber"), 20U);
  const std::string notes = folder.write("notes.txt", "do not remove me, whatever happens here");
  CommandRun wrong({"index", folder.path(), "-o", notes});
  EXPECT_EQ(wrong.wait(), 2);
  EXPECT_THAT(wrong.err(), HasSubstr("is not a search index"));
  EXPECT_EQ(support::file_content(notes), "do not remove me, whatever happens here");
}

TEST(Index, NoticesDamageInTheMiddle) {
  const TestFolder folder;
  folder.write("a.warc", archive_of(300));
  CommandRun first({"index", folder.path()});
  ASSERT_EQ(first.wait(), 0) << first.err();
  {
    std::fstream file(folder.file("search.db"), std::ios::binary | std::ios::in | std::ios::out);
    for (int page = 1; page < 20; ++page) {
      file.seekp(4096 * page);
      file << std::string(4096, '\xAB');
    }
  }
  folder.write("b.warc", archived_page(1000));
  CommandRun again({"index", folder.path()});
  EXPECT_EQ(again.wait(), 0) << again.err();
  EXPECT_EQ(total(folder.path(), "amber"), 301U);
}

TEST(Index, ReplacesNothingThatAnotherProcessWrites) {
  const TestFolder folder;
  folder.write("a.warc", archive_of(20));
  CommandRun first({"index", folder.path()});
  ASSERT_EQ(first.wait(), 0) << first.err();
  const int lock = open(folder.file("search.db.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(lock, LOCK_SH | LOCK_NB), 0);  // as a crawl with --index has it
  CommandRun rebuilt({"index", folder.path(), "--rebuild"});
  EXPECT_EQ(rebuilt.wait(), 3);
  EXPECT_THAT(rebuilt.err(), HasSubstr("another process writes"));
  EXPECT_EQ(total(folder.path(), "amber"), 20U);
  folder.write("b.warc", archived_page(1000));
  CommandRun more({"index", folder.path()});
  EXPECT_EQ(more.wait(), 0) << more.err();
  close(lock);
  CommandRun again({"index", folder.path(), "--rebuild"});
  EXPECT_EQ(again.wait(), 0) << again.err();
  EXPECT_EQ(total(folder.path(), "amber"), 21U);
}

TEST(Index, KeepsTheOldIndexIfAnArchiveCannotBeRead) {
  const TestFolder folder;
  folder.write("a.warc", archive_of(20));
  CommandRun first({"index", folder.path()});
  ASSERT_EQ(first.wait(), 0) << first.err();
  folder.write("b.wacz", "PK\x03\x04 this is not a package");
  CommandRun rebuilt({"index", folder.path(), "--rebuild"});
  EXPECT_EQ(rebuilt.wait(), 3);
  EXPECT_THAT(rebuilt.err(), HasSubstr("was not replaced"));
  EXPECT_EQ(total(folder.path(), "amber"), 20U);
  EXPECT_FALSE(std::filesystem::exists(folder.file("search.db.new")));
}

// The moment of the kill is chance; what must hold does not depend on it.
TEST(Index, SurvivesKills) {
  constexpr int kPages = 3000;
  const std::uint64_t rounds = support::cases_to_run(100) / (support::is_long_suite() ? 1 : 2);
  const TestFolder folder;
  folder.write("a.warc", archive_of(kPages));
  folder.write("one.warc", archived_page(0));
  std::mt19937 random(42);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    CommandRun index({"index", folder.path()});
    usleep(static_cast<useconds_t>(random() % 400'000));
    index.send_signal(SIGKILL);
    if (index.wait() == 0) {
      for (const char* const name : {"search.db", "search.db-wal", "search.db-shm"}) {
        std::filesystem::remove(folder.file(name));
      }
    }
    CommandRun check({"index", folder.file("one.warc"), "-o", folder.file("search.db"), "--check"});
    EXPECT_EQ(check.wait(), 0) << round << ": " << check.err();
    EXPECT_EQ(has(check.err(), "built again"), false) << round << ": " << check.err();
  }
  CommandRun last({"index", folder.path(), "--check"});
  EXPECT_EQ(last.wait(), 0) << last.err();
  EXPECT_EQ(total(folder.path(), "amber"), static_cast<std::uint64_t>(kPages));
  for (const int number : {0, 1, 399, 400, 401, 1500, kPages - 1}) {
    EXPECT_EQ(total(folder.path(), "room" + std::to_string(number)), 1U) << number;
  }
}

TEST(Crawl, FillsTheIndexWhileItRuns) {
  SiteThread site(plain_site(60));
  const TestFolder folder;
  CommandRun crawl({"crawl", "--no-config", site.url("/"), "-q", "-j", folder.file("job"),
                    "--index", "-o", folder.file("pages.jsonl")});
  ASSERT_EQ(crawl.wait(), 0) << crawl.err();
  std::uint64_t pages = 0;
  for (const std::string& line :
       support::lines_of(support::file_content(folder.file("pages.jsonl")))) {
    const Json page = Json::parse(line);
    if (page.value("status", 0) == 200 && page.value("mime", "") == "text/html") ++pages;
  }
  EXPECT_GE(pages, 50U);
  EXPECT_EQ(total(folder.file("job"), ""), pages);
  // Everything is there, so the archive has nothing to add.
  CommandRun index({"index", folder.file("job"), "--check"});
  EXPECT_EQ(index.wait(), 0) << index.err();
  EXPECT_THAT(index.out(), HasSubstr(" 0 pages added, 0 were there already."));
  // An index of the archive is the same.
  CommandRun rebuilt({"index", folder.file("job"), "--rebuild", "--check"});
  EXPECT_EQ(rebuilt.wait(), 0) << rebuilt.err();
  EXPECT_EQ(total(folder.file("job"), ""), pages);
}

TEST(Crawl, RequiresAnArchiveForAnIndex) {
  CommandRun crawl({"crawl", "--no-config", "http://127.0.0.1:1/", "--index"});
  EXPECT_EQ(crawl.wait(), 2);
  EXPECT_THAT(crawl.err(), HasSubstr("--index requires --job DIR or --warc-file NAME"));
}

}  // namespace
}  // namespace gossamer::cli

// Tests what `gossamer crawl` writes about a crawl: formats, reports, reasons.

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/crawl_exit_code.h"
#include "tests/end_to_end/crawl_run.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

site::SiteOptions demo_site(std::uint64_t pages = 120) {
  site::SiteOptions options = site::SiteOptions::demo(5);
  options.pages = pages;
  return options;
}

Json json_in(const std::string& file) { return Json::parse(support::file_content(file)); }

TEST(CrawlFormatTest, WritesCsvThatHasTheSameRecordsAsJson) {
  SiteThread thread(demo_site(60));
  const Outcome csv = crawl({thread.url("/"), "--format", "csv", "--fields", "url,status,title"});
  const Outcome json = crawl({thread.url("/")});
  ASSERT_FALSE(csv.lines.empty()) << csv.err;
  EXPECT_EQ(csv.lines[0], "url,status,title\r");
  EXPECT_EQ(csv.lines.size(), json.records.size() + 1);
  const std::set<std::string> lines(csv.lines.begin(), csv.lines.end());
  const Json& root = json.records.at(0);
  EXPECT_TRUE(lines.contains(root["url"].get<std::string>() + ",200," +
                             root["title"].get<std::string>() + "\r"))
      << root;
}

TEST(CrawlFormatTest, WritesTheUrlsOfPagesThatWereFetched) {
  SiteThread thread(demo_site(60));
  const Outcome urls = crawl({thread.url("/"), "--format", "urls"});
  const Outcome json = crawl({thread.url("/")});
  std::set<std::string> expected;
  for (const Json& record : json.records) {
    if (record["status"] == 200) expected.insert(record["url"]);
  }
  EXPECT_EQ(std::set<std::string>(urls.lines.begin(), urls.lines.end()), expected);
}

TEST(CrawlFormatTest, WritesTheFieldsThatWereChosenInTheirOrder) {
  SiteThread thread(plain_site(3));
  const Outcome json =
      crawl({thread.url("/"), "--fields", "status,url", "--fields", "timings.total"});
  ASSERT_EQ(json.records.size(), 3u) << json.err;
  std::vector<std::string> names;
  for (const auto& [name, value] : json.records[0].items()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"status", "url", "timings"}));
  EXPECT_EQ(json.records[0]["timings"].size(), 1u);
  const Outcome text = crawl({thread.url("/"), "--format", "text", "--fields", "status,error,url"});
  ASSERT_EQ(text.lines.size(), 3u);
  EXPECT_EQ(text.lines[0], "200\t-\t" + thread.url("/"));
}

TEST(CrawlFormatTest, WritesLinksAndHeadersIfTheyAreNamed) {
  SiteThread thread(plain_site(3));
  EXPECT_FALSE(crawl({thread.url("/")}).records.at(0).contains("links"));
  const Outcome json = crawl({thread.url("/"), "--fields", "url,links,headers"});
  ASSERT_EQ(json.records.size(), 3u) << json.err;
  const Json& root = json.records[0];
  EXPECT_TRUE(root["headers"]["content-type"].get<std::string>().starts_with("text/html")) << root;
  std::set<std::string> urls;
  for (const Json& link : root["links"]) {
    EXPECT_EQ(link.size(), 4u) << link;
    if (link["kind"] == "page") urls.insert(link["url"]);
  }
  EXPECT_TRUE(urls.contains(json.records[1]["url"])) << root;
  const Outcome csv = crawl({thread.url("/"), "--format", "csv", "--fields", "url,links,headers"});
  ASSERT_EQ(csv.lines.size(), 4u) << csv.err;
  EXPECT_TRUE(csv.lines[0].starts_with("url,links,headers"));
  EXPECT_NE(csv.lines[1].find(R"(,"[{""url"": ""http)"), std::string::npos) << csv.lines[1];
}

TEST(CrawlFormatTest, ListsItsFieldsWithoutCrawling) {
  const Outcome outcome = crawl({"--list-fields"});
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_GT(outcome.lines.size(), 20u);
  EXPECT_TRUE(outcome.lines[0].starts_with("ts ")) << outcome.lines[0];
}

TEST(CrawlFormatTest, RefusesWhatThereIsNot) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> table = {
      {{"--fields", "url,stauts"}, "did you mean status?"},
      {{"--fields", "url,"}, "unknown field ''"},
      {{"--format", "csvs"}, "did you mean csv?"},
      {{"--format", "urls", "--fields", "url"}, "prints only URLs"},
      {{"--report", "report.pdf"}, ".html, .json or .md"},
      {{"--report", ".html"}, ".html, .json or .md"},
      {{"--why", "mailto:a@b.example"}, "neither http nor https"},
  };
  for (const auto& [words, expected] : table) {
    std::vector<std::string> all = words;
    all.emplace_back("http://127.0.0.1:9/");
    const Outcome outcome = crawl(all);
    EXPECT_EQ(outcome.exit_code, kUsage) << words[1];
    EXPECT_TRUE(has(outcome.err, expected)) << expected << " in " << outcome.err;
  }
}

TEST(CrawlReportFilesTest, TellWhatTheRecordsTell) {
  SiteThread thread(demo_site());
  const support::TestFolder folder;
  const Outcome outcome =
      crawl({thread.url("/"), "--sitemaps", "--report", folder.file("r.html"), "--report",
             folder.file("r.json"), "--report", folder.file("r.md")});
  ASSERT_FALSE(outcome.records.empty()) << outcome.err;
  const Json report = json_in(folder.file("r.json"));
  std::map<std::string, std::uint64_t> by_status;
  std::set<std::string> broken;
  std::uint64_t bytes = 0;
  for (const Json& record : outcome.records) {
    if (record["status"].is_number()) ++by_status[std::to_string(record["status"].get<int>())];
    bytes += record["bytes"].get<std::uint64_t>();
    const bool is_bad = !record["error"].is_null() || record["status"].get<int>() >= 400;
    if (is_bad) broken.insert(record["url"]);
  }
  EXPECT_EQ(report["totals"]["pages"], outcome.records.size());
  EXPECT_EQ(report["totals"]["bytes"], bytes);
  EXPECT_EQ(report["totals"]["by_status"], Json(by_status));
  EXPECT_GT(broken.size(), 3u);
  EXPECT_EQ(report["broken"]["total"], broken.size());
  for (const Json& row : report["broken"]["rows"]) {
    EXPECT_TRUE(broken.contains(row["url"])) << row;
    EXPECT_GT(row["links"], 0) << row;
    EXPECT_FALSE(row["found_on"].empty()) << row;
  }
  EXPECT_GT(report["redirect_chains"]["total"], 3);
  EXPECT_GT(report["duplicates"]["total"], 1);
  EXPECT_GT(report["orphans"]["total"], 0) << "the sitemap lists pages that no page links to";
  EXPECT_EQ(report["end"], "finished");
  EXPECT_TRUE(has(support::file_content(folder.file("r.html")), "<!DOCTYPE html>"));
  EXPECT_TRUE(has(support::file_content(folder.file("r.md")), "### Broken links"));
}

TEST(CrawlReportFilesTest, KnowEveryPageThatLinksToABrokenOne) {
  const std::string page = "<a href=/gone>x</a><a href=/b>b</a><a href=/gone#again>x</a>";
  // For robots.txt, the root, /gone and /b, in this order.
  support::ScriptedServerThread server(
      {{.bytes = kMissing}, {.bytes = answer(page)}, {.bytes = kMissing}, {.bytes = answer(page)}});
  const support::TestFolder folder;
  const Outcome outcome =
      crawl({server.url("/"), "--concurrency", "1", "--report", folder.file("r.json")});
  EXPECT_EQ(outcome.exit_code, kServerError) << outcome.err;
  const Json report = json_in(folder.file("r.json"));
  ASSERT_EQ(report["broken"]["total"], 1);
  EXPECT_EQ(report["broken"]["rows"][0]["links"], 2);
  EXPECT_EQ(report["broken"]["rows"][0]["found_on"], Json({server.url("/"), server.url("/b")}));
}

TEST(CrawlReportFilesTest, AreRefusedBeforeTheCrawlIfTheyCannotBeWritten) {
  SiteThread thread(plain_site(3));
  const support::TestFolder folder;
  std::filesystem::create_directories(folder.path() / "folder.html");
  for (const char* name : {"no/such/folder.html", "folder.html"}) {
    const Outcome outcome = crawl({thread.url("/"), "--report", folder.file(name)});
    EXPECT_EQ(outcome.exit_code, kFileFailed);
    EXPECT_TRUE(has(outcome.err, "cannot write ")) << outcome.err;
  }
  EXPECT_EQ(requests_to(thread), 0u) << "nothing was fetched";
}

TEST(CrawlReportFilesTest, AreWrittenWhenTheCrawlIsInterruptedToo) {
  SiteThread thread(plain_site(100'000, 5ms));
  const support::TestFolder folder;
  folder.write("r.json", "the one before");
  CommandRun run(
      crawl_words({thread.url("/"), "--report", folder.file("r.json"), "-o", folder.file("out")}));
  wait_for_requests(thread, 100);
  EXPECT_EQ(support::file_content(folder.file("r.json")), "the one before")
      << "whole or not at all";
  run.send_signal(SIGINT);
  EXPECT_EQ(run.wait(), kInterrupted) << run.err();
  const Json report = json_in(folder.file("r.json"));
  EXPECT_EQ(report["end"], "interrupted");
  EXPECT_EQ(report["totals"]["pages"], records_in(folder.file("out")).size());
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder.path())) {
    ++files;
  }
  EXPECT_EQ(files, 2u) << "nothing else is left behind";
}

TEST(CrawlWhyTest, SaysWhyAUrlWasFetchedOrWasNot) {
  const std::string root =
      "<a href=/old>o</a><a href=/private/x>p</a><a href=http://b.example/>b</a>";
  // For robots.txt, the root, /old and /new, in this order.
  support::ScriptedServerThread server(
      {{.bytes = answer("User-agent: *\nDisallow: /private/\n")},
       {.bytes = answer(root)},
       {.bytes = "HTTP/1.1 301 Moved\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n"},
       {.bytes = answer("<title>New</title>")}});
  const support::TestFolder folder;
  const Outcome outcome =
      crawl({server.url("/"), "--concurrency", "1", "-q", "-o", folder.file("out.jsonl"),
             "--skipped", folder.file("skipped.jsonl"), "--why", server.url("/new#part"), "--why",
             server.url("/private/x"), "--why", "http://b.example", "--why", server.url("/nwe")});
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "fetched: 200 OK")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "redirects (301) to " + server.url("/new"))) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "robots: robots.txt forbids it")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "robots.txt line 2: /private/")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "out_of_scope: outside the scope")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "never found")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "nearest       " + server.url("/new"))) << outcome.err;

  // The same from the files, afterwards.
  CommandRun why({"job", "why", folder.file("out.jsonl"), folder.file("skipped.jsonl"),
                  server.url("/new"), server.url("/private/x")});
  EXPECT_EQ(why.wait(), kOk) << why.err();
  EXPECT_TRUE(has(why.out(), "fetched: 200 OK")) << why.out();
  EXPECT_TRUE(has(why.out(), "redirects (301) to " + server.url("/new"))) << why.out();
  EXPECT_TRUE(has(why.out(), "robots.txt line 2: /private/")) << why.out();
  CommandRun never({"job", "why", folder.file("out.jsonl"), server.url("/nwe")});
  EXPECT_EQ(never.wait(), kFailed);
  EXPECT_TRUE(has(never.out(), "never found")) << never.out();
}

TEST(WhyCommandTest, ReadsACrawlDirectory) {
  support::ScriptedServerThread server({{.bytes = answer("User-agent: *\nDisallow: /private/\n")},
                                        {.bytes = answer("<a href=/private/x>p</a>")}});
  const support::TestFolder folder;
  EXPECT_EQ(crawl({server.url("/"), "-q", "-j", folder.file("job")}).exit_code, kOk);
  CommandRun why({"job", "why", folder.file("job"), server.url("/"), server.url("/private/x")});
  EXPECT_EQ(why.wait(), kOk) << why.err();
  EXPECT_TRUE(has(why.out(), "fetched: 200 OK")) << why.out();
  EXPECT_TRUE(has(why.out(), "robots.txt line 2: /private/")) << why.out();
  CommandRun other({"job", "why", folder.path().string(), server.url("/")});
  EXPECT_NE(other.wait(), kOk) << "this is not a crawl directory";
}

TEST(WhyCommandTest, SaysWhatItCannotRead) {
  const support::TestFolder folder;
  CommandRun missing({"job", "why", folder.file("missing.jsonl"), "a.example"});
  EXPECT_EQ(missing.wait(), kFileFailed);
  EXPECT_TRUE(has(missing.err(), "cannot read")) << missing.err();
  CommandRun strange({"job", "why", folder.write("x.jsonl", "no json\n{\"a\": 1}\n"), "a.example"});
  EXPECT_EQ(strange.wait(), kFailed);
  EXPECT_TRUE(has(strange.err(), "ignored 2 lines")) << strange.err();
  CommandRun nothing({"job", "why", folder.file("x.jsonl")});
  EXPECT_EQ(nothing.wait(), kUsage);
  CommandRun no_file({"job", "why", "a.example"});
  EXPECT_EQ(no_file.wait(), kUsage);
}

}  // namespace
}  // namespace gossamer::cli

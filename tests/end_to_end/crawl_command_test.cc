// Tests the input and output of `gossamer crawl` and `gossamer demo`.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/crawl_exit_code.h"
#include "site/comparison.h"
#include "tests/end_to_end/crawl_run.h"
#include "tests/site_server/truth_lines.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

TEST(CrawlCommandTest, FetchesWhatIsThereEachOnce) {
  site::SiteOptions options = site::SiteOptions::demo(5);
  options.pages = 150;
  SiteThread thread(options);
  const Outcome outcome = crawl({thread.url("/")});
  EXPECT_EQ(outcome.exit_code, kServerError) << "some links are dead";
  std::vector<site::CrawledUrl> crawled;
  for (const std::string& line : outcome.lines) {
    auto url = site::read_crawled_url(line);
    ASSERT_TRUE(url) << line;
    crawled.push_back(std::move(*url));
  }
  const site::Site& site = thread.server().site();
  const site::Comparison comparison = site::compare(site.layout(), site.truth(), crawled);
  EXPECT_TRUE(comparison.is_equal()) << site::describe(comparison);
  EXPECT_GT(comparison.equal, 150u);
}

TEST(CrawlCommandTest, EndsWithACodeIfAGuessSkippedUrls) {
  SiteThread thread(plain_site(3));
  const auto code = [&](const std::string& option) {
    return crawl({"-o", "/dev/null", option, thread.url("/")}).exit_code;
  };
  EXPECT_EQ(code("--max-url-length=1000"), kOk);
  EXPECT_EQ(code("--max-url-length=" + std::to_string(thread.url("/").size())), kFailed);
  EXPECT_EQ(code("--host-limit=1"), kOk) << "as the user wishes";
}

TEST(CrawlCommandTest, WritesTheFieldsThatAreDocumented) {
  SiteThread thread(plain_site(3));
  const Outcome outcome = crawl({thread.url("/")});
  ASSERT_EQ(outcome.exit_code, kOk) << outcome.err;
  ASSERT_EQ(outcome.records.size(), 3u);
  const Json& root = outcome.records[0];
  const std::vector<std::string> fixed = {
      "ts",   "url",     "status", "next_url", "error",       "error_detail", "bytes", "wire_bytes",
      "mime", "charset", "depth",  "via",      "links_found", "links_new",    "tries"};
  std::vector<std::string> names;
  for (const auto& [name, value] : root.items()) names.push_back(name);
  ASSERT_GE(names.size(), fixed.size());
  EXPECT_EQ(std::vector(names.begin(), names.begin() + 15), fixed);

  EXPECT_EQ(root["url"], thread.url("/"));
  EXPECT_EQ(root["status"], 200);
  for (const char* name : {"next_url", "error", "error_detail", "via"}) {
    EXPECT_TRUE(root[name].is_null()) << name;
  }
  EXPECT_EQ(root["mime"], "text/html");
  EXPECT_EQ(root["charset"], "UTF-8");
  EXPECT_EQ(root["depth"], 0);
  EXPECT_EQ(root["tries"], 1);
  EXPECT_EQ(root["links_new"], 2);
  EXPECT_GT(root["wire_bytes"], 0);
  const std::string ts = root["ts"];
  EXPECT_EQ(ts.size(), std::string("2026-01-01T00:00:00.000Z").size()) << ts;
  EXPECT_EQ(outcome.records[1]["via"], thread.url("/"));
  EXPECT_EQ(outcome.records[1]["depth"], 1);
}

TEST(CrawlCommandTest, RecordsRedirectsAndFailures) {
  support::ScriptedServerThread thread(
      {{.bytes = kMissing},
       {.bytes = "HTTP/1.1 302 Found\r\nLocation: /b?c#d\r\nContent-Length: 0\r\n\r\n"},
       {.bytes = kMissing}});
  const std::string nobody = "http://127.0.0.1:" + std::to_string(support::free_port()) + "/";
  const Outcome outcome = crawl({thread.url("/a"), nobody, "--max-tries", "1"});
  EXPECT_EQ(outcome.exit_code, kNetworkFailed) << "the lower one wins\n" << outcome.err;
  ASSERT_EQ(outcome.records.size(), 3u);
  for (const Json& record : outcome.records) {
    if (record["url"] == thread.url("/a")) {
      EXPECT_EQ(record["status"], 302);
      EXPECT_EQ(record["next_url"], thread.url("/b?c"));
      EXPECT_TRUE(record["error"].is_null());
    } else if (record["url"] == thread.url("/b?c")) {
      EXPECT_EQ(record["status"], 404);
      EXPECT_TRUE(record["error"].is_null()) << "an answer is no failure";
    } else {
      EXPECT_EQ(record["url"], nobody);
      EXPECT_TRUE(record["status"].is_null());
      EXPECT_EQ(record["error"], "refused");
      EXPECT_TRUE(record["error_detail"].is_string());
      EXPECT_TRUE(record["mime"].is_null());
    }
  }
}

TEST(CrawlCommandTest, EndsAtItsLimits) {
  SiteThread thread(plain_site(400, 5ms));
  Outcome outcome = crawl({thread.url("/"), "--limit", "17"});
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_EQ(outcome.records.size(), 17u);
  EXPECT_TRUE(has(outcome.err, "ended by --limit")) << outcome.err;

  outcome = crawl({thread.url("/"), "--quota", "100K"});
  EXPECT_EQ(outcome.exit_code, kQuotaReached) << outcome.err;
  EXPECT_GT(outcome.records.size(), 5u);
  EXPECT_LT(outcome.records.size(), 400u);

  outcome = crawl({thread.url("/"), "--max-time", "300ms", "--rate", "20"});
  EXPECT_EQ(outcome.exit_code, kTimeLimitReached) << outcome.err;
  EXPECT_LT(outcome.records.size(), 40u);

  outcome = crawl({thread.url("/"), "--depth", "0"});
  EXPECT_EQ(outcome.records.size(), 1u) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "too_deep")) << outcome.err;

  outcome = crawl({thread.url("/"), "--max-size", "1000", "--limit", "3"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_EQ(outcome.records.at(0)["truncated"], true);
  EXPECT_EQ(outcome.records.at(0)["truncated_by"], "length");
}

TEST(CrawlCommandTest, TakesItsRootsFromStandardInput) {
  SiteThread thread(plain_site(30));
  const std::string list = "# where to begin\n\n  127.0.0.1:" + thread.port() + "/ \r\n";
  const Outcome outcome = crawl({"-i", "-", "-q"}, list);
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.records.size(), 30u);
  EXPECT_TRUE(has(crawl({"-i", "-"}, "a.example\nht tp://\n").err, "(line 2 of standard input)"));
}

TEST(CrawlCommandTest, RefusesWhatMakesNoSense) {
  SiteThread thread(plain_site(3));
  const std::vector<std::pair<std::vector<std::string>, std::string>> table = {
      {{}, "no URL given"},
      {{"--dept", "3"}, "did you mean --depth?"},
      {{"htp://a.example/"}, "did you mean http://a.example/?"},
      {{"mailto:a@b.example"}, "neither http nor https"},
      {{"http://[::1/"}, "is not a URL"},
      {{"http://a b/"}, "is not a URL"},
      {{"ht!tp://a.example/"}, "did you mean http://a.example/?"},
      {{"./site.py"}, "use --input-file FILE"},
      {{"site"}, "write http://site/"},
      {{"http://me:hunter2@a b/"}, "http://***@a b/"},
      {{"--delay", "1", "s"}, "write http://s/"},
      {{"--exclude", "a(b"}, "a(b"},
      {{"--include", "*"}, "'*'"},
      {{"--scope", "hots"}, "did you mean host?"},
      {{"--scope", "any", "--strict"}, "use only one of"},
      {{"--format", "xml"}, "jsonl"},
      {{"--order", "random"}, "breadth"},
      {{"--depth", "-1"}, "--depth"},
      {{"--depth", "many"}, "inf"},
      {{"--concurrency", "0"}, "--concurrency"},
      {{"--concurrency", "4294967296"}, "--concurrency"},
      {{"--host-concurrency", "0"}, "--host-concurrency"},
      {{"--delay", "soon"}, "10s, 500ms"},
      {{"--rate", "0"}, "requests per second"},
      {{"--rate", "nan"}, "requests per second"},
      {{"--limit", "0"}, "--limit"},
      {{"--quota", "5X"}, "10M"},
      {{"--max-size", "-5"}, "--max-size"},
      {{"--max-tries", "0"}, "--max-tries"},
      {{"--max-redirect", "1000"}, "250"},
      {{"--max-time", "1y"}, "--max-time"},
      {{"--no-trap", "calender"}, "did you mean calendar?"},
      {{"--content-type", "html"}, "text/html"},
      {{"--skip-extensions", "zip,,pdf"}, "extensions"},
      {{"-H", "no colon"}, "Name: value"},
      {{"-H", "A: b\r\nInjected: yes"}, "line break"},
      {{"-H", "Host: b.example"}, "Host"},
      {{"-U", "/1.0"}, "robots.txt"},
      {{"--loop", "kqueue"}, "io_uring"},
      {{"--threads", "0"}, "--threads"},
      {{"--threads", "1000"}, "from 1 to"},
      {{"--proxy", "gopher://a"}, "gopher"},
      {{"--resolve", "a.example:127.0.0.1"}, "HOST:PORT:ADDRESS"},
      {{"-i", "/no/such/file"}, "/no/such/file"},
      {{"--load-cookies", "/no/such/file"}, "/no/such/file"},
  };
  for (const auto& [words, expected] : table) {
    std::vector<std::string> all = words;
    if (!words.empty() && words[0].starts_with('-')) all.push_back(thread.url("/"));
    const Outcome outcome = crawl(all);
    const std::string shown = words.empty() ? "" : words[0];
    EXPECT_EQ(outcome.exit_code, kUsage) << shown;
    EXPECT_TRUE(outcome.err.starts_with("gossamer crawl: ")) << outcome.err;
    EXPECT_EQ(support::lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_TRUE(has(outcome.err, expected)) << expected << " in " << outcome.err;
    EXPECT_TRUE(outcome.lines.empty()) << shown;
  }
  EXPECT_EQ(requests_to(thread), 0u) << "nothing was started";
}

TEST(CrawlCommandTest, WritesFilesAndNothingToStdout) {
  site::SiteOptions options = plain_site(40);
  options.offsite_links = 0.5;
  options.disallowed = 0.2;
  SiteThread thread(options);
  const support::TestFolder folder;
  const Outcome outcome =
      crawl({thread.url("/"), "-o", folder.file("results"), "--skipped", folder.file("skipped")});
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  EXPECT_TRUE(outcome.lines.empty());
  EXPECT_GT(records_in(folder.file("results")).size(), 20u);
  std::set<std::string> reasons;
  for (const Json& skipped : records_in(folder.file("skipped"))) {
    reasons.insert(skipped["skip_reason"]);
    EXPECT_TRUE(skipped["url"].is_string());
    EXPECT_TRUE(skipped["via"].is_string());
    if (skipped["skip_reason"] == "robots") {
      EXPECT_TRUE(has(skipped["detail"], "robots.txt line")) << skipped;
    }
  }
  EXPECT_EQ(reasons, (std::set<std::string>{"out_of_scope", "robots"}));
  const Outcome refused = crawl({thread.url("/"), "-o", folder.file("no/such/folder")});
  EXPECT_EQ(refused.exit_code, kFileFailed);
  EXPECT_TRUE(has(refused.err, "cannot write")) << refused.err;
}

TEST(CrawlCommandTest, TheExtensionOfTheFileChoosesTheFormat) {
  SiteThread thread(plain_site(3));
  const support::TestFolder folder;
  const std::string file = folder.file("pages.csv");
  EXPECT_EQ(crawl({thread.url("/"), "-o", file, "--fields", "status,url"}).exit_code, kOk);
  EXPECT_TRUE(support::file_content(file).starts_with("status,url\r\n200,http://"));
  EXPECT_EQ(crawl({thread.url("/"), "-o", file, "--format", "urls"}).exit_code, kOk);
  EXPECT_TRUE(support::file_content(file).starts_with("http://"));
}

// A report that cron mails must not have every record.
TEST(CrawlCommandTest, WithACrawlDirectoryResultsArePrintedOnlyOnRequest) {
  SiteThread thread(plain_site(3));
  const support::TestFolder folder;
  int number = 0;
  const auto printed = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {thread.url("/"), "-j", folder.file(std::to_string(++number))});
    const Outcome outcome = crawl(std::move(words));
    EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
    return outcome.lines.size();
  };
  EXPECT_EQ(printed({}), 0u);
  EXPECT_EQ(printed({"-q"}), 0u);
  EXPECT_GE(printed({"-o", "-"}), 3u);
  EXPECT_GE(printed({"--format", "urls"}), 3u);
  EXPECT_GE(printed({"--fields", "url"}), 3u);
}

TEST(CrawlCommandTest, ReportsWhatItDid) {
  SiteThread thread(plain_site(12));
  const Outcome outcome = crawl({thread.url("/"), "--format", "text"});
  EXPECT_TRUE(outcome.records.empty());
  EXPECT_EQ(outcome.lines.size(), 12u);
  EXPECT_TRUE(outcome.lines.at(0).starts_with("200 ")) << outcome.lines[0];
  EXPECT_TRUE(has(outcome.err, "12 URLs in ")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "every URL in scope was fetched")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "  status        200 ")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "  content type  text/html ")) << outcome.err;
}

TEST(CrawlCommandTest, SaysInOneSentenceWhyNothingCouldBeFetched) {
  const std::string nobody = "http://127.0.0.1:" + std::to_string(support::free_port()) + "/";
  const std::vector<std::pair<std::vector<std::string>, std::string>> table = {
      {{"http://no.such.invalid/"}, "there is no host named no.such.invalid. Check the spelling."},
      {{nobody, "-t", "1"}, "connection refused. Check that the server is running"},
      {{"http://169.254.169.254/", "-t", "1"}, "Use --allow-private"},
  };
  for (const auto& [words, expected] : table) {
    const Outcome outcome = crawl(words);
    EXPECT_EQ(support::lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("gossamer crawl: " + words[0] + " could not be fetched: "))
        << outcome.err;
    EXPECT_TRUE(has(outcome.err, expected)) << expected << " in " << outcome.err;
    EXPECT_EQ(outcome.exit_code, kNetworkFailed);
  }
}

TEST(CrawlCommandTest, LogsIntoAFile) {
  const support::TestFolder folder;
  SiteThread thread(plain_site(3));
  const Outcome outcome = crawl({thread.url("/"), "-v", "--log-file", folder.file("log")});
  EXPECT_EQ(outcome.exit_code, kOk);
  EXPECT_FALSE(has(outcome.err, "debug")) << outcome.err;
  EXPECT_TRUE(has(support::file_content(folder.file("log")), thread.url("/")));
}

TEST(CrawlCommandTest, SaysWhatItsOptionsAre) {
  CommandRun run({"crawl", "--help"});
  EXPECT_EQ(run.wait(), kOk);
  for (const char* word : {"--scope", "--concurrency", "--max-tries", "--max-redirect", "--lenient",
                           "--threads", "[host]", "[64]", "[jsonl]", "Exit codes"}) {
    EXPECT_TRUE(has(run.out(), word)) << word;
  }
  EXPECT_FALSE(has(run.out(), "--max_tasks")) << "a hidden name";
  CommandRun hidden({"crawl", "--max_tasks", "3", "--max_tries", "2", "--print-config"});
  EXPECT_EQ(hidden.wait(), kOk) << hidden.err();
  EXPECT_TRUE(has(hidden.out(), "concurrency = 3")) << hidden.out();
}

TEST(DemoCommandTest, FindsAllThatIsThere) {
  CommandRun run({"demo", "--seed", "9", "--pages", "120"});
  EXPECT_EQ(run.wait(), kOk) << run.err();
  EXPECT_TRUE(has(run.err(), "fetchable pages of the site were fetched, each once")) << run.err();
  EXPECT_GT(run.out_lines().size(), 100u);
}

}  // namespace
}  // namespace gossamer::cli

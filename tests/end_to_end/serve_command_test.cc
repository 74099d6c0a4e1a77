// Tests `gossamer serve` as a user runs it: a crawl is served, and its site is gone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crawl_run.h"
#include "site/site_options.h"
#include "tests/end_to_end/serve_run.h"
#include "tests/support/patience.h"
#include "tests/support/served_archive.h"

namespace gossamer::cli {
namespace {

using support::has;
using support::TestFolder;
using ::testing::HasSubstr;
using ::testing::Not;

class ServeCommandTest : public testing::Test {
 protected:
  // Crawls a small site, which is gone afterwards.
  void crawl_site(std::vector<std::string> words) {
    SiteThread server(plain_site(20));
    root_ = server.url("/");
    words.insert(words.end(), {"-q", "--no-progress", "-o", "/dev/null", root_});
    const Outcome crawled = crawl(words);
    ASSERT_EQ(crawled.exit_code, 0) << crawled.err;
    server.stop();
  }

  void serve(std::vector<std::string> words) {
    server_ = std::make_unique<ServeRun>(std::move(words));
  }
  std::string api(const std::string& rest) const { return server_->api(rest); }
  std::string replay_address() const {
    const std::string archives = api("archives");
    const std::string_view member = "\"replay\": \"";
    const std::size_t begin = archives.find(member) + member.size();
    return archives.substr(begin, archives.find('"', begin) - begin);
  }
  std::string replay(const std::string& rest) const {
    return fetched({replay_address() + "/" + rest});
  }
  // Those that the server has open.
  std::ptrdiff_t connections() const {
    const std::string metrics = fetched(
        {server_->address() + "metrics", "-H", "Authorization: Bearer " + server_->token()});
    const std::string_view name = "\ngossamer_serve_connections ";
    const std::size_t at = metrics.find(name);
    return at == std::string::npos ? 0 : std::stol(metrics.substr(at + name.size()));
  }

  // Starts a server, and through it a crawl in the folder "a". Returns the parent of that.
  std::string start_crawl(const std::string& url) {
    const std::string parent = folder_.file("crawls");
    EXPECT_TRUE(std::filesystem::create_directory(parent));
    serve({"--new", parent});
    EXPECT_THAT(server_->post("live/new", R"({"url": ")" + url + R"(", "folder": "a"})"),
                HasSubstr("\"ok\": true"));
    support::wait_until([this] { return has(api("live"), "\"state\": \"running\""); });
    return parent;
  }
  static std::string status_of(const std::string& job) {
    CommandRun status({"job", "status", job});
    EXPECT_EQ(status.wait(), 0) << status.err();
    return status.out();
  }

  TestFolder folder_;
  std::string root_;
  std::unique_ptr<ServeRun> server_;
};

TEST_F(ServeCommandTest, FindsTheArchiveOfACrawlDirectory) {
  crawl_site({"-j", folder_.file("job"), "--warc-file", folder_.file("elsewhere")});
  serve({folder_.file("job")});
  EXPECT_THAT(replay("latest/" + root_), HasSubstr("HTTP/1.1 200 OK"));
}

TEST_F(ServeCommandTest, SaysWhereTheArchiveOfACrawlDirectoryIs) {
  const std::string name = folder_.file("elsewhere");
  crawl_site({"-j", folder_.file("job"), "--warc-file", name});
  std::filesystem::rename(name + "-00001.warc.gz", name + "-moved.warc.gz");
  serve({folder_.file("job")});
  EXPECT_THAT(server_->process().err(),
              HasSubstr("gossamer serve " + folder_.file("job") + " " + name + "-*.warc.gz\n"));
}

TEST_F(ServeCommandTest, ServesACrawlDirectory) {
  crawl_site({"-j", folder_.file("job")});
  serve({folder_.file("job")});
  EXPECT_THAT(api("archives"), HasSubstr("\"state\": \"finished\""));
  EXPECT_THAT(api("pages?limit=1"), HasSubstr("\"title\": \""));
  EXPECT_THAT(api("report"), HasSubstr("\"end\": \"finished\""));
  EXPECT_THAT(api("captures?url=" + root_), HasSubstr("\"total\": 1"));
  const std::string page = replay("latest/" + root_);
  EXPECT_THAT(page, HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy: sandbox; default-src http://127.0.0.1:"));
  EXPECT_THAT(page, HasSubstr("href=\"/r/"));
  EXPECT_THAT(page, Not(HasSubstr("href=\"http")));
  EXPECT_THAT(replay("latest/https://live.example/"), HasSubstr("Not in the archive"));
  server_->process().send_signal(SIGINT);
  EXPECT_EQ(server_->process().wait(), 0) << server_->process().err();
}

TEST_F(ServeCommandTest, SaysWhyAStoredCrawlEnded) {
  crawl_site({"-j", folder_.file("job"), "--limit", "2"});
  serve({folder_.file("job")});
  EXPECT_THAT(api("report"), HasSubstr("\"end\": \"page_limit\""));
}

TEST_F(ServeCommandTest, ServesPackages) {
  crawl_site({"--warc-file", folder_.file("w"), "--wacz"});
  serve({folder_.file("w.wacz")});
  EXPECT_THAT(api("archives"), HasSubstr("\"kind\": \"wacz\""));
  EXPECT_THAT(replay("latest/" + root_), HasSubstr("HTTP/1.1 200 OK"));
}

TEST_F(ServeCommandTest, SearchesWhatWasIndexed) {
  crawl_site({"-j", folder_.file("job")});
  serve({folder_.file("job")});
  EXPECT_THAT(api("search?q=page"), HasSubstr("409"));
  CommandRun indexed({"index", folder_.file("job")});
  ASSERT_EQ(indexed.wait(), 0) << indexed.err();
  EXPECT_THAT(api("archives"), HasSubstr("\"searchable\": true"));
  EXPECT_THAT(api("search?q=site:127.0.0.1"), HasSubstr("\"captured\": \"20"));
  EXPECT_THAT(api("facets?q="), HasSubstr("\"site\": [{\"value\": \"127.0.0.1"));
}

TEST_F(ServeCommandTest, ABadIndexHidesNoOthers) {
  crawl_site({"-j", folder_.file("job")});
  CommandRun indexed({"index", folder_.file("job")});
  ASSERT_EQ(indexed.wait(), 0) << indexed.err();
  const std::string file =
      folder_.write("a.warc", tests::warc_record({.url = "https://a.example/"}));
  folder_.write("search.db", "not an index");
  serve({file, folder_.file("job")});
  EXPECT_THAT(api("search?q=site:127.0.0.1"), HasSubstr("\"captured\": \"20"));
}

// Another archive has an error at a URL that the crawl fetched.
TEST_F(ServeCommandTest, TheListOfPagesOfAnArchiveHasTheErrorsOfItsMap) {
  crawl_site({"-j", folder_.file("job")});
  const std::string file = folder_.write(
      "a.warc", tests::warc_record({.url = root_, .head = "HTTP/1.1 404 Not Found\r\n\r\n"}));
  serve({file, folder_.file("job")});
  EXPECT_THAT(api("sitemap?archive=0"), HasSubstr("\"errors\": 1"));
  EXPECT_THAT(api("pages?archive=0&status=error"), HasSubstr("\"outcome\": \"error\""));
  EXPECT_THAT(api("sitemap?archive=1"), HasSubstr("\"errors\": 0"));
  EXPECT_THAT(api("pages?archive=1&status=error"), HasSubstr("\"pages\": []"));
}

TEST_F(ServeCommandTest, NamesOfHostsMayHaveCapitals) {
  serve({folder_.write("a.warc", tests::warc_record({.url = "https://a.example/"})), "--host",
         "MyBox"});
  const std::string host = "mybox" + server_->address().substr(server_->address().rfind(':'));
  const std::string name = host.substr(0, host.size() - 1);
  EXPECT_THAT(
      fetched({server_->address() + "api/v1/archives", "-H", "Host: " + name, "-H",
               "Origin: http://" + name, "-H", "Authorization: Bearer " + server_->token()}),
      HasSubstr("HTTP/1.1 200 OK"));
}

// Twelve pages that take long to prepare are replayed, by a few threads. The dashboard has others:
// it answers before most of the pages are there.
TEST_F(ServeCommandTest, ReplayDoesNotDelayTheDashboard) {
  constexpr std::ptrdiff_t kReplays = 12;
  std::string body;
  while (body.size() < 24'000'000) body += "<p><a href='/page'>a link to rewrite</a>\n";
  serve({folder_.write("a.warc", tests::warc_record({.url = "https://a.example/", .body = body}))});
  const std::string page = replay_address() + "/latest/https://a.example/";
  std::vector<std::unique_ptr<CommandRun>> replays;
  for (std::ptrdiff_t i = 0; i < kReplays; ++i) {
    replays.push_back(std::make_unique<CommandRun>(std::vector<std::string>{
        "fetch", "--no-proxy", "--first-byte-timeout", "1h", "-H", "Range: bytes=0-0", page}));
  }
  const auto ended = [&] {
    return std::ranges::count_if(replays, [](const auto& run) { return run->has_ended(); });
  };
  // One of the connections is that of the metrics.
  support::wait_until([&] { return connections() + ended() > kReplays; });
  EXPECT_THAT(api("archives"), HasSubstr("200 OK"));
  EXPECT_LE(ended(), kReplays * 2 / 3);
}

TEST_F(ServeCommandTest, StartsACrawlForTheBrowser) {
  SiteThread site(plain_site(20));
  const std::string parent = folder_.file("crawls");
  ASSERT_TRUE(std::filesystem::create_directory(parent));
  serve({"--new", parent});
  const auto start = [&](const std::string& folder, std::vector<std::string> more) {
    more.insert(more.begin(), {server_->address() + "api/v1/live/new", "-d",
                               R"({"url": ")" + site.url("/") + R"(", "folder": ")" + folder +
                                   R"(", "limit": 10})",
                               "-H", "Content-Type: application/json"});
    return fetched(more);
  };
  const std::vector<std::string> token = {"-H", "Authorization: Bearer " + server_->token()};
  EXPECT_THAT(start("a", {}), HasSubstr("HTTP/1.1 401 "));
  EXPECT_THAT(start("a", {"-H", "Authorization: Bearer " + server_->token(), "-H",
                          "Origin: http://evil.example"}),
              HasSubstr("HTTP/1.1 403 "));
  EXPECT_THAT(start("../a", token), HasSubstr("HTTP/1.1 400 "));
  EXPECT_FALSE(std::filesystem::exists(parent + "/a"));
  EXPECT_THAT(start("a", token), HasSubstr(R"("ok": true, "archive": 0, "crawl": 0)"));
  support::wait_until([this] {
    return has(api("archives"), "\"state\": \"incomplete\"") ||
           has(api("archives"), "\"state\": \"stopped\"");
  });
  EXPECT_THAT(start("a", token), HasSubstr("HTTP/1.1 409 "));
  support::wait_until([&] { return has(replay("latest/" + site.url("/")), "HTTP/1.1 200 OK"); });
  EXPECT_THAT(replay("latest/" + site.url("/")), HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_THAT(api("search?q=site:127.0.0.1"), HasSubstr("\"captured\": \"20"));
  server_->process().send_signal(SIGINT);
  EXPECT_EQ(server_->process().wait(), 0) << server_->process().err();
}

TEST_F(ServeCommandTest, StopsTheCrawlsThatItStarted) {
  SiteThread site(plain_site(20'000, 20ms));
  const std::string parent = start_crawl(site.url("/"));
  server_->process().send_signal(SIGINT);
  EXPECT_EQ(server_->process().wait(), 0) << server_->process().err();
  EXPECT_FALSE(std::filesystem::exists(parent + "/a/control")) << "the crawl still runs";
  EXPECT_THAT(status_of(parent + "/a"), HasSubstr("stopped"));
  // What is there is served the next time.
  serve({"--new", parent});
  EXPECT_THAT(api("archives"), HasSubstr("\"name\": \"a\""));
}

TEST_F(ServeCommandTest, ACrawlStopsIfItsServerIsKilled) {
  SiteThread site(plain_site(20'000, 20ms));
  const std::string parent = start_crawl(site.url("/"));
  server_->process().send_signal(SIGKILL);
  static_cast<void>(server_->process().wait());
  EXPECT_TRUE(support::wait_until([&] { return has(status_of(parent + "/a"), ": stopped"); }));
}

TEST_F(ServeCommandTest, ASecondCtrlCDoesNotWaitForTheCrawls) {
  SiteThread site(plain_site(20'000, 60s));
  const std::string parent = start_crawl(site.url("/"));
  server_->process().send_signal(SIGINT);
  support::wait_until([this] { return has(server_->process().err(), "Stopping 1 crawl."); });
  server_->process().send_signal(SIGINT);
  EXPECT_EQ(server_->process().wait(), 0) << server_->process().err();
  // A crawl that the server had waited for would have stopped.
  EXPECT_THAT(status_of(parent + "/a"), HasSubstr("interrupted"));
}

TEST_F(ServeCommandTest, RejectsOtherHostsAndRequestsWithoutTheToken) {
  crawl_site({"-j", folder_.file("job")});
  serve({folder_.file("job")});
  EXPECT_THAT(fetched({server_->address() + "api/v1/archives"}), HasSubstr("HTTP/1.1 401 "));
  EXPECT_THAT(fetched({server_->address(), "-H", "Host: rebound.example"}),
              HasSubstr("HTTP/1.1 421 "));
  EXPECT_THAT(fetched({server_->address()}), HasSubstr("HTTP/1.1 200 "));
}

TEST_F(ServeCommandTest, OtherAddressesRequireAToken) {
  CommandRun run({"serve", folder_.file("none"), "--bind", "0.0.0.0"});
  EXPECT_EQ(run.wait(), 2);
  EXPECT_THAT(run.err(), HasSubstr("--bind requires --token-file"));
  CommandRun missing({"serve", folder_.file("none")});
  EXPECT_EQ(missing.wait(), 3) << missing.err();
  const std::string good = folder_.write("good", std::string(40, 'a'));
  const std::string file =
      folder_.write("a.warc", tests::warc_record({.url = "https://a.example/"}));
  CommandRun everywhere({"serve", file, "--token-file", good, "--bind", "0.0.0.0"});
  EXPECT_EQ(everywhere.wait(), 2);
  EXPECT_THAT(everywhere.err(), HasSubstr("--host"));
  const std::string weak = folder_.write("weak", "secret");
  CommandRun weakly({"serve", folder_.file("none"), "--token-file", weak});
  EXPECT_EQ(weakly.wait(), 2);
  EXPECT_THAT(weakly.err(), HasSubstr("32 to 128"));
}

}  // namespace
}  // namespace gossamer::cli

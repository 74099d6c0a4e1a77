// Tests `gossamer crawl --cluster` without faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/crawl_cluster_run.h"

namespace gossamer::cli {
namespace {

using testing::HasSubstr;

// How nodes share the work is tested in the simulation. Here the first may have leased every host
// before the others join.
TEST_F(CrawlClusterTest, NodesFetchEveryPageOnceAndEndTogether) {
  serve(80, 20ms);
  const RedisServer server;
  start_together(url_of(server), 3);
  for (std::size_t i = 0; i < 3; ++i) expect_success(i);
  EXPECT_EQ(expect_all(), 0u) << "every page is fetched once";
}

TEST_F(CrawlClusterTest, ALimitOfDepthGoesLevelByLevel) {
  serve_redirects(60, 10ms);
  const RedisServer server;
  start_together(url_of(server), 3, roots({"--depth", "3"}));
  for (std::size_t i = 0; i < 3; ++i) static_cast<void>(nodes_[i]->wait());
  EXPECT_EQ(expect_all(3), 0u) << "every page is fetched once";
  expect_levels(3);
}

TEST_F(CrawlClusterTest, EveryLoopIsANode) {
  serve(80, 20ms);
  const RedisServer server;
  // Waits for four nodes.
  start_together(url_of(server), 2, roots({"--threads", "2"}), 2);
  for (std::size_t i = 0; i < 2; ++i) expect_success(i);
  EXPECT_EQ(expect_all(), 0u) << "every page is fetched once";
}

TEST_F(CrawlClusterTest, LoopsShareTheLimit) {
  serve(80, 5ms);
  const RedisServer server;
  start(url_of(server), roots({"--threads", "3", "--limit", "50"}));
  expect_success(0);
  EXPECT_EQ(pages_of(0), 50u);
}

TEST_F(CrawlClusterTest, OrdersReachTheNodes) {
  serve(80, 20ms);
  const RedisServer server;
  start(url_of(server), roots({"--skipped", folder_.file("skipped")}));
  wait_until_paused(url_of(server));
  CommandRun add({"cluster", "add", url_of(server), roots()[0] + "added"});
  EXPECT_EQ(add.wait(), 0) << add.err();
  CommandRun block({"cluster", "block", url_of(server), "127.0.0.2"});
  EXPECT_EQ(block.wait(), 0) << block.err();
  EXPECT_EQ(CommandRun({"cluster", "resume", url_of(server)}).wait(), 0);
  EXPECT_EQ(nodes_[0]->wait(), 8) << nodes_[0]->err();  // 404
  site_->stop();
  const auto log = site_->server().server().log();
  EXPECT_TRUE(std::ranges::any_of(
      log, [](const site::LogEntry& entry) { return entry.target == "/added"; }));
  EXPECT_THAT(support::file_content(folder_.file("skipped")), HasSubstr("blocked"));
}

TEST_F(CrawlClusterTest, AHostWithoutAnAddressEnds) {
  serve(2, 0ms);
  const RedisServer server;
  std::string urls;
  for (int i = 0; i < 200; ++i) urls += "http://nobody.invalid/" + std::to_string(i) + "\n";
  start(url_of(server), std::vector<std::string>{"-i", folder_.write("roots", urls)});
  EXPECT_EQ(nodes_[0]->wait(), 4) << nodes_[0]->err();
  EXPECT_EQ(pages_of(0), 200u);
}

TEST_F(CrawlClusterTest, ThePasswordComesFromAFileAndIsNotStored) {
  serve(2, 0ms);
  const RedisServer server({"--requirepass", "hidden"});
  CommandRun without(words(url_of(server), 9, roots()));
  EXPECT_EQ(without.wait(), 6) << without.err();
  start(url_of(server), roots({"--cluster-password-file", folder_.write("password", "hidden\n")}));
  expect_success(0);
  EXPECT_FALSE(has(support::file_content(job(0) + "/job.toml"), "hidden"));
}

// An attacker who controls Redis, or the way to it, must not control the user of a node.
TEST_F(CrawlClusterTest, ANodeRejectsSettingsOfRedisThatCouldUseIt) {
  serve(2, 0ms);
  const RedisServer server;
  start(url_of(server), roots());
  expect_success(0);
  const std::uint64_t before = requests();
  const std::string victim = folder_.write("victim", "precious");
  std::filesystem::create_symlink(victim, job(1) + ".settings");
  const std::string root = roots()[0];
  const std::string quoted = "\"" + victim + "\"";
  for (const std::string& line : std::vector<std::string>{
           "login-url = \"" + root + "login\"\nlogin-field = [\"pw=env:PATH\"]",
           "login-field = [\"pw=env:PATH\"]", "cookie-jar = " + quoted, "output = " + quoted,
           "skipped = " + quoted, "report = [\"" + victim + ".html\"]", "log-file = " + quoted,
           "warc-file = " + quoted, "\"insecure\" = true", "proxy=\"127.0.0.1:9\"", "netrc = true",
           "header = [\"A: b\"]", "[host.\"127.0.0.1\"]\npassword-env = \"PATH\""}) {
    tell(server, {"HSET", "G{museum}", "s", "[crawl]\nurl = [\"" + root + "\"]\n" + line + "\n"});
    CommandRun node({"crawl", "--cluster", url_of(server), "-j", job(1)});
    EXPECT_EQ(node.wait(), 2) << line;
    EXPECT_THAT(node.err(), HasSubstr("add --trust if you trust the first node of this shared"));
    EXPECT_EQ(support::lines_of(node.err()).size(), 1u) << node.err();
  }
  EXPECT_EQ(support::file_content(victim), "precious");
  EXPECT_FALSE(std::filesystem::exists(job(1)));
  EXPECT_EQ(requests(), before) << "nothing was sent";
}

TEST_F(CrawlClusterTest, OptionsThatNeedOneProcessAreRejected) {
  serve(2, 0ms);
  const RedisServer server;
  CommandRun refresh(words(url_of(server), 0, roots({"--refresh"})));
  EXPECT_EQ(refresh.wait(), 2);
  EXPECT_THAT(refresh.err(), HasSubstr("--refresh is not possible with --cluster"));
  CommandRun homeless({"crawl", "--cluster", url_of(server), roots()[0]});
  EXPECT_EQ(homeless.wait(), 2);
  EXPECT_THAT(homeless.err(), HasSubstr("--job DIR"));
  CommandRun unknown(words(url_of(server), 0, {}));
  EXPECT_EQ(unknown.wait(), 2);
  EXPECT_THAT(unknown.err(), HasSubstr("there is no crawl museum"));
}

}  // namespace
}  // namespace gossamer::cli

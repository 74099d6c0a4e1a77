// Tests the live view of a shared crawl in a browser, with a real Redis server and a real node.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/dashboard/browsing.h"
#include "tests/support/server_program.h"

namespace gossamer::dashboard {
namespace {

using support::CommandRun;
using support::Program;

constexpr const char* kRedisServer = "/usr/bin/redis-server";

class DashboardClusterTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!Browser::is_available()) GTEST_SKIP() << "chromium is not installed";
    if (!support::is_installed(kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  }
  std::unique_ptr<Program> start_redis() {
    return std::make_unique<Program>(
        std::vector<std::string>{kRedisServer, "--port", std::to_string(port_), "--bind",
                                 "127.0.0.1", "--save", "", "--dir", folder_.file("")},
        folder_.file("redis.log"));
  }

  support::TestFolder folder_;
  const std::uint16_t port_ = support::free_port();
};

TEST_F(DashboardClusterTest, ShowsAndSteersASharedCrawl) {
  std::unique_ptr<Program> redis = start_redis();
  const std::string url = "redis://127.0.0.1:" + std::to_string(port_) + "/museum";
  // Nobody connects to the port of the site's canary; its slow pages keep the crawl alive.
  Program site({support::kPython, source("hostile_site.py"), "1", "3600"},
               folder_.file("site.log"));
  const std::string root = "http://127.0.0.1:" + first_line(folder_.file("site.log")) + "/";
  CommandRun server({"serve", "--cluster", url});
  support::wait_until([&] { return !server.out_lines().empty(); });
  Browser browser;
  ASSERT_TRUE(browser.open(server.out_lines().front()));
  // There is no archive, so it shows the crawl immediately.
  EXPECT_TRUE(wait_for_text(browser, "Redis has no crawl of this name."));

  CommandRun node({"crawl", "--no-proxy", "-q", root, "-o", "/dev/null", "-j", folder_.file("node"),
                   "--cluster", url, "--read-timeout", "1h"});
  ASSERT_TRUE(browser.wait_until("document.querySelector('.tag.running') !== null"));
  ASSERT_TRUE(browser.wait_until("document.querySelectorAll('tbody tr').length === 1"));
  EXPECT_TRUE(browser.wait_until("Number(document.querySelector('.figure dd').textContent) > 0"));
  EXPECT_TRUE(wait_for_text(browser, "leased by nodes"));
  EXPECT_EQ(browser.evaluate("document.querySelectorAll('.act').length"), 3);
  save_picture(browser, "live-cluster");

  press_button(browser, "Pause");
  EXPECT_TRUE(browser.wait_until("document.querySelector('.tag.paused') !== null"));
  EXPECT_TRUE(wait_for_text(browser, "Done: the crawl pauses."));
  browser.evaluate(
      "document.querySelectorAll('details').forEach((one) => one.open = true);"
      "const field = document.querySelectorAll('.act input')[1]; field.value = 'b.example';"
      "field.form.requestSubmit()");
  EXPECT_TRUE(wait_for_text(browser, "block b.example"));
  browser.evaluate(
      "const other = document.querySelectorAll('.act input')[2]; other.value = 'b.example';"
      "other.form.requestSubmit()");
  EXPECT_TRUE(wait_for_text(browser, "unblock b.example"));

  redis.reset();
  EXPECT_TRUE(wait_for_text(browser, "Redis cannot be read"));
  EXPECT_TRUE(browser.wait_until("document.querySelector('.tag.unreachable') !== null"));
  EXPECT_TRUE(browser.evaluate("document.querySelector('.controls button').disabled").get<bool>());
  save_picture(browser, "live-cluster-unreachable");
}

}  // namespace
}  // namespace gossamer::dashboard

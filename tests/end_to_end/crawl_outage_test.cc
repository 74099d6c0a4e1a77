// Tests crawl directories with servers that are down for a while or from the start.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "crawl_run.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

using ::testing::HasSubstr;

constexpr const char* kOutagePages = "120";

class OutageTest : public testing::Test {
 protected:
  // A process serves the site, so that it can be killed. Its port may be taken for a
  // moment after that, so it is started until it answers.
  void start_site() {
    support::wait_until([this] {
      site_ = std::make_unique<CommandRun>(
          std::vector<std::string>{"--port", std::to_string(port_), "--plain", "--pages",
                                   kOutagePages, "--delay", "20ms"},
          CommandRun::Streams(),
          CommandRun::Surroundings{.program = support::site_server_program()});
      while (!site_->has_ended()) {
        CommandRun fetch({"fetch", "--no-proxy", url()});
        if (fetch.wait() == 0) return true;
      }
      return false;
    });
  }
  void stop_site() { site_.reset(); }

  std::string job() const { return folder_.file("job"); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }
  std::vector<std::string> words(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"-j", job(), "--no-progress", "-o", folder_.file("results"),
                             "--concurrency", "4", url()});
    return crawl_words(std::move(more));
  }
  int run(std::vector<std::string> words) {
    CommandRun process(std::move(words));
    const int exit_code = process.wait();
    err_ = process.err();
    return exit_code;
  }
  Json status() const {
    CommandRun status({"job", "status", job(), "--json"});
    EXPECT_EQ(status.wait(), 0) << status.err();
    return Json::parse(status.out());
  }
  bool has_results() const {
    std::error_code error;
    return std::filesystem::file_size(folder_.file("results"), error) > 1000 && !error;
  }

  support::TestFolder folder_;
  const std::uint16_t port_ = support::free_port();
  std::unique_ptr<CommandRun> site_;
  std::string err_;
};

TEST_F(OutageTest, WhatAnOutageLeavesIsFetchedByTheNextRun) {
  start_site();
  CommandRun cut(words({"--max-outage", "1s"}));
  ASSERT_TRUE(support::wait_until([this] { return has_results(); }));
  stop_site();
  EXPECT_EQ(cut.wait(), 16) << cut.err();
  EXPECT_THAT(cut.err(), HasSubstr("incomplete: 1 host unreachable, "));
  EXPECT_THAT(cut.err(), HasSubstr("`gossamer resume " + job() + "` fetches the rest"));
  const Json left = status();
  EXPECT_EQ(left["state"], "incomplete");
  EXPECT_GT(int{left["waiting"]}, 0);
  EXPECT_THAT(cut.err(), HasSubstr(std::to_string(int{left["waiting"]}) + " URLs queued"));
  EXPECT_EQ(int{left["failed"]}, 0);
  EXPECT_EQ(run(words({"--max-outage", "100ms"})), 16) << "it is still down: " << err_;

  start_site();
  EXPECT_EQ(run({"resume", job(), "--", "--no-progress", "--no-proxy"}), 0) << err_;
  EXPECT_EQ(status()["state"], "finished");
  EXPECT_EQ(std::to_string(int{status()["answered"]}), kOutagePages);
}

TEST_F(OutageTest, AShortOutageCostsNothing) {
  start_site();
  CommandRun crawl(words());
  ASSERT_TRUE(support::wait_until([this] { return has_results(); }));
  stop_site();
  start_site();
  EXPECT_EQ(crawl.wait(), 0) << crawl.err();
  EXPECT_EQ(std::to_string(int{status()["answered"]}), kOutagePages);
  EXPECT_EQ(int{status()["failed"]}, 0);
}

TEST_F(OutageTest, FailuresOfAFinishedJobAreRetried) {
  EXPECT_EQ(run(words()), 4) << "nobody listens: " << err_;
  EXPECT_EQ(status()["state"], "finished");
  EXPECT_EQ(run(words()), 4) << "still nobody: " << err_;
  EXPECT_THAT(err_, HasSubstr("1 of them failures to retry"));
  EXPECT_EQ(int{status()["pages"]}, 1) << "of one URL the last record counts";
  start_site();
  EXPECT_EQ(run({"resume", job(), "--", "--no-progress", "--no-proxy"}), 0) << err_;
  EXPECT_EQ(std::to_string(int{status()["answered"]}), kOutagePages);
  EXPECT_EQ(int{status()["failed"]}, 0);
}

}  // namespace
}  // namespace gossamer::cli

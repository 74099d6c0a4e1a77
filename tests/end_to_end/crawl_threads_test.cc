// Tests `gossamer crawl --threads N`: the same crawl on several loops, each with its thread.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/crawl_exit_code.h"
#include "tests/end_to_end/crawl_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

// Six hosts, 127.0.0.1 to 127.0.0.6, that link to each other.
class CrawlThreadsTest : public testing::Test {
 protected:
  void serve(std::vector<std::string> more = {}) {
    site_ = {"--hosts", "6", "--pages", "60", "--seed", "3", "--port", port_};
    site_.insert(site_.end(), more.begin(), more.end());
    std::vector<std::string> words = site_;
    words.insert(words.begin(), support::site_server_program());
    server_.emplace(std::move(words), folder_.file("server.log"));
    ASSERT_TRUE(server_->wait_until_listening(static_cast<std::uint16_t>(std::stoi(port_))));
  }

  std::vector<std::string> all_hosts(std::vector<std::string> more) const {
    for (int i = 1; i <= 6; ++i) {
      more.push_back("http://127.0.0." + std::to_string(i) + ":" + port_ + "/");
    }
    return more;
  }

  // What the site server says about the results.
  std::string compare(const Outcome& outcome) const {
    std::string text;
    for (const std::string& line : outcome.lines) text += line + "\n";
    std::vector<std::string> words = site_;
    words.insert(words.end(), {"--roots", "6", "--compare", "-"});
    CommandRun run(words, {.input = text}, {.program = support::site_server_program()});
    return run.wait() == 0 ? "equal" : run.out() + run.err();
  }

  // By what a URL means: of several spellings of one, any may have come first.
  static std::map<std::string, int> depths(const Outcome& outcome) {
    url::CrawlIdentity identity;
    std::map<std::string, int> all;
    for (const Json& record : outcome.records) {
      const auto url = url::Url::parse(std::string(record["url"]));
      all[std::string(identity.normal_form(*url))] = record["depth"];
    }
    return all;
  }

  support::TestFolder folder_;
  const std::string port_ = std::to_string(support::free_port());
  std::vector<std::string> site_;
  std::optional<support::Program> server_;
};

TEST_F(CrawlThreadsTest, FetchExactlyWhatIsThere) {
  serve();
  for (const char* threads : {"1", "2", "5"}) {
    const Outcome outcome = crawl(all_hosts({"--threads", threads}));
    EXPECT_EQ(outcome.exit_code, kServerError) << "some links are dead\n" << outcome.err;
    EXPECT_EQ(compare(outcome), "equal") << threads;
    EXPECT_TRUE(has(outcome.err, "every URL in scope was fetched")) << outcome.err;
  }
}

TEST_F(CrawlThreadsTest, KeepTheLimitTogether) {
  serve({"--plain"});
  const Outcome outcome = crawl(all_hosts({"--threads", "3", "--limit", "100"}));
  EXPECT_EQ(outcome.records.size(), 100u);
}

TEST_F(CrawlThreadsTest, KeepDepthsTogether) {
  serve();
  const Outcome one = crawl(all_hosts({"--threads", "1", "--depth", "2"}));
  const Outcome three = crawl(all_hosts({"--threads", "3", "--depth", "2"}));
  EXPECT_FALSE(one.records.empty());
  EXPECT_EQ(depths(one), depths(three));
}

TEST_F(CrawlThreadsTest, EndInGoodOrderWhenInterrupted) {
  serve({"--plain", "--delay", "50ms"});
  const std::string results = folder_.file("results.jsonl");
  CommandRun run(crawl_words(all_hosts({"--threads", "3", "--concurrency", "6", "-o", results})));
  support::wait_until(
      [&] { return support::lines_of(support::file_content(results)).size() >= 10; });
  run.send_signal(SIGQUIT);
  run.send_signal(SIGINT);
  EXPECT_EQ(run.wait(), kInterrupted) << run.err();
  EXPECT_TRUE(has(run.err(), "URLs in")) << run.err();
  const std::vector<Json> records = records_in(results);
  EXPECT_GE(records.size(), 10u);
  EXPECT_LT(records.size(), 360u);
}

TEST_F(CrawlThreadsTest, WriteTheCookiesOfAll) {
  serve({"--plain"});
  const std::string jar = folder_.write("cookies.txt",
                                        "# Netscape HTTP Cookie File\n"
                                        "127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tone\t1\n"
                                        "127.0.0.2\tFALSE\t/\tFALSE\t4102444800\ttwo\t2\n"
                                        "127.0.0.6\tFALSE\t/\tFALSE\t4102444800\tsix\t6\n");
  const Outcome outcome = crawl(all_hosts({"--threads", "3", "--cookie-jar", jar}));
  EXPECT_EQ(outcome.exit_code, kOk) << outcome.err;
  const std::string after = support::file_content(jar);
  for (const std::string name : {"\tone\t", "\ttwo\t", "\tsix\t"}) {
    EXPECT_TRUE(has(after, name)) << after;
    EXPECT_EQ(after.find(name), after.rfind(name)) << "twice\n" << after;
  }
}

TEST_F(CrawlThreadsTest, StopWhenNobodyReadsTheResults) {
  serve({"--plain"});
  CommandRun run(crawl_words(all_hosts({"--threads", "3", "-o", "/dev/full"})));
  EXPECT_EQ(run.wait(), kFileFailed) << run.err();
}

}  // namespace
}  // namespace gossamer::cli

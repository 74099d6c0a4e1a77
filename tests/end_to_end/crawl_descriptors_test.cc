// Tests crawls of more hosts than there are descriptors: they are slower, but lose nothing.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "async/driver.h"
#include "crawl_run.h"
#include "tests/support/suite.h"

namespace gossamer::cli {
namespace {

using support::TestFolder;

constexpr unsigned kDescriptors = 64;

std::size_t host_count() { return support::is_long_suite() ? 50'000 : 1'000; }

// Many hosts on one port, each with an address and two pages of its own.
class ManyHosts {
 public:
  Result<void> listen() {
    auto listener = async::Listener::bind(async::Endpoint::v4(0, 0, 0, 0, 0));
    if (!listener) return fail(std::move(listener).error());
    port_ = listener->endpoint().port;
    site::SiteOptions options = plain_site(2, 5ms);
    options.links_min = 1;
    options.page_bytes_min = 500;
    options.hosts.clear();
    for (std::size_t i = 0; i < host_count(); ++i) {
      options.hosts.push_back(
          fmt::format("127.{}.{}.{}:{}", i / 62'500, i / 250 % 250, i % 250 + 1, port_));
    }
    listener_.emplace(std::move(*listener));
    site_.emplace(options);
    server_.emplace(*site_);
    return {};
  }
  async::Task<Result<void>> run() { return server_->run(std::move(*listener_)); }

  std::uint16_t port() const { return port_; }
  const site::SiteServer& server() const { return *server_; }
  std::string roots() const {
    std::string lines;
    for (const std::string& host : site_->options().hosts) lines += "http://" + host + "/\n";
    return lines;
  }

 private:
  std::uint16_t port_ = 0;
  std::optional<async::Listener> listener_;
  std::optional<site::Site> site_;
  std::optional<site::SiteServer> server_;
};

class CrawlDescriptorsTest
    : public testing::TestWithParam<std::tuple<std::string, std::string, bool>> {};

INSTANTIATE_TEST_SUITE_P(Loops, CrawlDescriptorsTest,
                         testing::Values(std::tuple("epoll", "2", false),
                                         std::tuple("epoll", "1", true),
                                         std::tuple("io_uring", "1", false),
                                         std::tuple("io_uring", "1", true)));

TEST_P(CrawlDescriptorsTest, ManyHostsAndSixtyFourDescriptors) {
  const auto& [loop, threads, has_job] = GetParam();
  if (loop == "io_uring" && !async::make_driver(async::DriverKind::io_uring)) {
    GTEST_SKIP() << "no io_uring here";
  }
  support::ServerThread<ManyHosts> server;
  TestFolder folder;
  std::vector<std::string> words = crawl_words(
      {"--loop", loop, "--threads", threads, "-i", "-", "--concurrency", "200", "--no-progress"});
  if (has_job)
    words.insert(words.end(), {"-j", folder.file("job"), "--format", "jsonl", "--memory", "64M"});
  CommandRun run(words, {.input = server.server().roots()}, {.open_files_max = kDescriptors});
  EXPECT_EQ(run.wait(), 0) << run.err();
  server.stop();

  EXPECT_EQ(run.out_lines().size(), 2 * host_count()) << run.err();
  std::map<std::string, int> times;
  for (const site::LogEntry& entry : server.server().server().log()) {
    ++times[entry.host + entry.target];
  }
  EXPECT_EQ(times.size(), 3 * host_count());  // and robots.txt
  for (const auto& [url, count] : times) EXPECT_EQ(count, 1) << url;
  // It neither works on one after the other nor wastes its descriptors on those who wait.
  EXPECT_GE(server.server().server().in_flight_max(), kDescriptors / 4);
  if (loop == "epoll") EXPECT_TRUE(has(run.err(), "64 open files; raise")) << run.err();
}

}  // namespace
}  // namespace gossamer::cli

// For the tests of crawl directories: a site, a directory, and what must be in it at the end.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "crawl_run.h"
#include "url/crawl_identity.h"

namespace gossamer::cli {

inline constexpr std::size_t kAtOnce = 8;

// What the servers' log is held against, spelled as the truth spells it.
inline std::string normal(const std::string& text) {
  static url::CrawlIdentity identity;
  const auto url = url::Url::parse(text);
  return url ? std::string(identity.normal_form(*url)) : text;
}

// A site, a directory, and processes that crawl the one into the other.
class JobTest : public testing::Test {
 protected:
  explicit JobTest(std::uint64_t pages = 300, Duration delay = 2ms)
      : server_(plain_site(pages, delay)) {}

  std::string job() const { return folder_.file("job"); }
  std::vector<std::string> words(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"-j",
                                    job(),
                                    "--no-progress",
                                    "-q",
                                    "--concurrency",
                                    std::to_string(kAtOnce),
                                    "--host-concurrency",
                                    std::to_string(kAtOnce),
                                    "-o",
                                    "/dev/null",
                                    server_.url("/")};
    all.insert(all.end(), more.begin(), more.end());
    return crawl_words(std::move(all));
  }

  // Runs it until its end. Gives its exit code.
  int run(std::vector<std::string> more = {}) {
    CommandRun process(words(std::move(more)));
    const int exit_code = process.wait();
    err_ = process.err();
    return exit_code;
  }

  std::size_t requests() { return requests_to(server_); }

  // Every page of the truth is there, with its status, and nothing else.
  void expect_all() {
    server_.stop();
    const site::Truth truth = server_.server().site().truth({});
    std::map<std::string, int> wanted;
    for (const site::TruthEntry& entry : truth.entries) {
      if (entry.must_fetch) wanted.emplace(entry.url, entry.status);
    }
    CommandRun list({"export", job(), "--jsonl", "-"});
    EXPECT_EQ(list.wait(), 0) << list.err();
    std::map<std::string, int> got;
    for (const std::string& line : list.out_lines()) {
      const Json record = Json::parse(line);
      got[normal(record["url"])] = record["status"].is_null() ? 0 : int{record["status"]};
    }
    EXPECT_EQ(got, wanted);
    const auto times = asked();
    for (const auto& [url, status] : wanted) {
      EXPECT_TRUE(times.contains(url)) << "never asked for: " << url;
    }
  }

  // How often each page was asked for. REQUIRES: the server was stopped.
  std::map<std::string, std::size_t> asked() {
    std::map<std::string, std::size_t> times;
    for (const site::LogEntry& entry : server_.server().server().log()) {
      if (entry.target != "/robots.txt") ++times[normal("http://" + entry.host + entry.target)];
    }
    return times;
  }

  std::size_t repeats() {
    std::size_t count = 0;
    for (const auto& [url, times] : asked()) count += times - 1;
    return count;
  }

  // What is closed is whole, always; `.open` is what the next process looks after.
  void expect_valid_archive(bool may_be_open = true) {
    std::vector<std::string> check = {"warc", "check"};
    if (!std::filesystem::exists(job() + "/archive")) return;
    for (const auto& entry : std::filesystem::directory_iterator(job() + "/archive")) {
      const std::string name = entry.path();
      if (name.ends_with(".warc.gz")) check.push_back(name);
      if (!may_be_open) EXPECT_FALSE(name.ends_with(".open")) << name;
    }
    if (check.size() == 2) return;
    CommandRun checked(check);
    EXPECT_EQ(checked.wait(), 0) << checked.out() << checked.err();
  }

  // The pages that the archive has, each record of a response counted.
  std::map<std::string, std::size_t> archived() {
    std::map<std::string, std::size_t> times;
    for (const auto& entry : std::filesystem::directory_iterator(job() + "/archive")) {
      CommandRun list({"warc", "ls", "--json", entry.path()});
      EXPECT_EQ(list.wait(), 0) << list.err();
      for (const std::string& line : list.out_lines()) {
        const Json record = Json::parse(line);
        if (record["type"] == "response" || record["type"] == "revisit") {
          ++times[normal(record["url"])];
        }
      }
    }
    return times;
  }

  support::TestFolder folder_;
  SiteThread server_;
  std::string err_;
};

}  // namespace gossamer::cli

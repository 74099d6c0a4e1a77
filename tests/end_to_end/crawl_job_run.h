// Tests of crawl directories: a site, a directory, and its expected contents.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "crawl_run.h"
#include "url/crawl_identity.h"

namespace gossamer::cli {

// The URLs that the server's log is compared with, spelled as in the truth.
inline std::string normal(const std::string& text) {
  static url::CrawlIdentity identity;
  const auto url = url::Url::parse(text);
  return url ? std::string(identity.normal_form(*url)) : text;
}

// The command that crawls into a directory, with these numbers of concurrent fetches.
inline std::vector<std::string> job_words(const std::string& job, std::size_t at_once,
                                          std::size_t of_host, std::vector<std::string> more) {
  more.insert(more.end(), {"-j", job, "--no-progress", "-q", "--concurrency",
                           std::to_string(at_once), "--host-concurrency", std::to_string(of_host)});
  return crawl_words(std::move(more));
}

// Closed files are always complete; the next process repairs `.open` files.
inline void expect_valid_archive_of(const std::string& job, bool may_be_open) {
  std::vector<std::string> check = {"warc", "check"};
  if (!std::filesystem::exists(job + "/archive")) return;
  for (const auto& entry : std::filesystem::directory_iterator(job + "/archive")) {
    const std::string name = entry.path();
    if (name.ends_with(".warc.gz")) check.push_back(name);
    if (!may_be_open) EXPECT_FALSE(name.ends_with(".open")) << name;
  }
  if (may_be_open && check.size() == 2) return;
  ASSERT_GT(check.size(), 2u) << "no file was closed";
  CommandRun checked(check);
  EXPECT_EQ(checked.wait(), 0) << checked.out() << checked.err();
}

// Requests beyond the first for a page.
inline std::size_t repeats_in(const std::map<std::string, std::size_t>& times_asked) {
  std::size_t count = 0;
  for (const auto& [url, times] : times_asked) count += times - 1;
  return count;
}

// A site, a directory, and processes that crawl the site into the directory.
class JobTest : public testing::Test {
 protected:
  static constexpr std::size_t kAtOnce = 8;

  explicit JobTest(std::uint64_t pages = 300, Duration delay = 2ms)
      : server_(plain_site(pages, delay)) {}

  std::string job() const { return folder_.file("job"); }
  std::vector<std::string> words(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"-o", "/dev/null", server_.url("/")});
    return job_words(job(), kAtOnce, kAtOnce, std::move(more));
  }

  // Runs it until its end. Returns its exit code.
  int run(std::vector<std::string> more = {}) {
    CommandRun process(words(std::move(more)));
    const int exit_code = process.wait();
    err_ = process.err();
    return exit_code;
  }

  std::size_t requests() { return requests_to(server_); }

  // Expects every page of the truth with its status, and nothing else.
  void expect_all() {
    server_.stop();
    const site::Truth truth = server_.server().site().truth({});
    std::map<std::string, int> wanted;
    for (const site::TruthEntry& entry : truth.entries) {
      if (entry.must_fetch) wanted.emplace(entry.url, entry.status);
    }
    CommandRun list({"job", "export", job(), "--jsonl", "-"});
    EXPECT_EQ(list.wait(), 0) << list.err();
    std::map<std::string, int> got;
    for (const std::string& line : list.out_lines()) {
      const Json record = Json::parse(line);
      got[normal(record["url"])] = record["status"].is_null() ? 0 : int{record["status"]};
    }
    EXPECT_EQ(got, wanted);
    const auto times = asked();
    for (const auto& [url, status] : wanted) {
      EXPECT_TRUE(times.contains(url)) << "never fetched: " << url;
    }
  }

  // How often each page was fetched. REQUIRES: the server was stopped.
  std::map<std::string, std::size_t> asked() {
    std::map<std::string, std::size_t> times;
    for (const site::LogEntry& entry : server_.server().server().log()) {
      if (entry.target != "/robots.txt") ++times[normal("http://" + entry.host + entry.target)];
    }
    return times;
  }

  std::size_t repeats() { return repeats_in(asked()); }
  void expect_valid_archive(bool may_be_open = true) {
    expect_valid_archive_of(job(), may_be_open);
  }

  // The pages in the archive, with the number of response records.
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

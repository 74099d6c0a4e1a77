// Crawls a mixed site in a real browser: `auto` finds what `always` finds, and renders little in
// vain. The truth is known: the site has as many pages as it is told to have.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "render/browser_process.h"
#include "tests/support/command_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"
#include "tests/support/suite.h"

namespace gossamer::render {
namespace {

struct Outcome {
  std::set<std::string> found;
  std::size_t rendered = 0;
  std::size_t in_vain = 0;
};

// Each address is a host with all pages, so several are rendered at the same time.
Outcome crawl_mixed(const std::string& mode, std::uint16_t port, std::size_t hosts) {
  const support::TestFolder folder;
  const std::string records = folder.file("records.jsonl");
  std::vector<std::string> words = {"crawl",    "--no-proxy", "--delay", "0",    "-q",
                                    "--render", mode,         "-o",      records};
  for (std::size_t i = 1; i <= hosts; ++i) {
    words.push_back(fmt::format("http://127.0.0.{}:{}/", i, port));
  }
  support::CommandRun run(words);
  EXPECT_EQ(run.wait(), 0) << run.err();
  Outcome outcome;
  for (const std::string& line : support::lines_of(support::file_content(records))) {
    const auto record = nlohmann::json::parse(line);
    outcome.found.insert(record.at("url").get<std::string>());
    if (!record.contains("rendered") || record["rendered"].is_null()) continue;
    ++outcome.rendered;
    if (!record["rendered"]["gained"].get<bool>()) ++outcome.in_vain;
  }
  return outcome;
}

TEST(MixedSiteTest, AutoFindsNearlyAllThatAlwaysFindsAndRendersLittleInVain) {
  if (!find_browser()) GTEST_SKIP() << "chromium-headless-shell is not installed";
  if (!support::is_installed(support::kPython)) GTEST_SKIP() << "python3 is not installed";
  if (!support::is_long_suite()) GTEST_SKIP() << "quick suite: a simulated world has such a site";
  constexpr std::size_t kHosts = 4;
  constexpr std::size_t kPages = 500;  // of each host
  const std::uint16_t port = support::free_port();
  support::Program site({support::kPython, support::source_path("tests/render/mixed_site.py"),
                         std::to_string(port), std::to_string(kPages)});
  ASSERT_TRUE(site.wait_until_listening(port));
  const Outcome always = crawl_mixed("always", port, kHosts);
  const Outcome automatic = crawl_mixed("auto", port, kHosts);
  fmt::print("always: {} found, {} rendered, {} in vain; auto: {} found, {} rendered, {} in vain\n",
             always.found.size(), always.rendered, always.in_vain, automatic.found.size(),
             automatic.rendered, automatic.in_vain);
  EXPECT_EQ(always.found.size(), kHosts * kPages);
  EXPECT_GE(static_cast<double>(automatic.found.size()),
            0.99 * static_cast<double>(kHosts * kPages));
  EXPECT_LE(static_cast<double>(automatic.in_vain), 0.3 * static_cast<double>(automatic.rendered));
}

}  // namespace
}  // namespace gossamer::render

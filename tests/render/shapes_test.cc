// Crawls small sites that are built from frameworks, as their users ship them: only scripts make
// their links.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "render/browser_process.h"
#include "tests/support/command_run.h"
#include "tests/support/node_modules.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::render {
namespace {

using support::CommandRun;

constexpr std::size_t kItems = 40;
constexpr std::array kShapes = {
    "react_classic",  "react_module", "react_hydrated", "react_split",       "react_routes",
    "vue_classic",    "vue_module",   "vue_hydrated",   "vue_routes",        "svelte_classic",
    "svelte_module",  "lit_module",   "preact_module",  "preact_import_map", "jquery_classic",
    "htmx_classic",   "virtual_list", "worker",         "indexed_db",        "stream",
    "infinite_scroll"};
static_assert(kShapes.size() == 21);
constexpr std::string_view kScrolled = "infinite_scroll";
// These show all that they have without a browser.
constexpr std::array kServed = {"served_classic", "served_hydrated", "served_boosted"};

// What a crawl found, by the name of the site.
struct Found {
  std::map<std::string, std::set<std::string>> items;
  std::set<std::string> rendered;
};

class RenderShapesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_browser()) GTEST_SKIP() << "chromium-headless-shell is not installed";
    const std::string modules = support::build_path("render_modules");
    const std::string missing =
        support::install_node_modules(support::source_path("tests/render/package.json"), modules);
    if (!missing.empty()) GTEST_SKIP() << missing;
    port_ = support::free_port();
    site_ = std::make_unique<support::Program>(
        std::vector<std::string>{support::kNode,
                                 support::source_path("tests/render/shapes/site.mjs"), modules,
                                 folder_.path(), std::to_string(port_)},
        folder_.file("log"));
    ASSERT_TRUE(site_->wait_until_listening(port_));
  }

  template <class... Names>
  Found crawl(std::vector<std::string> words, const Names&... names) const {
    const std::string records = folder_.file("records.jsonl");
    words.insert(words.begin(), {"crawl", "--no-proxy", "-o", records});
    const auto add = [&](std::string_view name) {
      words.push_back(fmt::format("http://127.0.0.1:{}/{}/", port_, name));
    };
    (std::ranges::for_each(names, add), ...);
    CommandRun run(words);
    EXPECT_EQ(run.wait(), 0) << run.err();
    return read(records);
  }

  static Found read(const std::string& records) {
    Found found;
    for (const std::string& line : support::lines_of(support::file_content(records))) {
      const auto record = nlohmann::json::parse(line);
      const std::string url = record.at("url");
      const std::string path = url.substr(url.find('/', sizeof("http://")) + 1);
      const std::string name = path.substr(0, path.find('/'));
      if (path.contains("/item/")) found.items[name].insert(path);
      if (record.contains("rendered") && !record["rendered"].is_null()) found.rendered.insert(name);
    }
    return found;
  }

  static void expect_all(const Found& found) {
    for (const std::string_view name : kShapes) {
      if (name == kScrolled) continue;
      const auto items = found.items.find(std::string(name));
      EXPECT_EQ(items == found.items.end() ? 0 : items->second.size(), kItems) << name;
    }
  }

  support::TestFolder folder_;
  std::uint16_t port_ = 0;
  std::unique_ptr<support::Program> site_;
};

TEST_F(RenderShapesTest, AlwaysFindsEveryLink) {
  const Found found = crawl({"--render", "always"}, kShapes);
  expect_all(found);
  EXPECT_LT(found.items.at(std::string(kScrolled)).size(), kItems) << "it needs no user";
}

TEST_F(RenderShapesTest, AutoFindsTheSameAndRendersNothingElse) {
  const Found found = crawl({"--render", "auto"}, kShapes, kServed);
  expect_all(found);
  for (const char* name : kServed) {
    EXPECT_EQ(found.items.at(name).size(), kItems) << name;
    EXPECT_FALSE(found.rendered.contains(name)) << name;
  }
}

TEST_F(RenderShapesTest, ScrollsToTheEndOfAnInfiniteList) {
  const Found found =
      crawl({"--render", "auto", "--scroll", "4"}, std::array{std::string_view(kScrolled)});
  EXPECT_EQ(found.items.at(std::string(kScrolled)).size(), kItems);
}

}  // namespace
}  // namespace gossamer::render

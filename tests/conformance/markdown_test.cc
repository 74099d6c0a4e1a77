// Markdown of fragments of real pages, read back by markdown-it: the judge is in the test data.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "support/testdata.h"
#include "tests/support/command_run.h"
#include "tests/support/node_modules.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

namespace gossamer::conformance {
namespace {

const std::string kModules = support::build_path("tests/conformance/node");

// The figures of our line, which is the first one.
struct Verdict {
  std::string line;

  // Returns the number after the name; 0: there is none.
  double number(const std::string& name) const {
    const std::size_t at = line.find(name + " ");
    return at == std::string::npos ? 0 : std::strtod(line.c_str() + at + name.size() + 1, nullptr);
  }
};

// Judges the Markdown of all fragments, whose main text or whole text is selected.
Verdict judge(bool is_whole) {
  const support::TestFolder folder;
  std::vector<std::string> variables = {"NODE_PATH=" + kModules + "/node_modules"};
  if (is_whole) variables.emplace_back("WHOLE_PAGE=1");
  support::CommandRun node(
      {testdata_path("markdown/judge.cjs").string(),
       support::build_path("tests/conformance/markdown_of_page"), folder.file("out"),
       testdata_path("markdown/docs").string(), testdata_path("markdown/moz").string()},
      {}, {.program = support::kNode, .environment = variables});
  EXPECT_EQ(node.wait(), 0) << node.err();
  const std::vector<std::string> lines = node.out_lines();
  if (lines.empty()) return {};
  fmt::print("{}: {}\n", is_whole ? "whole text" : "main text", lines[0]);
  return {.line = lines[0]};
}

class MarkdownSuite : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_TESTDATA("markdown/judge.cjs");
    const std::string missing = support::install_node_modules(
        support::source_path("tests/conformance/package.json"), kModules);
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
};

// The conversion alone: nothing is left out by the search for the main text. Links are missing
// because 118 permalinks are left out, 34 lead to notes and back, 89 are in blocks of code, and 13
// are scripts.
TEST_F(MarkdownSuite, KeepsTheTextThatIsSelected) {
  const Verdict verdict = judge(true);
  EXPECT_EQ(verdict.number("pages"), 165);
  EXPECT_GE(verdict.number("word recall"), 0.999);
  EXPECT_GE(verdict.number("precision"), 0.99);
  EXPECT_GE(verdict.number("links"), 5287);
  EXPECT_GE(verdict.number("tables"), 131);
  EXPECT_GE(verdict.number("pre"), 396);
  EXPECT_GE(verdict.number("li"), 2480);
  EXPECT_GE(verdict.number("headings"), 1001);
}

// The search for the main text has suites of its own.
TEST_F(MarkdownSuite, HasTheMainTextOfFragments) {
  if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
  const Verdict verdict = judge(false);
  EXPECT_EQ(verdict.number("pages"), 165);
  EXPECT_GE(verdict.number("word recall"), 0.89);
  EXPECT_GE(verdict.number("precision"), 0.99);
  EXPECT_GE(verdict.number("links"), 2700);
  EXPECT_GE(verdict.number("tables"), 71);
  EXPECT_GE(verdict.number("pre"), 340);
  EXPECT_GE(verdict.number("li"), 900);
}

}  // namespace
}  // namespace gossamer::conformance

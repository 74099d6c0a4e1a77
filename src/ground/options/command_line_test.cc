#include "options/command_line.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::options {
namespace {

using Words = std::vector<std::string>;

const std::vector<Option> kOptions = {
    {.names = {"-q", "--quiet"}, .use = Use::flag},
    {.names = {"-v"}, .use = Use::counted},
    {.names = {"-o", "--output"}, .use = Use::single, .placeholder = "FILE"},
    {.names = {"--kind"}, .use = Use::repeated, .placeholder = "KIND"},
    {.names = {"--long"}, .use = Use::flag},
    {.names = {"--long-enough"}, .use = Use::single, .placeholder = "N"},
    {.use = Use::word, .placeholder = "FILE", .is_required = true},
    {.use = Use::words, .placeholder = "URL"},
};

std::vector<Words> sorted(const Words& words) {
  const auto given = sort_words(kOptions, words);
  EXPECT_TRUE(given) << given.error().detail();
  return given ? given->values : std::vector<Words>(kOptions.size());
}

std::string fault_of(const Words& words) {
  const auto given = sort_words(kOptions, words);
  return given ? "" : std::string(given.error().detail());
}

TEST(CommandLine, AcceptsOptionsAndWordsInAnyOrder) {
  const auto values = sorted({"--kind", "a", "-", "--output=x=y", "u", "-q", "--kind", "b", "w"});
  EXPECT_EQ(values[0], (Words{"true"}));
  EXPECT_EQ(values[2], (Words{"x=y"}));
  EXPECT_EQ(values[3], (Words{"a", "b"}));
  EXPECT_EQ(values[6], (Words{"-"}));
  EXPECT_EQ(values[7], (Words{"u", "w"}));
  EXPECT_TRUE(values[1].empty());
}

TEST(CommandLine, AcceptsCombinedShortNames) {
  const auto values = sorted({"-vqv", "-oq", "--long-enough=7", "file"});
  EXPECT_EQ(values[0], (Words{"true"}));
  EXPECT_EQ(values[1], (Words{"2"}));
  EXPECT_EQ(values[2], (Words{"q"}));
  EXPECT_TRUE(values[4].empty()) << "the beginning of another name";
  EXPECT_EQ(values[5], (Words{"7"}));
}

TEST(CommandLine, ExplainsNamesOfOtherPrograms) {
  const std::vector<ForeignOption> foreign = {{"-w,--wait", "use --delay"}, {"-np", "use --scope"}};
  const auto fault = [&foreign](const Words& words) {
    const auto given = sort_words(kOptions, words, foreign);
    return given ? "" : std::string(given.error().detail());
  };
  EXPECT_TRUE(fault({"file", "--wait=3"}).ends_with(" --wait; use --delay"));
  EXPECT_TRUE(fault({"file", "-np"}).ends_with(" -np; use --scope"));
  EXPECT_FALSE(fault({"file", "-n"}).ends_with("use --scope"));
  EXPECT_EQ(fault({"file", "-qv"}), "");
}

TEST(CommandLine, TheLastValueWins) {
  EXPECT_EQ(sorted({"file", "-o", "1", "--output", "2"})[2], (Words{"2"}));
}

TEST(CommandLine, AValueMayBeginWithADash) {
  EXPECT_EQ(sorted({"file", "-o", "--kind"})[2], (Words{"--kind"}));
}

TEST(CommandLine, AFlagCanBeReset) {
  EXPECT_EQ(sorted({"file", "-q", "--quiet=false"})[0], (Words{"false"}));
}

TEST(CommandLine, TreatsWordsAfterTwoDashesAsWords) {
  const auto values = sorted({"--", "-q", "--output"});
  EXPECT_TRUE(values[0].empty());
  EXPECT_EQ(values[6], (Words{"-q"}));
  EXPECT_EQ(values[7], (Words{"--output"}));
}

TEST(CommandLine, PassesWordsAfterTwoDashesOn) {
  const std::vector<Option> options = {{.use = Use::word, .placeholder = "URL"},
                                       {.use = Use::rest, .placeholder = "OPTION"}};
  const auto given = sort_words(options, {"url", "--", "--depth", "3"});
  ASSERT_TRUE(given);
  EXPECT_EQ(given->values[0], (Words{"url"}));
  EXPECT_EQ(given->values[1], (Words{"--depth", "3"}));
}

TEST(CommandLine, FaultsAreOneLine) {
  EXPECT_EQ(fault_of({}), "FILE is required");
  EXPECT_EQ(fault_of({"file", "--output"}), "--output requires a value: FILE");
  EXPECT_EQ(fault_of({"file", "-o"}), "-o requires a value: FILE");
  EXPECT_EQ(fault_of({"file", "--quite"}), "unknown option --quite; did you mean --quiet?");
  EXPECT_EQ(fault_of({"file", "--xylophone=1"}), "unknown option --xylophone");
  EXPECT_EQ(fault_of({"file", "-qx"}), "unknown option -x");
  const auto given = sort_words(std::span(kOptions).first(7), {"file", "more"});
  ASSERT_FALSE(given);
  EXPECT_EQ(given.error().detail(), "unexpected argument 'more'");
}

TEST(CommandLine, HelpWinsOverFaults) {
  for (const Words& words : std::vector<Words>{{"--help"}, {"-qh"}, {"--bogus", "-h"}}) {
    const auto given = sort_words(kOptions, words);
    ASSERT_TRUE(given);
    EXPECT_TRUE(given->asks_for_help);
  }
}

}  // namespace
}  // namespace gossamer::options

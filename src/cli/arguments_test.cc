#include "cli/arguments.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/standard_output.h"

namespace gossamer::cli {
namespace {

struct Parsed {
  std::optional<int> exit_code;
  bool json = false;
  std::string base = "none";
  std::uint64_t depth = 3;
  std::vector<std::string> kinds;
  std::string file;
  std::vector<std::string> urls;
  std::string out;
  std::string err;
};

Parsed parse(const std::vector<std::string>& words) {
  Parsed parsed;
  Arguments arguments("test", "Test.");
  arguments.flag("-j,--json", parsed.json, "as JSON");
  arguments.option("--base", parsed.base, "URL", "the base");
  arguments.option("--depth", parsed.depth, "N", "how deep");
  arguments.repeated("--kind", parsed.kinds, "KIND", "only these");
  arguments.positional("FILE", parsed.file, "the file");
  arguments.positionals("URL", parsed.urls, "the URLs", true);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  parsed.exit_code = arguments.parse(words);
  parsed.err = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(standard_output().flush());
  parsed.out = testing::internal::GetCapturedStdout();
  return parsed;
}

TEST(ArgumentsTest, ReadsFlagsOptionsAndWordsInAnyOrder) {
  const Parsed parsed = parse(
      {"--kind", "a", "-", "--base=http://x/", "http://y/", "-j", "--kind", "b", "http://z/"});
  EXPECT_FALSE(parsed.exit_code) << parsed.err;
  EXPECT_TRUE(parsed.json);
  EXPECT_EQ(parsed.base, "http://x/");
  EXPECT_EQ(parsed.kinds, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(parsed.file, "-");
  EXPECT_EQ(parsed.urls, (std::vector<std::string>{"http://y/", "http://z/"}));
}

TEST(ArgumentsTest, KeepsTheDefaultsOfWhatIsNotGiven) {
  const Parsed parsed = parse({"file"});
  EXPECT_FALSE(parsed.exit_code);
  EXPECT_EQ(parsed.base, "none");
  EXPECT_EQ(parsed.depth, 3u);
  EXPECT_TRUE(parsed.urls.empty());
}

TEST(ArgumentsTest, TakesEverythingBehindTwoDashesAsWords) {
  const Parsed parsed = parse({"--", "-j", "--base"});
  EXPECT_FALSE(parsed.exit_code) << parsed.err;
  EXPECT_FALSE(parsed.json);
  EXPECT_EQ(parsed.file, "-j");
}

TEST(ArgumentsTest, TheLastOfAnOptionCounts) {
  EXPECT_EQ(parse({"file", "--depth", "1", "--depth", "2"}).depth, 2u);
}

TEST(ArgumentsTest, ShortNamesStandTogetherAndBeforeTheirValues) {
  bool is_quiet = false;
  bool is_long = false;
  std::uint64_t verbosity = 0;
  std::uint64_t length = 0;
  std::string file;
  Arguments arguments("test", "Test.");
  arguments.flag("-q,--quiet", is_quiet, "say nothing");
  arguments.counted_flag("-v", verbosity, "say more");
  arguments.option("-o,--output", file, "FILE", "where to");
  arguments.flag("--long", is_long, "the beginning of another name");
  arguments.option("--long-enough", length, "N", "as long as that");
  EXPECT_FALSE(arguments.parse({"-vqv", "-oq", "--long-enough=7"}));
  EXPECT_TRUE(is_quiet);
  EXPECT_EQ(verbosity, 2u);
  EXPECT_EQ(file, "q");
  EXPECT_FALSE(is_long);
  EXPECT_EQ(length, 7u);
}

TEST(ArgumentsTest, ALongNameMayStandBehindShortOnes) {
  bool is_quiet = false;
  std::uint64_t verbosity = 0;
  Arguments arguments("test", "Test.");
  arguments.flag("--quiet", is_quiet, "say nothing");
  arguments.counted_flag("-v", verbosity, "say more");
  EXPECT_FALSE(arguments.parse({"-v-quiet"}));
  EXPECT_TRUE(is_quiet);
  EXPECT_EQ(verbosity, 1u);
}

TEST(ArgumentsTest, ExplainsThemselves) {
  const Parsed parsed = parse({"--help"});
  EXPECT_EQ(parsed.exit_code, kOk);
  EXPECT_NE(parsed.out.find("gossamer test [OPTIONS] FILE"), std::string::npos) << parsed.out;
  EXPECT_NE(parsed.out.find("--base URL"), std::string::npos) << parsed.out;
}

TEST(ArgumentsTest, SayWhatIsWrongInOneLine) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {}, {"file", "--depth", "deep"}, {"file", "--base"}, {"file", "--jsn"}}) {
    const Parsed parsed = parse(words);
    EXPECT_EQ(parsed.exit_code, kUsage);
    EXPECT_EQ(parsed.err.find('\n'), parsed.err.size() - 1) << parsed.err;
    EXPECT_TRUE(parsed.err.starts_with("gossamer test: ")) << parsed.err;
  }
  EXPECT_NE(parse({"file", "--jsn"}).err.find("did you mean --json?"), std::string::npos);
}

}  // namespace
}  // namespace gossamer::cli

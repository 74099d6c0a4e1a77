// Tests settings of a crawl that are given by the names of options.

#include "settings/crawl_keywords.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace gossamer::settings {
namespace {

TEST(CheckKeywords, SetWhatTheOptionsSet) {
  const auto settings =
      check_settings_of({"http://a.example/"}, {{.name = "no_external", .is_on = true},
                                                {.name = "seo", .is_on = true},
                                                {.name = "depth", .values = {"1"}}});
  ASSERT_TRUE(settings) << settings.error().detail();
  EXPECT_EQ(settings->crawl.roots, std::vector<std::string>{"http://a.example/"});
  EXPECT_EQ(settings->sources, settings->crawl.roots);
  EXPECT_FALSE(settings->options.checks_external);
  EXPECT_TRUE(settings->audits_pages);
  EXPECT_EQ(settings->crawl.scope.depth_max, 1U);
}

TEST(CheckKeywords, AreNotWhatOnlyTheCommandDoes) {
  for (const std::string name : {"format", "output", "max_broken", "quiet", "no_progress"}) {
    const auto settings =
        check_settings_of({"http://a.example/"}, {{.name = name, .values = {"1"}}});
    ASSERT_FALSE(settings) << name;
    EXPECT_EQ(settings.error(), Errc::unsupported) << name;
  }
  const std::vector<std::string> names = check_keywords();
  EXPECT_NE(std::ranges::find(names, "cache"), names.end());
  EXPECT_EQ(std::ranges::find(names, "format"), names.end());
}

const std::vector<std::string> kRoots = {"http://a.example/"};

std::string fault_of(const CrawlKeyword& keyword, Errc code) {
  const auto settings = crawl_settings_of(kRoots, {keyword});
  if (settings) return "";
  EXPECT_EQ(settings.error().code(), code) << settings.error().detail();
  return std::string(settings.error().detail());
}

TEST(CrawlKeywords, SetWhatTheOptionsSet) {
  const auto settings = crawl_settings_of(kRoots, {{.name = "depth", .values = {"2"}},
                                                   {.name = "include", .values = {"a", "-b"}},
                                                   {.name = "user_agent", .values = {"Bot/1"}},
                                                   {.name = "no_robots", .is_on = true},
                                                   {.name = "assets", .is_on = false}});
  ASSERT_TRUE(settings) << settings.error().detail();
  EXPECT_EQ(settings->roots, kRoots);
  EXPECT_EQ(settings->scope.depth_max, 2U);
  EXPECT_EQ(settings->scope.include, (std::vector<std::string>{"a", "-b"}));
  EXPECT_EQ(settings->agent, "bot");  // complete() was called
  EXPECT_FALSE(settings->obeys_robots);
  EXPECT_FALSE(settings->scope.assets);
}

TEST(CrawlKeywords, AcceptOtherNamesOfAnOption) {
  const auto settings = crawl_settings_of(kRoots, {{.name = "level", .values = {"3"}}});
  ASSERT_TRUE(settings) << settings.error().detail();
  EXPECT_EQ(settings->scope.depth_max, 3U);
}

TEST(CrawlKeywords, AcceptTrueForAChoiceBetweenSomethingAndNothing) {
  const std::string folder = testing::TempDir() + "gossamer_crawl_keywords";
  for (const bool is_on : {true, false}) {
    const auto settings = crawl_settings_of(
        kRoots, {{.name = "job", .values = {folder}}, {.name = "archive", .is_on = is_on}});
    ASSERT_TRUE(settings) << settings.error().detail();
    EXPECT_EQ(settings->job.has_archive, is_on);
  }
}

TEST(CrawlKeywords, SayWhatIsWrong) {
  EXPECT_EQ(fault_of({.name = "dept", .values = {"2"}}, Errc::unsupported),
            "there is no setting dept; did you mean depth?");
  EXPECT_EQ(fault_of({.name = "xylophone", .is_on = true}, Errc::unsupported),
            "there is no setting xylophone");
  EXPECT_EQ(fault_of({.name = "format", .values = {"csv"}}, Errc::unsupported),
            "format is an option of the command `gossamer crawl` only: set the format of the "
            "results; on a terminal: text");
  EXPECT_EQ(fault_of({.name = "depth", .values = {"many"}}, Errc::invalid_argument),
            "`depth`: expected a number or inf, not 'many'");
  EXPECT_EQ(fault_of({.name = "depth", .values = {"1", "2"}}, Errc::invalid_argument),
            "depth has only one value");
  EXPECT_EQ(fault_of({.name = "depth", .is_on = true}, Errc::invalid_argument),
            "depth needs a value: N|inf");
  EXPECT_EQ(fault_of({.name = "assets", .values = {"yes"}}, Errc::invalid_argument),
            "assets is either true or false");
  EXPECT_EQ(fault_of({.name = "include", .values = {"("}}, Errc::invalid_argument).empty(), false);
}

TEST(CrawlKeywords, AreListed) {
  const std::vector<std::string> names = crawl_keywords();
  EXPECT_EQ(std::ranges::count(names, "max_time"), 1);
  EXPECT_EQ(std::ranges::count(names, "output"), 0);
  for (const std::string& name : names) {
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos)
        << name;
  }
}

}  // namespace
}  // namespace gossamer::settings

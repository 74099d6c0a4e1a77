// robots.txt: facts from the tests of other crawlers, and real files with their answers.

#include "robots/robots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "support/gunzip.h"
#include "support/json.h"
#include "support/testdata.h"
#include "url/url.h"

namespace gossamer::conformance {
namespace {

using robots::Robots;

// Path and query of a URL in the spelling of our URL parser, which is how a crawler asks.
std::string target_of(std::string_view url) {
  const auto parsed = url::Url::parse(url);
  return parsed ? std::string(parsed->request_target()) : "/";
}

bool allows(std::string_view robots_txt, std::string_view agent, std::string_view url) {
  const ExactBlock file(robots_txt);
  return Robots::parse(file.view(), agent).allows(ExactBlock(target_of(url)).view());
}

std::string bytes_from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<unsigned>(digit);
    if ((count += 6) >= 8) bytes.push_back(static_cast<char>(bits >> (count -= 8)));
  }
  return bytes;
}

std::string robots_of(const Json& row) {
  return row.contains("robots_b64") ? bytes_from_base64(string_at(row, "robots_b64"))
                                    : string_at(row, "robots_txt");
}

TEST(RobotsSuite, AnswersAsOtherCrawlersTestsDo) {
  NEEDS_TESTDATA("robots/cases.jsonl");
  Score consensus("robots/cases consensus");
  Score majority("robots/cases majority");
  Score policy("robots/cases policy (informative)", /*failures_printed_max=*/0);
  for_each_json_line("robots/cases.jsonl", [&](const Json& row) {
    const std::string tier = string_at(row, "tier");
    Score& score = tier == "consensus" ? consensus : tier == "majority" ? majority : policy;
    const bool expected = row["allowed"].get<bool>();
    const bool got = allows(robots_of(row), string_at(row, "user_agent"), string_at(row, "url"));
    score.count(got == expected, [&] { return row.dump(); });
  });
  EXPECT_TRUE(consensus.reaches(1.0));
  // Not ours: a line without a colon that has more than two words ("user agent harry potter").
  EXPECT_TRUE(majority.reaches(0.9));
}

TEST(RobotsSuite, AnswersAboutRealFilesAsAllEnginesDo) {
  NEEDS_TESTDATA("robots/real");
  Score unanimous("robots/real unanimous");
  Score disputed("robots/real disputed, as google (informative)", /*failures_printed_max=*/0);
  for_each_json_line("robots/real/expect.jsonl", [&](const Json& row) {
    const std::string name = string_at(row, "file");
    const ExactBlock file(read_testdata("robots/real/files/" + name));
    std::map<std::string, Robots> rules;
    for (const Json& question : row["cases"]) {
      const std::string agent = question[0].get<std::string>();
      auto [found, is_new] = rules.try_emplace(agent);
      if (is_new) found->second = Robots::parse(file.view(), agent);
      const std::string url = question[1].get<std::string>();
      const bool google = question[2].get<int>() != 0;
      const bool is_unanimous = question[2] == question[3] && question[3] == question[4];
      const bool got = found->second.allows(target_of(url));
      (is_unanimous ? unanimous : disputed).count(got == google, [&] {
        return fmt::format("{} {} {} gives {}", name, agent, url, got);
      });
    }
  });
  EXPECT_TRUE(unanimous.reaches(0.995));
}

// What one project does for reasons of its own: a longest delay it obeys, HTML around the file, an
// agent given as a whole browser identification, a URL on a line of its own.
constexpr std::array<std::string_view, 3> kOwnWays = {
    "SimpleRobotRulesParserTest.testBigCrawlDelay", "SimpleRobotRulesParserTest.testHeritrixCases",
    "SimpleRobotRulesParserTest.testSitemap"};

bool is_extra_right(const Json& row, std::string* got) {
  const std::string file = string_at(row, "robots_txt");
  const std::string agent = string_at(row, "user_agent");
  const Robots robots =
      Robots::parse(ExactBlock(file).view(), agent == "*" ? "AnyOtherBot" : agent);
  if (string_at(row, "kind") == "crawl_delay") {
    std::optional<double> seconds;
    if (const auto delay = robots.crawl_delay()) {
      seconds = std::chrono::duration<double>(*delay).count();
    }
    *got = seconds ? std::to_string(*seconds) : "none";
    if (row["value"].is_null() || !seconds) return row["value"].is_null() == !seconds;
    return std::abs(row["value"].get<double>() - *seconds) < 1e-6;
  }
  const auto base = url::Url::parse("http://domain.com/robots.txt");
  Json urls = Json::array();
  for (const std::string& sitemap : robots.sitemaps()) {
    if (const auto url = base->resolve(sitemap)) urls.push_back(url->href());
  }
  *got = urls.dump();
  return urls == row["value"];
}

TEST(RobotsSuite, ReadsSitemapsAndCrawlDelays) {
  NEEDS_TESTDATA("robots/extras.jsonl");
  Score score("robots/extras");
  for_each_json_line("robots/extras.jsonl", [&](const Json& row) {
    std::string got;
    const bool passed = is_extra_right(row, &got);
    if (!passed && std::ranges::count(kOwnWays, string_at(row, "test")) > 0) {
      score.count_exception();
      return;
    }
    score.count(passed, [&] { return fmt::format("{} gives {}", row.dump(), got); });
  });
  EXPECT_TRUE(score.reaches(0.9));
}

TEST(RobotsSuite, ReadsLargeAndOddFiles) {
  NEEDS_TESTDATA("robots/large");
  for (const char* folder : {"robots/large", "robots/odd"}) {
    for (const auto& entry : std::filesystem::directory_iterator(testdata_path(folder))) {
      const ExactBlock file(read_bytes(entry.path()));
      const Robots robots = Robots::parse(file.view(), "gossamer");
      robots.decide("/some/page?with=a&query");
    }
  }
}

void check_hostile(const Json& row, Score& score) {
  const std::string name = string_at(row, "file");
  std::string bytes = read_testdata("hostile/" + name);
  if (name.ends_with(".gz")) bytes = gunzip(bytes);
  const ExactBlock file(bytes);
  const Robots robots = Robots::parse(file.view(), "AnyOtherBot");
  bool passed = true;
  for (const Json& path : row.value("disallowed", Json::array())) {
    passed &= !robots.allows(path.get<std::string>());
  }
  for (const Json& path : row.value("allowed_paths", Json::array())) {
    passed &= robots.allows(path.get<std::string>());
  }
  if (row.contains("probe")) {
    const bool got = robots.allows(string_at(row, "probe"));
    passed &= !row.contains("allowed") || got == row["allowed"].get<bool>();
  }
  if (string_at(row, "expect").contains("everything allowed")) passed &= robots.allows("/x");
  if (const auto delay = robots.crawl_delay()) passed &= *delay >= 0s && *delay <= 24h;
  score.count(passed, [&] { return row.dump(); });
}

TEST(RobotsSuite, SurvivesHostileFiles) {
  NEEDS_TESTDATA("hostile/manifest.json");
  Score score("hostile/robots");
  for (const Json& row : read_json("hostile/manifest.json")) {
    if (string_at(row, "file").starts_with("robots/")) check_hostile(row, score);
  }
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance

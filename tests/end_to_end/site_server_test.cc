#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/command_run.h"
#include "tests/support/places.h"

namespace gossamer::support {
namespace {

CommandRun site_server(std::vector<std::string> words, const std::string& input = {}) {
  return CommandRun(std::move(words), {.input = input},
                    {.program = support::site_server_program()});
}

std::vector<std::string> on_site(std::vector<std::string> words) {
  words.insert(words.begin(), {"--port", "8080", "--pages", "50", "--seed", "3"});
  return words;
}

std::vector<std::string> truth(std::vector<std::string> words = {}) {
  words.push_back("--truth");
  CommandRun run = site_server(on_site(std::move(words)));
  EXPECT_EQ(run.wait(), 0) << run.err();
  return run.out_lines();
}

// The lines of the truth that must be fetched: they have what is read of a crawl's results.
std::string perfect_crawl() {
  std::string crawl;
  for (const std::string& line : truth()) {
    if (has(line, "\"must_fetch\": true")) crawl += line + "\n";
  }
  return crawl;
}

TEST(SiteServerTest, FindsACrawlEqualToTheTruth) {
  CommandRun compared = site_server(on_site({"--compare", "-"}), perfect_crawl());
  EXPECT_EQ(compared.wait(), 0);
  EXPECT_TRUE(compared.out().starts_with("equal: ")) << compared.out();
}

TEST(SiteServerTest, FindsWhatACrawlMissed) {
  std::string crawl = perfect_crawl();
  crawl.erase(0, crawl.find('\n') + 1);
  CommandRun compared = site_server(on_site({"--compare", "-"}), crawl);
  EXPECT_EQ(compared.wait(), 1);
  EXPECT_TRUE(has(compared.out(), "missing: http://127.0.0.1:8080/")) << compared.out();
}

TEST(SiteServerTest, EachOptionOfTheCrawlChangesWhatItMustFetch) {
  const std::vector<std::string> usual = truth();
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--no-robots"},
                                             {"--sitemaps"},
                                             {"--assets"},
                                             {"--no-documents"},
                                             {"--depth", "0"},
                                             {"--plain"},
                                             {"--trap"},
                                             {"--seed", "4"},
                                             {"--hosts", "2", "--cross-hosts"}}) {
    EXPECT_TRUE(truth(words) != usual) << words.front();
  }
}

TEST(SiteServerTest, RejectsWhatMakesNoSense) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--truth"},
                                             {"--port", "70000"},
                                             {"--port"},
                                             {"--hosts", "0"},
                                             {"--hosts", "2", "--roots", "3"},
                                             {"--pages", "0"},
                                             {"--faults", "few"},
                                             {"--delay", "soon"},
                                             {"--cache", "large"},
                                             {"--loop", "kqueue"},
                                             {"--nonsense"}}) {
    CommandRun run = site_server(words);
    EXPECT_EQ(run.wait(), 2) << words.front();
  }
  CommandRun run = site_server(on_site({"--compare", "/no/such/file"}));
  EXPECT_EQ(run.wait(), 3);
}

}  // namespace
}  // namespace gossamer::support

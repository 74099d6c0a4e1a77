// URLs of scripts that pages link to later, in one process and over several.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/support/job_story.h>
#include <tests/support/test_web.h>

#include <map>
#include <string>
#include <string_view>

#include "record/page_row.h"
#include "settings/crawl_settings.h"
#include "store/tables.h"

namespace gossamer::run {
namespace {

constexpr int kPages = 6;

CrawlSettings begin_guesses(crawler::TestWeb& web) {
  web.at("http://a.test/", crawler::Reply{.body = "<a href=/1>1</a><script>f('/gone.html');"
                                                  "f('/only.html')</script>"});
  // The last page of this path links to the guess, long after it was fetched.
  for (int i = 1; i < kPages; ++i) {
    web.page(fmt::format("http://a.test/{}", i), {fmt::format("/{}", i + 1)});
  }
  web.page(fmt::format("http://a.test/{}", kPages), {"/gone.html", "/slow.html"});
  web.page("http://a.test/only.html", {"/only.html"});
  // A guess that is linked before it is fetched.
  web.at("http://b.test/", crawler::Reply{.body = "<a href=/1>1</a><script>f('/slow.html')"
                                                  "</script>"});
  web.page("http://b.test/1", {"/slow.html"});
  web.page("http://b.test/slow.html", {});
  CrawlSettings settings("http://a.test/");
  settings.roots.push_back("http://b.test/");
  settings.mines_scripts = true;
  return settings;
}

void expect_guesses(const store::Tables& tables) {
  std::map<std::string, bool> guesses;
  EXPECT_TRUE(tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
    const auto page = store::unpack_page(row);
    if (page->url.ends_with(".html")) guesses[page->url] = page->is_guess;
    return true;
  }));
  EXPECT_EQ(guesses, (std::map<std::string, bool>{{"http://a.test/gone.html", false},
                                                  {"http://a.test/only.html", true},
                                                  {"http://a.test/slow.html", false},
                                                  {"http://b.test/slow.html", false}}));
}

constexpr sim::JobStory kGuesses = {.begin = begin_guesses, .expect = expect_guesses};

TEST(JobGuess, ALinkThatIsFoundLaterCounts) { sim::expect_on_every_number_of_loops(kGuesses); }

TEST(JobGuess, ALinkThatALaterProcessFindsCounts) { sim::expect_after_kills(kGuesses, 1, 3); }

}  // namespace
}  // namespace gossamer::run

#include "check/answer_cache.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::check {
namespace {

constexpr WallTime kNow = {.seconds = 1'000'000, .nanoseconds = 0};

crawler::FetchRecord record(std::string url, int status, std::string next = {}) {
  crawler::FetchRecord made;
  made.url = std::move(url);
  made.ts = kNow;
  made.status = status;
  made.next_url = std::move(next);
  return made;
}

TEST(AnswerCache, SurvivesAFile) {
  AnswerCache cache;
  cache.put(record("https://a.example/", 200));
  cache.put(record("https://b.example/", 301, "https://a.example/"));
  cache.put(record("https://c.example/", 404));
  const AnswerCache again = AnswerCache::parse(cache.to_text(), kNow, 24h);
  EXPECT_EQ(again.bad_lines(), 0u);
  EXPECT_EQ(again.size(), 3u);
  EXPECT_EQ(again.find("https://c.example/")->status, 404);
  EXPECT_EQ(again.find("https://b.example/")->next, "https://a.example/");
  EXPECT_TRUE(again.knows_end_of("https://b.example/"));
  EXPECT_EQ(again.to_text(), cache.to_text());
}

TEST(AnswerCache, KeepsNothingThatMayPass) {
  AnswerCache cache;
  for (const int status : {408, 429, 500, 503}) cache.put(record("https://a.example/", status));
  crawler::FetchRecord failed;
  failed.url = "https://b.example/";
  failed.error = "timed_out";
  cache.put(failed);
  EXPECT_EQ(cache.size(), 0u);
}

TEST(AnswerCache, ForgetsWhatIsOld) {
  AnswerCache cache;
  cache.put(record("https://a.example/", 200));
  const WallTime later = kNow + Duration(2h);
  EXPECT_EQ(AnswerCache::parse(cache.to_text(), later, 3h).size(), 1u);
  EXPECT_EQ(AnswerCache::parse(cache.to_text(), later, 1h).size(), 0u);
}

TEST(AnswerCache, ForgetsWhatCameBeforeTheClockWasSetBack) {
  AnswerCache cache;
  cache.put(record("https://a.example/", 200));
  EXPECT_EQ(AnswerCache::parse(cache.to_text(), kNow + -1s, 24h).size(), 1u);
  EXPECT_EQ(AnswerCache::parse(cache.to_text(), kNow + -1h, 24h).size(), 0u);
}

TEST(AnswerCache, DoesNotKnowARedirectWhoseEndItDoesNotKnow) {
  AnswerCache cache;
  cache.put(record("https://a.example/", 302, "https://b.example/"));
  EXPECT_FALSE(cache.knows_end_of("https://a.example/"));
  cache.put(record("https://b.example/", 302, "https://a.example/"));
  EXPECT_FALSE(cache.knows_end_of("https://a.example/")) << "a circle has no end";
}

TEST(AnswerCache, PassesOverLinesThatItCannotRead) {
  const AnswerCache cache = AnswerCache::parse(
      "# "
      "title\n\n1000000\t200\thttps://a.example/\t\nnonsense\n1000000\t999\thttps://b.example/\t\n"
      "1000000\t200\tfile:///etc/passwd\t\n1000000\t200\thttps://c.example/\t\textra\n"
      "1000000\t200\thttps://d.exa",
      kNow, 24h);
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_EQ(cache.bad_lines(), 5u);
}

}  // namespace
}  // namespace gossamer::check

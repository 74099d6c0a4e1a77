#include "tests/site_server/truth_lines.h"

#include <gtest/gtest.h>

#include "tests/site_server/test_sites.h"

namespace gossamer::site {
namespace {

TEST(TruthLines, IsWrittenOneLineForEachUrl) {
  const TruthEntry entry = {.url = "http://a.example/go/x-1",
                            .kind = Kind::redirect,
                            .status = 301,
                            .next_url = "http://a.example/",
                            .is_linked = true,
                            .is_allowed = true,
                            .must_fetch = true,
                            .depth = 2};
  EXPECT_EQ(to_json(entry),
            R"({"url": "http://a.example/go/x-1", "kind": "redirect", "status": 301, )"
            R"("next_url": "http://a.example/", "failures": 0, "linked": true, )"
            R"("allowed": true, "must_fetch": true, "depth": 2})");
}

TEST(TruthLines, ReadsTheLinesThatACrawlWrites) {
  const auto read = read_crawled_url(
      R"({"ts": "2024-01-01T00:00:00Z", "url":"http:\/\/a.example\/\u00e9\ud83d\ude00",)"
      R"("status":301,)"
      R"( "next_url":"http://b.example/", "via": null, "x": [1, {"url": "no"}, "]"]})");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->url, "http://a.example/\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(read->status, 301);
  EXPECT_EQ(read->next_url, "http://b.example/");
  EXPECT_EQ(read_crawled_url(R"({"url":"x","status":null,"next_url":null})")->status, 0);
}

TEST(TruthLines, RejectsInvalidLines) {
  for (const char* const line :
       {"", "[]", "{", R"({"url":)", R"({"url":"x")", R"({"url":"x"} more)", R"({"status":200})",
        R"({"url":"\u12"})", R"({"url":"x","status":"200x",})", R"({"url":"x","status":-1})",
        R"({"url":"\x"})", R"({"url":"x","y":]})"}) {
    EXPECT_FALSE(read_crawled_url(line)) << line;
  }
}

TEST(TestSites, AreValid) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    EXPECT_TRUE(validate(drawn_site(seed))) << seed;
  }
}

}  // namespace
}  // namespace gossamer::site

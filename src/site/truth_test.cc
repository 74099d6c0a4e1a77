#include "site/truth.h"

#include <gtest/gtest.h>

#include <string>

#include "site/site.h"

namespace gossamer::site {
namespace {

TEST(TruthTest, IsWrittenOneLineForEachUrl) {
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

TEST(TruthTest, LeavesOutWhatRobotsForbid) {
  SiteOptions options;
  options.disallowed = 0.3;
  const Site site(options);
  const auto polite = site.truth().must_fetch();
  const auto rude = site.truth({.obeys_robots = false}).must_fetch();
  EXPECT_EQ(rude.size(), options.pages);
  EXPECT_LT(polite.size(), 850u);
  for (const std::string& url : polite) {
    EXPECT_TRUE(url.find("/private/") == std::string::npos ||
                url.find("/private/press/") != std::string::npos)
        << url;
  }
}

}  // namespace
}  // namespace gossamer::site

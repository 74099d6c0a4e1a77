#include "site/truth.h"

#include <gtest/gtest.h>

#include <string>

#include "site/site.h"

namespace gossamer::site {
namespace {

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

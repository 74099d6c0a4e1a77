#include "frontier/host_manners.h"

#include <gtest/gtest.h>

namespace gossamer::crawler {
namespace {

TEST(HostMannersTest, EachKeyIsResolvedSeparately) {
  const HostManners manners(
      {
          {.name = "a.example", .delay = 1s},
          {.name = "*.example", .delay = 5s, .concurrency = 2},
          {.name = "*.a.example", .concurrency = 3},
      },
      {.delay = 9s});
  EXPECT_EQ(manners.of("a.example").delay, 1s);
  EXPECT_EQ(manners.of("a.example").host_concurrency, 2u);
  EXPECT_EQ(manners.of("b.a.example").delay, 5s);
  EXPECT_EQ(manners.of("b.a.example").host_concurrency, 3u);
  EXPECT_EQ(manners.of("other.test").delay, 9s);
  EXPECT_EQ(manners.of("other.test").host_concurrency, std::nullopt);
}

TEST(HostMannersTest, ChangingTheDefaultsKeepsOptionsOfHosts) {
  HostManners manners({{.name = "a.example", .delay = 1s}}, {});
  const PolitenessOptions& special = manners.of("a.example");
  const PolitenessOptions& usual = manners.of("b.example");
  manners.set_usual({.delay = 7s, .host_concurrency = 4});
  EXPECT_EQ(usual.delay, 7s);
  EXPECT_EQ(special.delay, 1s);
  EXPECT_EQ(special.host_concurrency, 4u);
}

}  // namespace
}  // namespace gossamer::crawler

#include "cluster/shared_crawl.h"

#include <gtest/gtest.h>

namespace gossamer::cluster {
namespace {

TEST(Settings, DifferencesAreNamed) {
  EXPECT_EQ(settings_difference("a = 1\nb = 2\n", "a = 1\nb = 2\n"), "");
  EXPECT_EQ(settings_difference("a = 1\nb = 2\n", "a = 1\nb = 3\n"),
            "the crawl has 'b = 2', this node has 'b = 3'");
  EXPECT_EQ(settings_difference("a = 1\n", "a = 1\nb = 3\n"),
            "the crawl has no such line, this node has 'b = 3'");
  EXPECT_EQ(settings_difference("a = 1\nb = 2", "a = 1\n"),
            "the crawl has 'b = 2', this node has no such line");
}

}  // namespace
}  // namespace gossamer::cluster

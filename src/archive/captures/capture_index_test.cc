#include "captures/capture_index.h"

#include <gtest/gtest.h>

namespace gossamer::captures {
namespace {

TEST(EntryOf, HasOnlyWhatTheArchiveKnows) {
  CaptureIndex index;
  index.add({.url = "http://a.example/", .archive = 0, .status = 404}, 0, 0);
  index.add({.url = "http://a.example/", .at = {.seconds = 9}, .archive = 1, .status = 200}, 0, 0);
  index.sort();
  index.add_fetched("http://a.example/",
                    {.title = {}, .error = {}, .archive = 1, .outcome = crawler::Outcome::page});
  const UrlEntry& entry = *index.find("http://a.example/");
  EXPECT_EQ(EntryOf(entry, 0).last->status, 404);
  EXPECT_EQ(EntryOf(entry, 0).fetched, nullptr);
  EXPECT_EQ(EntryOf(entry, 0).outcome(), crawler::Outcome::error);
  EXPECT_EQ(EntryOf(entry, 1).outcome(), crawler::Outcome::page);
  EXPECT_EQ(EntryOf(entry, {}).last->status, 200);
  EXPECT_EQ(EntryOf(entry, {}).outcome(), crawler::Outcome::page);
  EXPECT_TRUE(EntryOf(entry, 2).is_empty());
}

// Otherwise an archive has more pages and errors than its crawl.
TEST(EntryOf, HasRobotsTxtOnlyIfItWasFetchedAsAPage) {
  CaptureIndex index;
  for (const std::string url : {"http://a.example/robots.txt", "http://b.example/robots.txt",
                                "http://a.example/x/robots.txt"}) {
    index.add({.url = url, .archive = 0, .status = 404}, 0, 0);
  }
  index.sort();
  index.add_fetched("http://b.example/robots.txt",
                    {.title = {}, .error = {}, .archive = 0, .outcome = crawler::Outcome::error});
  EXPECT_TRUE(EntryOf(*index.find("http://a.example/robots.txt"), 0).is_empty());
  EXPECT_FALSE(EntryOf(*index.find("http://b.example/robots.txt"), 0).is_empty());
  EXPECT_FALSE(EntryOf(*index.find("http://a.example/x/robots.txt"), 0).is_empty());
}

}  // namespace
}  // namespace gossamer::captures

#include "store/work_chunk.h"

#include <gtest/gtest.h>

namespace gossamer::store {
namespace {

crawler::Target target(const std::string& url, const std::string& via) {
  crawler::Target made;
  made.url = url;
  made.via = crawler::Referrer(via);
  made.depth = 3;
  return made;
}

TEST(WorkChunk, TargetsComeOutAsTheyWentIn) {
  ChunkBuilder builder;
  crawler::Target first = target("https://a.example/1", "https://a.example/");
  first.is_requisite = first.is_root = true;
  first.redirects = 2;
  builder.add("https://a.example", 17, first);
  builder.add("https://a.example", std::nullopt,
              target("https://a.example/2?q", "https://b.example/"));
  builder.add("https://a.example", 18, target("https://a.example/", "https://b.example/"));
  EXPECT_EQ(builder.size(), 3U);
  const std::string chunk = builder.take();
  EXPECT_EQ(builder.size(), 0U);

  const auto head = read_chunk_head(chunk);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->count, 3U);
  EXPECT_EQ(head->depth, 3);
  const auto read = read_chunk(chunk, "https://a.example");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 3U);
  EXPECT_EQ((*read)[0].target.url, "https://a.example/1");
  EXPECT_EQ((*read)[0].fingerprint, 17U);
  EXPECT_TRUE((*read)[0].target.is_requisite && (*read)[0].target.is_root);
  EXPECT_FALSE((*read)[0].target.is_sitemap);
  EXPECT_EQ((*read)[0].target.redirects, 2);
  EXPECT_EQ((*read)[0].target.via.url(), "https://a.example/");
  EXPECT_EQ((*read)[1].fingerprint, std::nullopt);
  EXPECT_EQ((*read)[1].target.url, "https://a.example/2?q");
  EXPECT_EQ((*read)[2].target.via.url(), "https://b.example/");
  EXPECT_EQ((*read)[2].target.depth, 3);
}

TEST(WorkChunk, OneThatIsCutAnywhereIsRefused) {
  ChunkBuilder builder;
  builder.add("https://a.example", 17, target("https://a.example/1", "https://a.example/"));
  const std::string chunk = builder.take();
  for (std::size_t size = 0; size < chunk.size(); ++size) {
    EXPECT_FALSE(read_chunk(std::string_view(chunk).substr(0, size), "https://a.example"));
  }
  EXPECT_FALSE(read_chunk(chunk + "x", "https://a.example"));
}

}  // namespace
}  // namespace gossamer::store

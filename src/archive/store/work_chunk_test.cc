#include "store/work_chunk.h"

#include <gtest/gtest.h>

#include "base/packing.h"

namespace gossamer::store {
namespace {

crawler::Target target(const std::string& url, const std::string& via) {
  crawler::Target made;
  made.url = url;
  made.via = crawler::Referrer(via);
  made.depth = 3;
  return made;
}

TEST(WorkChunk, ReturnsTheSameTargets) {
  ChunkBuilder builder;
  crawler::Target first = target("https://a.example/1", "https://a.example/");
  first.purpose = crawler::Purpose::root;
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
  EXPECT_EQ((*read)[0].target.purpose, crawler::Purpose::root);
  EXPECT_EQ((*read)[0].target.redirects, 2);
  EXPECT_EQ((*read)[0].target.via.url(), "https://a.example/");
  EXPECT_EQ((*read)[1].fingerprint, std::nullopt);
  EXPECT_EQ((*read)[1].target.url, "https://a.example/2?q");
  EXPECT_EQ((*read)[2].target.via.url(), "https://b.example/");
  EXPECT_EQ((*read)[2].target.depth, 3);
}

// Crawl directories of earlier versions contain these flags.
TEST(WorkChunk, FlagsOfPurposesAndLeavesAreStable) {
  using crawler::Leaf;
  using crawler::Purpose;
  struct Case {
    Purpose purpose;
    Leaf leaf;
    int flags;
  };
  for (const Case& each :
       {Case{Purpose::page, Leaf::no, 0}, Case{Purpose::root, Leaf::no, 32},
        Case{Purpose::guess, Leaf::no, 256}, Case{Purpose::requisite, Leaf::no, 4},
        Case{Purpose::sitemap, Leaf::no, 8}, Case{Purpose::nested_sitemap, Leaf::no, 8 + 16},
        Case{Purpose::guessed_sitemap, Leaf::no, 8 + 4},
        Case{Purpose::requisite, Leaf::yes, 4 + 64}, Case{Purpose::page, Leaf::whole, 64 + 128}}) {
    crawler::Target made = target("https://a.example/1", "");
    made.purpose = each.purpose;
    made.leaf = each.leaf;
    ChunkBuilder builder;
    builder.add("https://a.example", std::nullopt, made);
    const std::string chunk = builder.take();
    // Count and depth, then the flags of the first target, which has a referrer.
    Unpacker from(chunk);
    from.number();
    from.number();
    EXPECT_EQ(from.number(), each.flags + 2U);
    const auto read = read_chunk(chunk, "https://a.example");
    ASSERT_TRUE(read);
    EXPECT_EQ((*read)[0].target.purpose, each.purpose);
    EXPECT_EQ((*read)[0].target.leaf, each.leaf);
  }
}

TEST(WorkChunk, RejectsATruncatedChunk) {
  ChunkBuilder builder;
  builder.add("https://a.example", 17, target("https://a.example/1", "https://a.example/"));
  const std::string chunk = builder.take();
  for (std::size_t size = 0; size < chunk.size(); ++size) {
    EXPECT_FALSE(read_chunk(std::string_view(chunk).substr(0, size), "https://a.example"));
  }
  EXPECT_FALSE(read_chunk(chunk + "x", "https://a.example"));
}

TEST(WorkChunk, RejectsAHeadWithoutTargets) {
  EXPECT_FALSE(read_chunk_head(""));
  EXPECT_FALSE(read_chunk_head("\x05")) << "the depth is missing";
  EXPECT_FALSE(read_chunk_head(std::string_view("\0\x03", 2)));
  const auto head = read_chunk_head("\x05\x03");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->count, 5U);
  EXPECT_EQ(head->depth, 3U);
}

}  // namespace
}  // namespace gossamer::store

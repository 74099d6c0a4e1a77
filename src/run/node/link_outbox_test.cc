#include "node/link_outbox.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "cluster/layout.h"
#include "frontier/target.h"
#include "node/url_block.h"

namespace gossamer::node {
namespace {

bool add(LinkOutbox& outbox, const std::string& url, std::uint64_t fingerprint) {
  return outbox.add(*url::Url::parse(url), fingerprint, {});
}

TEST(LinkOutboxTest, SendsAUrlOnce) {
  LinkOutbox outbox(16);
  EXPECT_TRUE(add(outbox, "https://a.example/1", 1));
  EXPECT_FALSE(add(outbox, "https://a.example/1", 1));
  EXPECT_EQ(outbox.pack().size(), 1u);
  outbox.forget();
  EXPECT_FALSE(add(outbox, "https://a.example/1", 1)) << "also after it was taken";
  EXPECT_TRUE(outbox.pack().empty());
  // The cache is bounded: another URL of the same slot displaces it, so it is sent again.
  EXPECT_TRUE(add(outbox, "https://a.example/17", 17));
  EXPECT_TRUE(add(outbox, "https://a.example/1", 1));
}

TEST(LinkOutboxTest, LevelByLevelEveryDepthIsSent) {
  LinkOutbox outbox(LinkOutbox::kSlots, true);
  const auto url = url::Url::parse("https://a.example/1");
  const auto add_at = [&](std::uint16_t depth) { return outbox.add(*url, 1, {.depth = depth}); };
  EXPECT_TRUE(add_at(3) && add_at(2));
  EXPECT_FALSE(add_at(3) || add_at(2));
  const auto batches = outbox.pack();
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[0].depth, 2u);
  EXPECT_EQ(batches[1].depth, 3u);
}

TEST(LinkOutboxTest, WithoutLevelsADepthDoesNotMatter) {
  LinkOutbox outbox;
  const auto url = url::Url::parse("https://a.example/1");
  EXPECT_TRUE(outbox.add(*url, 1, {.depth = 3}));
  EXPECT_FALSE(outbox.add(*url, 1, {.depth = 2}));
  EXPECT_EQ(outbox.pack().front().depth, 0u);
}

TEST(LinkOutboxTest, FewPartitionsTakeAllHosts) {
  constexpr std::uint32_t kFew = 4;
  LinkOutbox outbox(16, false, kFew);
  for (std::uint64_t i = 1; i <= 64; ++i) {
    add(outbox, "https://" + std::to_string(i) + ".test/", i);
  }
  std::set<std::uint32_t> used;
  for (const cluster::FoundUrls& batch : outbox.pack()) used.insert(batch.partition);
  EXPECT_EQ(used, (std::set<std::uint32_t>{0, 1, 2, 3}));
}

TEST(LinkOutboxTest, BatchesHaveOneHostAndABound) {
  LinkOutbox outbox;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    add(outbox, "https://a.example/" + std::to_string(i) + "#part", i);
  }
  add(outbox, "https://www.a.example:8443/", 1000);
  EXPECT_EQ(outbox.size(), 101u);
  const auto batches = outbox.pack();
  EXPECT_EQ(outbox.size(), 101u) << "until they are sent";
  add(outbox, "https://b.example/", 2000);
  outbox.forget();
  EXPECT_EQ(outbox.size(), 1u);
  ASSERT_EQ(batches.size(), 3u);
  EXPECT_EQ(batches[0].host, "a.example");
  EXPECT_EQ(batches[0].fingerprints.size(), cluster::kBatchMax);
  EXPECT_EQ(batches[1].fingerprints.size(), 100 - cluster::kBatchMax);
  EXPECT_EQ(batches[2].host, "www.a.example");
  EXPECT_EQ(batches[0].partition, batches[2].partition) << "a site is in one partition";
  const auto urls = unpack_urls(batches[1].block);
  ASSERT_TRUE(urls.has_value());
  EXPECT_EQ(urls->front().url, "https://a.example/65");
}

TEST(LinkOutboxTest, OnlyHostsBelowADomainAreCountedForIt) {
  LinkOutbox outbox;
  EXPECT_TRUE(add(outbox, "https://a.example/", 1));
  EXPECT_TRUE(add(outbox, "https://www.a.example/", 2));
  EXPECT_TRUE(outbox.add(*url::Url::parse("https://root.a.example/"), 3,
                         {.purpose = crawler::Purpose::root}));
  EXPECT_TRUE(add(outbox, "https://root.a.example/page", 4));
  const auto batches = outbox.pack();
  ASSERT_EQ(batches.size(), 3u);
  EXPECT_EQ(batches[0].domain_bytes, 0u) << "it is the domain";
  EXPECT_EQ(batches[1].host, "root.a.example");
  EXPECT_EQ(batches[1].domain_bytes, 0u) << "the user has named it";
  EXPECT_EQ(batches[2].host, "www.a.example");
  EXPECT_EQ(batches[2].domain_bytes, std::string_view("a.example").size());
}

TEST(LinkOutboxTest, EveryFingerprintIsSentAlsoZero) {
  LinkOutbox outbox(16);
  EXPECT_TRUE(add(outbox, "https://a.example/", 0));
  EXPECT_TRUE(add(outbox, "https://a.example/16", 16));
  EXPECT_FALSE(add(outbox, "https://a.example/16", 16));
  EXPECT_EQ(outbox.size(), 2u);
}

TEST(LinkOutboxTest, KnowsThePagesOfLinksThatAreLeft) {
  LinkOutbox outbox;
  const auto add_from = [&](const std::string& page, const std::string& url, std::uint64_t number) {
    crawler::Target facts;
    if (!page.empty()) facts.via = crawler::Referrer(page);
    EXPECT_TRUE(outbox.add(*url::Url::parse(url), number, facts));
  };
  add_from("https://a.example/", "https://one.example/1", 1);
  add_from("https://b.example:8443/", "https://one.example/2", 2);
  add_from("https://a.example/", "https://one.example/3", 3);
  add_from("https://c.example/", "https://two.example/", 4);
  add_from("", "https://zero.example/", 5);
  EXPECT_EQ(outbox.pack().size(), 3u);
  using Hosts = std::set<std::string, std::less<>>;
  EXPECT_EQ(outbox.sources(), (Hosts{"a.example", "b.example", "c.example"}));
  outbox.forget({0});
  EXPECT_EQ(outbox.sources(), (Hosts{"a.example", "b.example"}));
  EXPECT_EQ(outbox.size(), 3u);
  add_from("https://c.example/", "https://three.example/", 6);
  const auto batches = outbox.pack();
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[0].host, "one.example");
  EXPECT_EQ(batches[1].host, "three.example");
  outbox.forget({1});
  EXPECT_EQ(outbox.sources(), (Hosts{"c.example"}));
  outbox.forget();
  EXPECT_EQ(outbox.size(), 0u);
  EXPECT_TRUE(outbox.sources().empty());
}

}  // namespace
}  // namespace gossamer::node

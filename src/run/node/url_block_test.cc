#include "node/url_block.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/packing.h"

namespace gossamer::node {
namespace {

using crawler::Target;

Target target(std::string url, const std::string& via, std::uint16_t depth) {
  Target made;
  made.url = std::move(url);
  if (!via.empty()) made.via = crawler::Referrer(via);
  made.depth = depth;
  return made;
}

std::vector<Target> some_targets() {
  std::vector<Target> targets = {target("https://a.example/one", "", 0),
                                 target("https://a.example/one/two", "https://a.example/", 3),
                                 target("https://a.example/x", "https://a.example/", 65535)};
  targets[0].purpose = crawler::Purpose::root;
  targets[1].redirects = 255;
  targets[1].leaf = crawler::Leaf::whole;
  targets[2].score = 255;
  for (int i = 0; i <= static_cast<int>(crawler::kLastPurpose); ++i) {
    targets.push_back(target("https://a.example/x/" + std::to_string(i), "", 1));
    targets.back().purpose = static_cast<crawler::Purpose>(i);
  }
  return targets;
}

TEST(UrlBlockTest, IsReadAsItWasWritten) {
  const std::vector<Target> targets = some_targets();
  const auto read = unpack_urls(pack_urls(targets));
  ASSERT_TRUE(read.has_value()) << read.error().to_string();
  ASSERT_EQ(read->size(), targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    EXPECT_EQ((*read)[i].url, targets[i].url);
    EXPECT_EQ((*read)[i].via.url(), targets[i].via.url());
    EXPECT_EQ((*read)[i].depth, targets[i].depth);
    EXPECT_EQ((*read)[i].redirects, targets[i].redirects);
    EXPECT_EQ((*read)[i].score, targets[i].score);
    EXPECT_EQ((*read)[i].purpose, targets[i].purpose);
    EXPECT_EQ((*read)[i].leaf, targets[i].leaf);
  }
}

TEST(UrlBlockTest, EqualBeginningsTakeNoSpace) {
  std::vector<Target> targets;
  const std::string folder = "https://a.example/a/long/folder/with/many/pages/";
  for (int i = 0; i < 64; ++i) targets.push_back(target(folder + std::to_string(i), folder, 1));
  EXPECT_LT(pack_urls(targets).size(), 64u * 14);
}

TEST(UrlBlockTest, MalformedBlocksFail) {
  const std::string block = pack_urls(some_targets());
  for (std::size_t size = 0; size < block.size(); ++size) {
    EXPECT_FALSE(unpack_urls(block.substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(unpack_urls(block + "x").has_value());
  const std::string one = pack_urls(std::vector<Target>{target("x", "", 0)});
  for (const std::size_t from_end : {1, 2}) {  // the leaf and the purpose
    std::string unknown = one;
    unknown[unknown.size() - from_end] = 99;
    EXPECT_FALSE(unpack_urls(unknown).has_value()) << from_end;
  }
  EXPECT_FALSE(unpack_urls("\x02" + block.substr(1)).has_value()) << "another version";
  EXPECT_TRUE(unpack_urls(pack_urls(std::vector<Target>(64, target("x", "", 0)))).has_value());
  EXPECT_FALSE(unpack_urls(pack_urls(std::vector<Target>(65, target("x", "", 0)))).has_value());
  for (std::size_t at = 0; at < block.size(); ++at) {
    std::string changed = block;
    changed[at] = static_cast<char>(changed[at] ^ 0xFF);
    static_cast<void>(unpack_urls(changed));  // must not crash
  }
}

// A block of one URL with these numbers: depth, redirects, score.
std::string block_with(std::uint64_t depth, std::uint64_t redirects, std::uint64_t score) {
  store::Packer block;
  for (const std::uint64_t number : {1, 1, 0}) block.number(number);  // format, URLs, equal bytes
  block.text("x");
  block.number(0);
  block.text("");
  for (const std::uint64_t number : {depth, redirects, score}) block.number(number);
  block.number(static_cast<std::uint64_t>(crawler::Purpose::page));
  block.number(static_cast<std::uint64_t>(crawler::Leaf::no));
  return std::move(block).take();
}

TEST(UrlBlockTest, NumbersThatAreTooLargeAreMalformed) {
  const auto read = unpack_urls(block_with(0xFFFF, 0xFF, 0xFF));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->front().depth, 0xFFFF);
  EXPECT_EQ(read->front().redirects, 0xFF);
  EXPECT_EQ(read->front().score, 0xFF);
  EXPECT_FALSE(unpack_urls(block_with(0x1'0000, 0, 0)).has_value());
  EXPECT_FALSE(unpack_urls(block_with(0, 0x100, 0)).has_value());
  EXPECT_FALSE(unpack_urls(block_with(0, 0, 0x100)).has_value());
}

TEST(UrlBlockTest, AnUnknownKindIsMalformedWhateverFollows) {
  for (const std::size_t from_end : {1, 2}) {  // the leaf and the purpose
    std::string block = block_with(0, 0, 0);
    block.resize(block.size() - from_end);
    EXPECT_FALSE(unpack_urls(block + '\x63').has_value()) << from_end;
  }
}

TEST(UrlBlockTest, AUrlHasABound) {
  for (const std::size_t more : {0, 1}) {
    const std::string url(kUrlBytesMax + more, 'x');
    const std::vector<Target> one = {target(url, "", 0)};
    const std::vector<Target> two = {target("x", "", 0), target(url, "", 0)};
    EXPECT_EQ(unpack_urls(pack_urls(one)).has_value(), more == 0);
    EXPECT_EQ(unpack_urls(pack_urls(two)).has_value(), more == 0) << "equal bytes count";
  }
}

}  // namespace
}  // namespace gossamer::node

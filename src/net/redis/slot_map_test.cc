#include "redis/slot_map.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gossamer::redis {
namespace {

const Node kAsked = {.host = "10.0.0.1", .port = 7000};

Reply reply_of(std::string_view bytes) {
  RespReader reader;
  const auto step = reader.feed(as_bytes(bytes));
  EXPECT_TRUE(step && step->is_done);
  return reader.take();
}

TEST(SlotMap, ReadsTheReplyOfACluster) {
  const Reply reply = reply_of(
      "*2\r\n*4\r\n:0\r\n:9999\r\n*3\r\n$8\r\n10.0.0.2\r\n:7001\r\n$1\r\na\r\n"
      "*3\r\n$8\r\n10.0.0.3\r\n:7002\r\n$1\r\nb\r\n"
      "*3\r\n:10000\r\n:16382\r\n*3\r\n$0\r\n\r\n:7003\r\n$1\r\nc\r\n");
  auto map = SlotMap::parse(reply, kAsked);
  ASSERT_TRUE(map.has_value()) << map.error().to_string();
  EXPECT_EQ(map->owner(0), (Node{.host = "10.0.0.2", .port = 7001}));
  EXPECT_EQ(map->owner(10000), (Node{.host = "10.0.0.1", .port = 7003}));
  EXPECT_EQ(map->owner(16383), std::nullopt);
  EXPECT_EQ(map->slots_covered(), 16383u);
  ASSERT_EQ(map->masters().size(), 2u);
  EXPECT_EQ(map->masters()[0].slots, 10000u);
  EXPECT_EQ(map->masters()[0].replicas, (std::vector<Node>{{.host = "10.0.0.3", .port = 7002}}));
  map->move(0, kAsked);
  EXPECT_EQ(map->owner(0), kAsked);
  EXPECT_EQ(map->masters()[0].slots, 9999u);
}

TEST(SlotMap, RejectsBrokenReplies) {
  for (const std::string_view bytes :
       {":1\r\n", "*1\r\n:1\r\n", "*1\r\n*2\r\n:0\r\n:1\r\n",
        "*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n+a\r\n:1\r\n",
        "*2\r\n*3\r\n:0\r\n:16383\r\n*2\r\n+a\r\n:1\r\n*3\r\n:0\r\n:0\r\n*2\r\n+b\r\n:1\r\n",
        "*1\r\n*3\r\n:5\r\n:4\r\n*2\r\n+a\r\n:1\r\n", "*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n+a\r\n:0\r\n",
        "*1\r\n*3\r\n:0\r\n:1\r\n*1\r\n+a\r\n", "*1\r\n*3\r\n:0\r\n:1\r\n*2\r\n+a b\r\n:1\r\n"}) {
    EXPECT_FALSE(SlotMap::parse(reply_of(bytes), kAsked).has_value()) << bytes;
  }
}

TEST(SlotMap, ASingleServerOwnsEverything) {
  const SlotMap map = SlotMap::single(kAsked);
  EXPECT_EQ(map.owner(0), kAsked);
  EXPECT_EQ(map.owner(16383), kAsked);
  EXPECT_EQ(map.masters().front().slots, 16384u);
  EXPECT_EQ(SlotMap().owner(0), std::nullopt);
}

TEST(SlotMap, TheNumberOfServersIsBounded) {
  SlotMap map = SlotMap::single(kAsked);
  for (std::uint16_t i = 1; i <= 2 * SlotMap::kNodesMax; ++i) {
    map.move(i, Node{.host = "10.0.0.9", .port = i});
  }
  EXPECT_EQ(map.masters().size(), SlotMap::kNodesMax);
}

}  // namespace
}  // namespace gossamer::redis

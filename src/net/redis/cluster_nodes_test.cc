#include "redis/cluster_nodes.h"

#include <gtest/gtest.h>

namespace gossamer::redis {
namespace {

const Node kNodesSender = {.host = "10.0.0.1", .port = 7000};

TEST(ClusterNodesTest, AreRead) {
  const auto nodes = parse_cluster_nodes(
      "aa 10.0.0.2:7001@17001,name myself,master - 0 0 1 connected 0-5460 [93->-bb] [77-<-bb]\n"
      "bb :7002@17002 master - 0 1 2 connected\r\n"
      "cc 10.0.0.4:7003@17003 slave aa 0 1 1 connected\n"
      "dd 10.0.0.5:7004@17004 master,fail? - 0 1 1 disconnected 5461\n"
      "ee :0@0 slave,noaddr aa 0 1 1 disconnected\n",
      kNodesSender);
  ASSERT_TRUE(nodes.has_value()) << nodes.error().to_string();
  ASSERT_EQ(nodes->size(), 5u);
  EXPECT_EQ((*nodes)[0].node, (Node{.host = "10.0.0.2", .port = 7001}));
  EXPECT_TRUE((*nodes)[0].is_master);
  EXPECT_EQ((*nodes)[0].leaving, std::vector<std::uint16_t>({93}));
  EXPECT_TRUE((*nodes)[1].leaving.empty());
  EXPECT_EQ((*nodes)[1].node, (Node{.host = "10.0.0.1", .port = 7002})) << "of the sender's host";
  EXPECT_EQ((*nodes)[1].epoch, 2u);
  EXPECT_EQ((*nodes)[1].master, "");
  EXPECT_FALSE((*nodes)[2].is_master);
  EXPECT_EQ((*nodes)[2].master, "aa");
  EXPECT_TRUE((*nodes)[3].is_master && (*nodes)[3].is_failed);
  EXPECT_TRUE((*nodes)[4].is_failed);
}

TEST(ClusterNodesTest, BrokenLinesFail) {
  for (const std::string_view text : {"aa", "aa 10.0.0.2", "aa x master", " 10.0.0.2:1 master",
                                      "aa 10.0.0.2:1 master - 0 0 x connected",
                                      "aa 10.0.0.2:1 master - 0 0 1 connected [x->-bb]"}) {
    EXPECT_FALSE(parse_cluster_nodes(text, kNodesSender).has_value()) << text;
  }
}

}  // namespace
}  // namespace gossamer::redis

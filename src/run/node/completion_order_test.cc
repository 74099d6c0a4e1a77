#include "node/completion_order.h"

#include <gtest/gtest.h>

namespace gossamer::node {
namespace {

using cluster::Position;

TEST(CompletionOrderTest, OnlyAPrefixIsEnded) {
  CompletionOrder order({.batches = 5, .urls = 0});
  EXPECT_EQ(order.add_batch(3), 0u);
  EXPECT_EQ(order.add_batch(2), 3u);
  order.end(1);
  order.end(3);
  EXPECT_EQ(order.position(), (Position{.batches = 5, .urls = 0})) << "the first one is open";
  EXPECT_EQ(order.open(), 3u);
  order.end(0);
  EXPECT_EQ(order.position(), (Position{.batches = 5, .urls = 2}));
  EXPECT_EQ(order.next(), 2u);
  order.end(2);
  EXPECT_EQ(order.position(), (Position{.batches = 6, .urls = 1}));
  order.end(4);
  EXPECT_EQ(order.position(), (Position{.batches = 7, .urls = 0}));
  EXPECT_EQ(order.position(), order.last());
  EXPECT_EQ(order.open(), 0u);
}

TEST(CompletionOrderTest, BeginsInTheMiddleOfABatch) {
  CompletionOrder order({.batches = 1, .urls = 2});
  EXPECT_EQ(order.add_batch(3, 2), 0u);
  EXPECT_EQ(order.position(), (Position{.batches = 1, .urls = 2}));
  EXPECT_EQ(order.next(), 2u);
  EXPECT_FALSE(order.is_open(1));
  order.end(2);
  EXPECT_EQ(order.position(), (Position{.batches = 2, .urls = 0}));
}

TEST(CompletionOrderTest, AFurtherFetchKeepsAUrlOpen) {
  CompletionOrder order({});
  order.add_batch(1);
  order.hold(0);
  order.end(0);
  EXPECT_TRUE(order.is_open(0));
  EXPECT_EQ(order.open(), 1u);
  order.end(0);
  EXPECT_EQ(order.open(), 0u);
  order.end(0);  // it has ended
  order.end(17);
  EXPECT_EQ(order.position(), (Position{.batches = 1, .urls = 0}));
}

}  // namespace
}  // namespace gossamer::node

#include "report/link_graph.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::report {
namespace {

constexpr LinkGraph::Id kNone = LinkGraph::kNone;

TEST(LinkGraphTest, DistinguishesPagesByTheirCrawlIdentity) {
  LinkGraph graph({.drop_sessions = true}, 1);
  const auto first = graph.add("http://a.example/x?PHPSESSID=1234567890abcdef#top");
  EXPECT_EQ(graph.add("HTTP://A.EXAMPLE:80/x"), first);
  EXPECT_NE(graph.add("http://a.example/y"), first);
  EXPECT_EQ(graph.url(first), "http://a.example/x?PHPSESSID=1234567890abcdef");
  EXPECT_EQ(graph.size(), 2u);
  EXPECT_EQ(graph.add("no url"), kNone);
  EXPECT_EQ(graph.add(""), kNone);
  EXPECT_EQ(graph.url(kNone), "");
}

TEST(LinkGraphTest, RemembersAFewPagesThatLinkToOneAndCountsAll) {
  LinkGraph graph({}, 1);
  const auto target = graph.add("http://a.example/target");
  for (int i = 0; i < 10; ++i) {
    const auto page = graph.add("http://a.example/" + std::to_string(i));
    graph.link(page, target);
    graph.link(page, target);  // a second link of the same page
  }
  graph.link(target, target);  // to itself
  EXPECT_EQ(graph[target].links, 10u);
  EXPECT_EQ(graph.url(graph[target].referrers[0]), "http://a.example/0");
  EXPECT_EQ(graph.url(graph[target].referrers[2]), "http://a.example/2");
}

TEST(LinkGraphTest, KeepsNoPasswords) {
  LinkGraph graph({}, 1);
  const auto id = graph.add("http://user:secret@a.example/x");
  EXPECT_EQ(graph.url(id), "http://a.example/x");
  EXPECT_EQ(graph.add("http://a.example/x"), id);
}

TEST(LinkGraphTest, IsFullWhenItIsFull) {
  LinkGraph graph({}, 1, {.pages_max = 100, .text_bytes_max = 1'000'000});
  for (int i = 0; i < 150; ++i) {
    const auto id = graph.add("http://a.example/" + std::to_string(i));
    EXPECT_EQ(id == kNone, i >= 100) << i;
    graph.link(id, id);  // has no effect
  }
  EXPECT_EQ(graph.size(), 100u);
  EXPECT_EQ(graph.left_out(), 50u);
  EXPECT_NE(graph.add("http://a.example/5"), kNone) << "what it knows it still knows";
}

TEST(LinkGraphTest, HoldsNoMoreTextThanItMay) {
  LinkGraph graph({}, 1, {.pages_max = 1000, .text_bytes_max = 10'000});
  std::size_t bytes = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string url = "http://a.example/" + std::to_string(i) + "/" + std::string(1000, 'x');
    if (graph.add(url) != kNone) bytes += url.size();
  }
  EXPECT_LE(bytes, 10'000u);
  EXPECT_GT(graph.left_out(), 80u);
}

TEST(LinkGraphTest, KeepsTextsWholeAcrossItsBlocks) {
  LinkGraph graph({}, 1);
  std::vector<LinkGraph::Id> ids;
  const auto url_of = [](std::size_t i) {
    return "http://a.example/" + std::string(4000, 'y') + std::to_string(i);
  };
  for (std::size_t i = 0; i < 1000; ++i) ids.push_back(graph.add(url_of(i)));
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(graph.url(ids[i]), url_of(i));
}

}  // namespace
}  // namespace gossamer::report

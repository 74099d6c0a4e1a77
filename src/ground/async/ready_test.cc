#include "async/ready.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class Note final : public Ready {
 public:
  Note(std::vector<int>& notes, int number) : notes_(notes), number_(number) {}
  void run() noexcept override { notes_.push_back(number_); }

 private:
  std::vector<int>& notes_;
  int number_;
};

TEST(ReadyQueueTest, IsFirstInFirstOut) {
  std::vector<int> notes;
  Note one(notes, 1), two(notes, 2), three(notes, 3);
  ReadyQueue queue;
  EXPECT_TRUE(queue.empty());
  queue.push(one);
  queue.push(two);
  queue.push(three);
  EXPECT_EQ(queue.size(), 3u);
  while (!queue.empty()) queue.pop().run();
  EXPECT_THAT(notes, ElementsAre(1, 2, 3));
  EXPECT_EQ(queue.size(), 0u);
}

TEST(ReadyQueueTest, AnItemMayComeBackAfterItLeft) {
  std::vector<int> notes;
  Note one(notes, 1), two(notes, 2);
  ReadyQueue queue;
  queue.push(one);
  queue.push(two);
  queue.pop().run();
  queue.push(one);
  queue.pop().run();
  queue.pop().run();
  EXPECT_TRUE(queue.empty());
  EXPECT_THAT(notes, ElementsAre(1, 2, 1));
}

}  // namespace
}  // namespace gossamer::async

#include "async/intrusive_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <list>
#include <vector>

#include "base/random.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Bead : ListNode<Bead> {
  explicit Bead(int number) : number(number) {}
  const int number;
};

std::vector<int> numbers_of(const IntrusiveList<Bead>& list) {
  std::vector<int> numbers;
  for (const Bead* bead = list.first(); bead != nullptr; bead = list.next(*bead)) {
    numbers.push_back(bead->number);
  }
  return numbers;
}

TEST(IntrusiveListTest, KeepsTheOrderOfArrival) {
  Bead one(1), two(2), three(3);
  IntrusiveList<Bead> list;
  EXPECT_TRUE(list.empty());
  list.push_back(one);
  list.push_back(two);
  list.push_back(three);
  EXPECT_EQ(list.size(), 3u);
  EXPECT_EQ(&list.front(), &one);
  EXPECT_THAT(numbers_of(list), ElementsAre(1, 2, 3));
}

TEST(IntrusiveListTest, RemovesFromEveryPlace) {
  Bead one(1), two(2), three(3), four(4);
  IntrusiveList<Bead> list;
  for (Bead* bead : {&one, &two, &three, &four}) list.push_back(*bead);
  list.remove(two);
  EXPECT_THAT(numbers_of(list), ElementsAre(1, 3, 4));
  list.remove(four);
  EXPECT_THAT(numbers_of(list), ElementsAre(1, 3));
  list.remove(one);
  EXPECT_THAT(numbers_of(list), ElementsAre(3));
  list.remove(three);
  EXPECT_THAT(numbers_of(list), IsEmpty());
  EXPECT_TRUE(list.empty());
}

TEST(IntrusiveListTest, AcceptsARemovedItemAgain) {
  Bead one(1), two(2);
  IntrusiveList<Bead> list;
  list.push_back(one);
  list.push_back(two);
  EXPECT_EQ(&list.pop_front(), &one);
  list.push_back(one);
  EXPECT_THAT(numbers_of(list), ElementsAre(2, 1));
}

TEST(IntrusiveListTest, BehavesLikeAListOfPointers) {
  base::Random random(11);
  std::deque<Bead> beads;
  for (int i = 0; i < 64; ++i) beads.emplace_back(i);
  IntrusiveList<Bead> list;
  std::list<int> model;
  for (int step = 0; step < 5000; ++step) {
    Bead& bead = beads[random.below(beads.size())];
    const auto place = std::ranges::find(model, bead.number);
    if (place == model.end()) {
      list.push_back(bead);
      model.push_back(bead.number);
    } else if (random.chance(0.3)) {
      EXPECT_EQ(list.pop_front().number, model.front());
      model.pop_front();
    } else {
      list.remove(bead);
      model.erase(place);
    }
    ASSERT_EQ(list.size(), model.size());
    ASSERT_TRUE(std::ranges::equal(numbers_of(list), model)) << "at step " << step;
  }
}

}  // namespace
}  // namespace gossamer::async

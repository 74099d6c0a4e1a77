#include "async/timer_heap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Instant at(std::int64_t nanoseconds) { return Instant(Duration(nanoseconds)); }

class Bell final : public Timer {
 public:
  Bell(std::vector<int>& rung, int number) : rung_(rung), number_(number) {}
  void fire() noexcept override {
    EXPECT_FALSE(pending());
    rung_.push_back(number_);
    if (heap_to_join_ != nullptr) heap_to_join_->add(*this, due_again_);
  }
  void ring_again(TimerHeap& heap, Instant due) {
    heap_to_join_ = &heap;
    due_again_ = due;
  }
  void rest() { heap_to_join_ = nullptr; }

 private:
  std::vector<int>& rung_;
  const int number_;
  TimerHeap* heap_to_join_ = nullptr;
  Instant due_again_;
};

class TimerHeapTest : public testing::Test {
 protected:
  Bell& bell(int number) { return bells_.emplace_back(rung_, number); }

  std::vector<int> rung_;
  std::deque<Bell> bells_;
  TimerHeap heap_;
};

TEST_F(TimerHeapTest, AnEmptyOneIsDueNever) {
  EXPECT_TRUE(heap_.empty());
  EXPECT_EQ(heap_.next_due(), base::kNever);
  heap_.fire_due(at(1'000'000));
  EXPECT_THAT(rung_, IsEmpty());
}

TEST_F(TimerHeapTest, TheEarliestFiresFirst) {
  heap_.add(bell(3), at(30));
  heap_.add(bell(1), at(10));
  heap_.add(bell(2), at(20));
  EXPECT_EQ(heap_.next_due(), at(10));
  heap_.fire_due(at(30));
  EXPECT_THAT(rung_, ElementsAre(1, 2, 3));
}

TEST_F(TimerHeapTest, KeepsTimersThatAreNotDue) {
  heap_.add(bell(1), at(10));
  heap_.add(bell(2), at(11));
  heap_.fire_due(at(9));
  EXPECT_THAT(rung_, IsEmpty());
  heap_.fire_due(at(10));
  EXPECT_THAT(rung_, ElementsAre(1));
  EXPECT_EQ(heap_.next_due(), at(11));
  heap_.fire_due(at(11));
  EXPECT_THAT(rung_, ElementsAre(1, 2));
}

TEST_F(TimerHeapTest, ThoseOfOneInstantFireInTheOrderTheyWereAdded) {
  for (int i = 0; i < 100; ++i) heap_.add(bell(i), at(5));
  heap_.fire_due(at(5));
  ASSERT_EQ(rung_.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rung_[static_cast<std::size_t>(i)], i);
}

TEST_F(TimerHeapTest, ARemovedTimerDoesNotFire) {
  Bell& removed = bell(1);
  heap_.add(removed, at(10));
  heap_.add(bell(2), at(20));
  EXPECT_TRUE(removed.pending());
  heap_.remove(removed);
  EXPECT_FALSE(removed.pending());
  heap_.remove(removed);  // again: no effect
  heap_.fire_due(at(100));
  EXPECT_THAT(rung_, ElementsAre(2));
}

TEST_F(TimerHeapTest, ATimerAddedByAFiringOneWaitsForTheNextCall) {
  Bell& again = bell(1);
  again.ring_again(heap_, at(10));
  heap_.add(again, at(10));
  heap_.fire_due(at(10));
  EXPECT_THAT(rung_, ElementsAre(1));
  again.rest();
  heap_.fire_due(at(10));
  EXPECT_THAT(rung_, ElementsAre(1, 1));
  EXPECT_TRUE(heap_.empty());
}

TEST_F(TimerHeapTest, ATimerForNeverStaysUntilItIsRemoved) {
  Bell& never = bell(1);
  heap_.add(never, base::kNever);
  heap_.fire_due(at(std::numeric_limits<std::int64_t>::max() - 1));
  EXPECT_EQ(heap_.size(), 1u);
  heap_.remove(never);
  EXPECT_TRUE(heap_.empty());
}

TEST(TimerHeapDeathTest, ATimerThatDiesPendingIsABug) {
  EXPECT_DEATH(
      {
        std::vector<int> rung;
        TimerHeap heap;
        std::optional<Bell> bell(std::in_place, rung, 1);
        heap.add(*bell, at(1));
        bell.reset();
      },
      "a timer died before it was removed");
}

// Random additions, removals and advances of time, compared with a multimap (whose equal keys keep
// the order of insertion).
class Clockwork {
 public:
  explicit Clockwork(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < 200; ++i) bells_.emplace_back(rung_, i);
    places_.resize(bells_.size(), model_.end());
  }
  ~Clockwork() {
    for (Bell& bell : bells_) heap_.remove(bell);
  }
  Clockwork(const Clockwork&) = delete;
  Clockwork& operator=(const Clockwork&) = delete;

  void step() {
    const std::size_t number = random_.below(bells_.size());
    if (bells_[number].pending()) {
      heap_.remove(bells_[number]);
      model_.erase(places_[number]);
      places_[number] = model_.end();
    } else {
      const Instant due = at(now_ + random_.between(-5, 60));
      heap_.add(bells_[number], due);
      places_[number] = model_.emplace(due, static_cast<int>(number));
    }
    if (random_.chance(0.2)) pass_time();
    ASSERT_EQ(heap_.size(), model_.size());
    ASSERT_EQ(heap_.next_due(), model_.empty() ? base::kNever : model_.begin()->first);
  }

 private:
  void pass_time() {
    now_ += random_.between(0, 20);
    rung_.clear();
    heap_.fire_due(at(now_));
    std::vector<int> expected;
    while (!model_.empty() && model_.begin()->first <= at(now_)) {
      const int number = model_.begin()->second;
      expected.push_back(number);
      places_[static_cast<std::size_t>(number)] = model_.end();
      model_.erase(model_.begin());
    }
    ASSERT_EQ(rung_, expected);
  }

  base::Random random_;
  std::vector<int> rung_;
  std::deque<Bell> bells_;
  TimerHeap heap_;
  std::multimap<Instant, int> model_;
  std::vector<std::multimap<Instant, int>::iterator> places_;
  std::int64_t now_ = 0;
};

TEST(TimerHeapPropertyTest, BehavesLikeAMultimap) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Clockwork clockwork(seed);
    for (int i = 0; i < 3000 && !testing::Test::HasFatalFailure(); ++i) clockwork.step();
  }
}

}  // namespace
}  // namespace gossamer::async

#include "async/inbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class Letter final : public Ready {
 public:
  Letter(std::vector<std::size_t>& read, std::size_t sender, std::size_t number)
      : sender(sender), number(number), read_(read) {}
  void run() noexcept override { read_.push_back(number); }

  const std::size_t sender;
  const std::size_t number;

 private:
  std::vector<std::size_t>& read_;
};

TEST(InboxTest, ReturnsTheOldestItemFirst) {
  std::vector<std::size_t> read;
  Letter one(read, 0, 1), two(read, 0, 2), three(read, 0, 3);
  Inbox inbox;
  ReadyQueue ready;
  EXPECT_TRUE(inbox.empty());
  inbox.push(one);
  inbox.push(two);
  inbox.push(three);
  EXPECT_FALSE(inbox.empty());
  inbox.drain(ready);
  EXPECT_TRUE(inbox.empty());
  while (!ready.empty()) ready.pop().run();
  EXPECT_THAT(read, ElementsAre(1, 2, 3));
}

TEST(InboxTest, DrainsBehindWhatIsReadyAlready) {
  std::vector<std::size_t> read;
  Letter first(read, 0, 1), second(read, 0, 2);
  Inbox inbox;
  ReadyQueue ready;
  ready.push(first);
  inbox.push(second);
  inbox.drain(ready);
  while (!ready.empty()) ready.pop().run();
  EXPECT_THAT(read, ElementsAre(1, 2));
}

TEST(InboxTest, RequestsAWakeUpOnlyWhileTheLoopSleeps) {
  std::vector<std::size_t> read;
  Letter awake(read, 0, 1), asleep(read, 0, 2), again(read, 0, 3);
  Inbox inbox;
  ReadyQueue ready;
  EXPECT_FALSE(inbox.push(awake));
  EXPECT_FALSE(inbox.prepare_to_sleep()) << "there is mail: do not sleep";
  inbox.drain(ready);
  EXPECT_TRUE(inbox.prepare_to_sleep());
  EXPECT_TRUE(inbox.push(asleep));
  inbox.woke_up();
  EXPECT_FALSE(inbox.push(again));
  inbox.drain(ready);
}

// A loop that sleeps on a flag, which pushers set when push() tells them to: if a wake-up were
// lost, the reader would wait forever.
TEST(InboxTest, ManyThreadsLoseNoLetterAndNoWakeUp) {
  constexpr std::size_t kSenders = 4;
  constexpr std::size_t kLetters = kSanitized ? 2'000 : 20'000;
  std::vector<std::vector<std::size_t>> read(kSenders);
  std::deque<Letter> letters;
  for (std::size_t sender = 0; sender < kSenders; ++sender) {
    for (std::size_t i = 0; i < kLetters; ++i) letters.emplace_back(read[sender], sender, i);
  }
  Inbox inbox;
  std::atomic<std::uint32_t> alarm = 0;
  std::vector<std::thread> threads;
  for (std::size_t sender = 0; sender < kSenders; ++sender) {
    threads.emplace_back([&, sender] {
      for (std::size_t i = 0; i < kLetters; ++i) {
        if (!inbox.push(letters[sender * kLetters + i])) continue;
        alarm.fetch_add(1);
        alarm.notify_one();
      }
    });
  }
  ReadyQueue ready;
  for (std::size_t left = kSenders * kLetters; left > 0;) {
    const std::uint32_t heard = alarm.load();
    if (inbox.prepare_to_sleep()) {
      alarm.wait(heard);
      inbox.woke_up();
    }
    inbox.drain(ready);
    for (; !ready.empty(); --left) ready.pop().run();
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& numbers : read) {
    ASSERT_EQ(numbers.size(), kLetters);
    for (std::size_t i = 0; i < kLetters; ++i) ASSERT_EQ(numbers[i], i) << "in order per sender";
  }
}

}  // namespace
}  // namespace gossamer::async

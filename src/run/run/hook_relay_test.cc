#include "run/hook_relay.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"

namespace gossamer::run {
namespace {

// BORROWS: both.
async::Task<void> ask_for(crawler::Hooks& hooks, std::string url, int& wanted) {
  std::vector<std::string> urls = {url + "/no", url + "/yes"};
  const auto answer = co_await hooks.wants_urls(std::move(urls));
  wanted += answer && *answer == std::vector<bool>{false, true} ? 1 : 0;
}

// BORROWS: the hooks and the number.
async::Task<void> ask_for_many(crawler::Hooks& hooks, int count, int& wanted) {
  async::Scope scope(async::OnFailure::keep_going);
  for (int i = 0; i < count; ++i) scope.spawn(ask_for(hooks, std::to_string(i), wanted));
  static_cast<void>(co_await scope.join());
}

void answer_all(HookRelay& relay, const HookRelay::Questions& questions) {
  for (const auto& question : questions) {
    for (const std::string& url : question->urls) question->wanted.push_back(url.ends_with("yes"));
    if (!question->url.empty()) question->fields.push_back({"X-Url", question->url});
  }
  relay.answer(questions);
}

TEST(HookRelayTest, AnswersTheQuestionsOfATurnTogether) {
  std::binary_semaphore has_news(0);
  const auto relay = std::make_shared<HookRelay>([&has_news] { has_news.release(); });
  crawler::Hooks hooks;
  relay->filter_urls(hooks);
  std::size_t at_once = 0;
  std::thread consumer([&] {
    has_news.acquire();
    const HookRelay::Questions questions = relay->take();
    at_once = questions.size();
    answer_all(*relay, questions);
  });
  int wanted = 0;
  async::Loop loop;
  loop.run(ask_for_many(hooks, 100, wanted));
  consumer.join();
  EXPECT_EQ(at_once, 100U);
  EXPECT_EQ(wanted, 100);
  EXPECT_FALSE(relay->has_questions());
}

// BORROWS: both.
async::Task<void> edit(crawler::Hooks& hooks, http::Request& request) {
  EXPECT_TRUE(co_await hooks.prepare_request(request));
}

TEST(HookRelayTest, EditsRequests) {
  std::binary_semaphore has_news(0);
  const auto relay = std::make_shared<HookRelay>([&has_news] { has_news.release(); });
  crawler::Hooks hooks;
  relay->edit_requests(hooks);
  std::thread consumer([&] {
    has_news.acquire();
    answer_all(*relay, relay->take());
  });
  http::Request request;
  request.url = *url::Url::parse("http://a.example/");
  async::Loop loop;
  loop.run(edit(hooks, request));
  consumer.join();
  ASSERT_EQ(request.fields.size(), 1U);
  EXPECT_EQ(request.fields[0].value, "http://a.example/");
}

// BORROWS: the hooks.
async::Task<void> ask_and_cancel(crawler::Hooks& hooks, int& wanted) {
  async::Scope scope(async::OnFailure::keep_going);
  scope.spawn(ask_for(hooks, "a", wanted));
  static_cast<void>(co_await async::sleep(1ms));
  scope.cancel();
  static_cast<void>(co_await scope.join());
}

TEST(HookRelayTest, AnAnswerMayComeAfterTheLoop) {
  const auto relay = std::make_shared<HookRelay>([] {});
  crawler::Hooks hooks;
  relay->filter_urls(hooks);
  int wanted = 0;
  {
    async::Loop loop;
    loop.run(ask_and_cancel(hooks, wanted));
  }
  const HookRelay::Questions questions = relay->take();
  ASSERT_EQ(questions.size(), 1U);
  answer_all(*relay, questions);
  EXPECT_EQ(wanted, 0);
}

}  // namespace
}  // namespace gossamer::run

#include "run/hook_relay.h"

#include <map>
#include <utility>

#include "base/check.h"

namespace gossamer::run {

async::Task<Result<void>> HookRelay::ask(std::shared_ptr<HookRelay> relay,
                                         std::shared_ptr<HookQuestion> question) {
  async::Loop& loop = async::Loop::current();
  bool is_first = false;
  {
    const std::scoped_lock lock(relay->mutex_);
    question->loop = &loop;
    is_first = relay->queue_.empty();
    relay->queue_.push_back(question);
  }
  // Others may ask in the same turn of the loop.
  if (is_first) loop.call_soon([relay] { relay->on_news_(); });
  auto answered = co_await question->is_answered.wait();
  const std::scoped_lock lock(relay->mutex_);
  question->loop = nullptr;
  co_return answered;
}

async::Task<Result<std::vector<bool>>> HookRelay::ask_urls(std::shared_ptr<HookRelay> relay,
                                                           std::vector<std::string> urls) {
  const auto question = std::make_shared<HookQuestion>();
  question->urls = std::move(urls);
  auto answered = co_await ask(std::move(relay), question);
  if (!answered) co_return fail(std::move(answered).error());
  co_return std::move(question->wanted);
}

async::Task<Result<void>> HookRelay::ask_request(std::shared_ptr<HookRelay> relay,
                                                 http::Request& request) {
  const auto question = std::make_shared<HookQuestion>();
  question->url = request.url.href();
  question->method = request.method;
  question->fields = request.fields;
  auto answered = co_await ask(std::move(relay), question);
  if (answered) request.fields = std::move(question->fields);
  co_return answered;
}

void HookRelay::filter_urls(crawler::Hooks& hooks) {
  hooks.wants_urls = [relay = shared_from_this()](std::vector<std::string> urls) {
    return ask_urls(relay, std::move(urls));
  };
}

void HookRelay::edit_requests(crawler::Hooks& hooks) {
  hooks.prepare_request = [relay = shared_from_this()](http::Request& request) {
    return ask_request(relay, request);
  };
}

bool HookRelay::has_questions() {
  const std::scoped_lock lock(mutex_);
  return !queue_.empty();
}

HookRelay::Questions HookRelay::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(queue_, {});
}

void HookRelay::answer(const Questions& questions) {
  const std::scoped_lock lock(mutex_);  // a loop lives while a question names it
  std::map<async::Loop*, Questions> by_loop;
  for (const std::shared_ptr<HookQuestion>& question : questions) {
    CHECK(question->wanted.size() == question->urls.size(), "a hook left out URLs");
    if (question->loop != nullptr) by_loop[question->loop].push_back(question);
  }
  for (auto& [loop, asked] : by_loop) {
    loop->post([answered = std::move(asked)] {
      for (const std::shared_ptr<HookQuestion>& question : answered) question->is_answered.set();
    });
  }
}

}  // namespace gossamer::run

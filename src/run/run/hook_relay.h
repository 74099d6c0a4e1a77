// Hooks on another thread than the crawl's: questions of the crawl wait in a queue, and a consumer
// answers many of them together. The loops of the crawl never wait for the consumer; only the pages
// that the questions are about do.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/loop.h"
#include "async/task.h"
#include "base/result.h"
#include "engine/setup/options.h"
#include "http/request.h"

namespace gossamer::run {

// A question of a crawl, and its answer.
struct HookQuestion {
  // Which of these URLs are wanted? One bool for each.
  std::vector<std::string> urls;
  std::vector<bool> wanted;
  // Or: which header fields should a request have? Empty url: it is not such a question.
  std::string url;
  std::string method;
  std::vector<http::Field> fields;

 private:
  friend class HookRelay;
  async::Loop* loop = nullptr;  // nullptr: nobody waits for the answer
  async::Event is_answered;
};

class HookRelay : public std::enable_shared_from_this<HookRelay> {
 public:
  using Questions = std::vector<std::shared_ptr<HookQuestion>>;

  // `on_news` is called when there are questions after there were none, on a loop of the crawl;
  // perhaps on several. It must not block.
  explicit HookRelay(std::move_only_function<void()> on_news) : on_news_(std::move(on_news)) {}

  // The hooks. The relay lives at least as long as they do.
  void filter_urls(crawler::Hooks& hooks);
  void edit_requests(crawler::Hooks& hooks);

  // Any thread may call these.
  bool has_questions();
  Questions take();
  // Resumes those who asked. REQUIRES: the answers are set: a bool for each URL.
  void answer(const Questions& questions);

 private:
  // All fail only with Errc::cancelled.
  static async::Task<Result<void>> ask(std::shared_ptr<HookRelay> relay,
                                       std::shared_ptr<HookQuestion> question);
  static async::Task<Result<std::vector<bool>>> ask_urls(std::shared_ptr<HookRelay> relay,
                                                         std::vector<std::string> urls);
  // BORROWS: the request.
  static async::Task<Result<void>> ask_request(std::shared_ptr<HookRelay> relay,
                                               http::Request& request);

  std::move_only_function<void()> on_news_;
  std::mutex mutex_;  // guards the queue, and the loop of every question
  Questions queue_;
};

}  // namespace gossamer::run

#include "run/page_stream.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "async/event.h"
#include "async/loop.h"
#include "async/timeout.h"
#include "base/log.h"
#include "run/crawl_driver.h"
#include "run/signals_blocked.h"

namespace gossamer::run {
namespace {

// A busy crawl wakes its consumer after this time, or when this many pages are ready.
constexpr Duration kGatherFor = std::chrono::milliseconds(2);
constexpr std::size_t kGatheredMax = 32;

}  // namespace

// The crawl's thread, and the state that both sides share.
//
// A page waits in `ready_` until the consumer takes it. The crawl's put() ends when the consumer
// takes the next one: pages are numbered, and `done_` counts the consumed ones.
class PageStream::Producer final : public CrawlListener, public crawler::PageSink {
 public:
  Producer(CrawlSettings settings, bool is_completed)
      : is_completed_(is_completed), thread_(start(std::move(settings))) {}
  ~Producer() override {
    leave();
    if (thread_.joinable()) thread_.join();
  }

  // --- the consumer's side, on any thread

  // Waits for a page. Returns nothing at the end.
  std::optional<crawler::Page> take();
  // Returns nothing if there is no page yet, or `has_ended`. Then `on_news` is called once, on the
  // crawl's thread, when that has changed.
  std::optional<crawler::Page> try_take(bool& has_ended, std::move_only_function<void()> on_news);
  // Runs `action` on the crawl's loop, unless the loop has ended.
  void post(std::move_only_function<void(Crawl& crawl)> callback);
  CrawlProgress progress();
  const Outcome<CrawlEnd>* result();
  // Forgets the callback of try_take().
  void forget_news();

  // --- the crawl's side

  Result<crawler::PageSink*> open_sink(const CrawlSettings&) override { return this; }
  void begin(const CrawlStart& start) override {
    for (const std::string& damage : start.damage) say(damage);
  }
  void say(const std::string& text) override { LOG(warn, "{}", text); }
  async::Task<Result<void>> put(crawler::Page page) override;

 private:
  struct Waiting {
    std::uint64_t number = 0;
    async::Event is_used;
  };

  // BORROWS: the waiting put().
  static async::Task<Result<void>> used(Waiting& waiting) {
    co_return co_await waiting.is_used.wait();
  }

  std::thread start(CrawlSettings settings) {
    const SignalsBlocked blocked;
    return std::thread(
        [this, settings = std::move(settings)]() mutable { work(std::move(settings)); });
  }
  void work(CrawlSettings settings);
  Outcome<CrawlEnd> crawl(CrawlSettings settings);
  void leave();
  // Tells the news at the end of this turn of the loop, or a little later if the loop is busy and
  // few pages are ready: a wake-up of the consumer costs more than a page.
  void tell_news_soon(std::size_t ready);
  void tell_gathered();
  // REQUIRES, for these: the mutex is held.
  void tell_news();
  std::optional<crawler::Page> take_locked();
  void confirm_soon();
  // Resumes the put() calls whose pages were consumed, on the loop.
  void confirm();

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<crawler::Page> ready_;
  std::uint64_t put_ = 0;    // pages put by the crawl
  std::uint64_t taken_ = 0;  // pages taken by the consumer
  std::uint64_t done_ = 0;   // pages after which the consumer took another one
  bool has_left_ = false;    // the consumer takes no more pages
  bool is_confirming_ = false;
  std::move_only_function<void()> on_news_;
  async::Loop* loop_ = nullptr;                              // nullptr: not running
  Crawl* crawl_ = nullptr;                                   // nullptr: not running
  std::deque<std::move_only_function<void(Crawl&)>> early_;  // posted before it ran
  std::optional<Outcome<CrawlEnd>> result_;

  const bool is_completed_;  // complete() was called
  // These are used only on the loop's thread.
  bool is_telling_ = false;
  async::TimerHandle gathering_;
  std::deque<Waiting*> waiting_;  // the waiting put() calls, in order
  std::thread thread_;            // last, so that the other members exist when it starts
};

void PageStream::Producer::tell_news() {
  changed_.notify_all();
  if (auto on_news = std::exchange(on_news_, nullptr)) on_news();
}

void PageStream::Producer::tell_news_soon(std::size_t ready) {
  async::Loop& loop = async::Loop::current();
  const bool are_enough = ready >= kGatheredMax;
  if (is_telling_ && !(are_enough && gathering_.pending())) return;
  is_telling_ = true;
  if (!are_enough && loop.is_busy(kGatherFor)) {
    gathering_ = loop.call_later(kGatherFor, [this] { tell_gathered(); });
    return;
  }
  gathering_.cancel();
  loop.call_soon([this] { tell_gathered(); });
}

void PageStream::Producer::tell_gathered() {
  is_telling_ = false;
  const std::scoped_lock lock(mutex_);
  tell_news();
}

std::optional<crawler::Page> PageStream::Producer::take_locked() {
  done_ = taken_;
  confirm_soon();
  if (ready_.empty()) return std::nullopt;
  std::optional<crawler::Page> page = std::move(ready_.front());
  ready_.pop_front();
  ++taken_;
  return page;
}

std::optional<crawler::Page> PageStream::Producer::take() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (auto page = take_locked()) return page;
    if (result_) return std::nullopt;
    changed_.wait(lock, [this] { return !ready_.empty() || result_; });
  }
}

std::optional<crawler::Page> PageStream::Producer::try_take(
    bool& has_ended, std::move_only_function<void()> on_news) {
  const std::scoped_lock lock(mutex_);
  auto page = take_locked();
  has_ended = !page && result_.has_value();
  // Another consumer may wait for the news of before.
  if (!page && !has_ended) on_news_ = std::move(on_news);
  return page;
}

void PageStream::Producer::confirm_soon() {
  if (loop_ == nullptr || is_confirming_) return;
  is_confirming_ = true;
  loop_->post([this] { confirm(); });
}

void PageStream::Producer::confirm() {
  std::uint64_t done = 0;
  bool has_left = false;
  {
    const std::scoped_lock lock(mutex_);
    is_confirming_ = false;
    done = done_;
    has_left = has_left_;
  }
  while (!waiting_.empty() && (has_left || waiting_.front()->number <= done)) {
    waiting_.front()->is_used.set();
    waiting_.pop_front();
  }
}

async::Task<Result<void>> PageStream::Producer::put(crawler::Page page) {
  Waiting me;
  std::size_t ready = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (has_left_) co_return fail(Errc::cancelled);
    ready_.push_back(std::move(page));
    ready = ready_.size();
    me.number = ++put_;
  }
  tell_news_soon(ready);
  waiting_.push_back(&me);
  // The consumer still receives all pages that were put, however the crawl ends.
  static_cast<void>(co_await async::shielded(used(me)));
  const std::scoped_lock lock(mutex_);
  if (me.number > done_) co_return fail(Errc::cancelled);
  co_return {};
}

void PageStream::Producer::leave() {
  const std::scoped_lock lock(mutex_);
  has_left_ = true;
  done_ = taken_;  // the last one was consumed
  ready_.clear();
  const auto stop = [](Crawl& crawl) { crawl.stop_because(crawler::EndReason::aborted); };
  if (crawl_ == nullptr) {
    early_.push_back(stop);
    return;
  }
  // First resumes the put() calls whose pages were consumed.
  loop_->post([this, stop] {
    confirm();
    async::Loop::current().call_soon([this, stop] {
      if (crawl_ != nullptr) stop(*crawl_);
    });
  });
}

void PageStream::Producer::post(std::move_only_function<void(Crawl& crawl)> callback) {
  const std::scoped_lock lock(mutex_);
  if (result_) return;
  if (crawl_ == nullptr) {
    early_.push_back(std::move(callback));
    return;
  }
  loop_->post([this, callback = std::move(callback)]() mutable {
    if (crawl_ != nullptr) callback(*crawl_);
  });
}

CrawlProgress PageStream::Producer::progress() {
  CrawlProgress progress;
  bool is_there = false;
  post([&](Crawl& crawl) {
    CrawlProgress now = crawl.progress();
    const std::scoped_lock lock(mutex_);
    progress = std::move(now);
    is_there = true;
    changed_.notify_all();
  });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_there || result_; });
  return progress;
}

const Outcome<CrawlEnd>* PageStream::Producer::result() {
  const std::scoped_lock lock(mutex_);
  return result_ ? &*result_ : nullptr;
}

void PageStream::Producer::forget_news() {
  const std::scoped_lock lock(mutex_);
  on_news_ = nullptr;
}

void PageStream::Producer::work(CrawlSettings settings) {
  auto result = crawl(std::move(settings));
  if (!result) LOG(error, "the crawl could not start: {}", result.error().error.message());
  const std::scoped_lock lock(mutex_);
  result_ = std::move(result);
  tell_news();
}

Outcome<CrawlEnd> PageStream::Producer::crawl(CrawlSettings settings) {
  if (!is_completed_) {
    if (auto completed = complete(settings); !completed) {
      return fail_in(Part::settings, std::move(completed).error());
    }
  }
  std::unique_ptr<JobStore> job;
  if (!settings.job.folder.empty()) {
    auto opened = JobStore::open(settings.job);
    if (!opened) return fail_in(Part::job, std::move(opened).error());
    job = std::move(*opened);
    if (!fit_to_job(settings, *job)) return CrawlEnd{.statistics_of_job = job->before()};
  }
  auto driver = make_driver(settings);
  if (!driver) return fail_in(Part::network, std::move(driver).error());
  async::Loop loop(std::move(driver->driver));
  Crawl crawl(std::move(settings), std::move(job));
  {
    const std::scoped_lock lock(mutex_);
    loop_ = &loop;
    crawl_ = &crawl;
    for (auto& callback : std::exchange(early_, {})) {
      loop.post([this, callback = std::move(callback)]() mutable {
        if (crawl_ != nullptr) callback(*crawl_);
      });
    }
  }
  auto end = loop.run(crawl.run(*this));
  gathering_.cancel();
  const std::scoped_lock lock(mutex_);
  loop_ = nullptr;
  crawl_ = nullptr;
  return end;
}

// --- the stream

PageStream::PageStream(CrawlSettings settings)
    : producer_(std::make_unique<Producer>(std::move(settings), false)) {}
PageStream::PageStream(std::unique_ptr<Producer> producer) : producer_(std::move(producer)) {}
PageStream PageStream::of_completed(CrawlSettings settings) {
  return PageStream(std::make_unique<Producer>(std::move(settings), true));
}
PageStream::~PageStream() = default;
PageStream::PageStream(PageStream&&) noexcept = default;

std::optional<Page> PageStream::next_page() {
  auto page = producer_->take();
  if (!page) return std::nullopt;
  return Page(std::move(*page));
}

async::Task<std::optional<Page>> PageStream::next() {
  async::Loop& loop = async::Loop::current();
  for (;;) {
    // Shared with the crawl's thread, which may use it later.
    const auto news = std::make_shared<async::Event>();
    bool has_ended = false;
    auto page =
        producer_->try_take(has_ended, [&loop, news] { loop.post([news] { news->set(); }); });
    if (page) co_return Page(std::move(*page));
    if (has_ended) co_return std::nullopt;
    if (!co_await news->wait()) {
      producer_->forget_news();
      co_return std::nullopt;
    }
  }
}

std::optional<Page> PageStream::try_next(bool& has_ended, std::move_only_function<void()> on_news) {
  auto page = producer_->try_take(has_ended, std::move(on_news));
  if (!page) return std::nullopt;
  return Page(std::move(*page));
}

void PageStream::stop() {
  // Not crawl.stop(): a second call of it would drop the requests in flight.
  producer_->post([](Crawl& crawl) { crawl.stop_because(crawler::EndReason::interrupted); });
}
void PageStream::pause() {
  producer_->post([](Crawl& crawl) { crawl.pause(); });
}
void PageStream::resume() {
  producer_->post([](Crawl& crawl) { crawl.resume(); });
}
CrawlProgress PageStream::progress() { return producer_->progress(); }
const Outcome<CrawlEnd>* PageStream::result() const { return producer_->result(); }

}  // namespace gossamer::run

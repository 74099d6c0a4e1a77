#include "async/loop.h"

#include <algorithm>
#include <utility>

#include "async/callbacks.h"
#include "base/check.h"
#include "base/log.h"

namespace gossamer::async {

namespace {

thread_local constinit Loop* current_loop = nullptr;

std::unique_ptr<Driver> best_driver() {
  auto driver = make_driver(DriverKind::automatic);
  CHECK(driver.has_value(), "no driver: {}", driver.error().to_string());
  return std::move(*driver);
}

}  // namespace

Loop::Running::Running(Loop& loop) : before_(std::exchange(current_loop, &loop)) {}

Loop::Running::~Running() { current_loop = before_; }

Loop::Loop() : Loop(best_driver()) {}

Loop::Loop(std::unique_ptr<Driver> driver, LoopOptions options)
    : driver_(std::move(driver)), options_(options) {
  print_async_stack_on_check_failure();
}

Loop::~Loop() {
  const Running running(*this);
  if (background_ != nullptr) background_->cancel();
  while (background_ != nullptr && background_->size() > 0) step();
  background_.reset();
  CHECK(scopes_.empty(), "a loop dies with scopes open:\n{}", dump());
  driver_->inbox().drain(ready_);
  while (!ready_.empty()) run_item(ready_.pop());
}

bool Loop::any_runs() { return current_loop != nullptr; }

Loop& Loop::current() {
  CHECK(current_loop != nullptr, "no loop runs on this thread");
  return *current_loop;
}

bool Loop::step() {
  if ((ready_.empty() || items_until_poll_ == 0) && !refill()) return false;
  --items_until_poll_;
  run_item(ready_.pop());
  return true;
}

bool Loop::refill() {
  do {
    const bool more = driver_->poll(ready_.empty() ? timers_.next_due() : Instant::min());
    driver_->inbox().drain(ready_);
    const Instant now = driver_->now();
    load_.update(now, driver_->waited());
    if (!timers_.empty()) timers_.fire_due(now);
    // A timer that is never due is no reason to wait either.
    if (!more && ready_.empty() && timers_.next_due() == base::kNever) return false;
  } while (ready_.empty());
  items_until_poll_ = std::max<std::size_t>(kItemsPerPoll, ready_.size());
  return true;
}

void Loop::run_item(Ready& item) {
  if (options_.slow_step > Duration::zero()) return run_measured(item);
  item.run();
  running_frame = nullptr;
}

void Loop::run_measured(Ready& item) {
  // The step may destroy the item, so its stack is recorded first.
  const auto* const wait = dynamic_cast<const Wait*>(&item);
  const auto* const task = dynamic_cast<const Routine*>(&item);
  const StackSnapshot before = wait != nullptr   ? StackSnapshot(wait->frame())
                               : task != nullptr ? StackSnapshot(task->innermost_frame())
                                                 : StackSnapshot();
  const Instant begin = now();
  item.run();
  running_frame = nullptr;
  const Duration took = now() - begin;
  if (took < options_.slow_step) return;
  const std::string text = "a step held the loop for " + base::to_string(took) +
                           "; it resumed at\n" + before.to_string();
  if (slow_step_report_) return slow_step_report_(text);
  LOG(warn, "{}", text);
}

void Loop::call_soon(std::move_only_function<void()> callback) {
  enqueue(*new CallbackItem(std::move(callback)));
}

void Loop::post(std::move_only_function<void()> callback) {
  driver_->post(*new CallbackItem(std::move(callback)));
}

TimerHandle Loop::call_later(Duration delay, std::move_only_function<void()> callback) {
  return call_at(base::add_saturating(now(), delay), std::move(callback));
}

TimerHandle Loop::call_at(Instant when, std::move_only_function<void()> callback) {
  auto* const timer = new CallbackTimer(*this, std::move(callback));
  timers_.add(*timer, when);
  return TimerHandle(*timer);
}

WatchHandle Loop::watch(int descriptor, Readiness interest,
                        std::move_only_function<void(Readiness)> callback) {
  if (background_ == nullptr) background_ = std::make_unique<Scope>(*this, OnFailure::keep_going);
  return WatchHandle(
      std::make_unique<DescriptorWatch>(*background_, descriptor, interest, std::move(callback)));
}

void Loop::on_slow_step(std::move_only_function<void(std::string_view)> report) {
  slow_step_report_ = std::move(report);
}

std::size_t Loop::live_tasks() const {
  std::size_t count = 0;
  for (Scope* scope = scopes_.first(); scope != nullptr; scope = scopes_.next(*scope)) {
    count += scope->size();
  }
  return count;
}

std::string Loop::dump() const {
  std::string text = std::to_string(live_tasks()) + " tasks on " + std::string(driver_->name()) +
                     ", " + std::to_string(driver_->operations_in_flight()) +
                     " operations in flight, " + std::to_string(timers_.size()) + " timers\n";
  std::size_t number = 0;
  for (Scope* scope = scopes_.first(); scope != nullptr; scope = scopes_.next(*scope)) {
    const auto& children = scope->children();
    for (Routine* task = children.first(); task != nullptr; task = children.next(*task)) {
      text += "task " + std::to_string(++number) + (task->cancelled() ? " (cancelled)" : "") +
              "\n" + describe_stack(*task);
    }
  }
  return text;
}

}  // namespace gossamer::async

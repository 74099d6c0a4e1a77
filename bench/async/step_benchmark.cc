// Measures the steps of the runtime without I/O, in nanoseconds of processor time. The floors do
// the same without a runtime. Every measurement runs in its own process.
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/future.h"
#include "async/generator.h"
#include "async/loop.h"
#include "async/queue.h"
#include "async/sleep.h"
#include "async/timer_heap.h"
#include "base/check.h"
#include "base/random.h"
#include "bench/async/bare_task.h"
#include "bench/async/benchmarks.h"
#include "bench/support/child_process.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"

namespace gossamer::bench {

namespace {

using async::Task;

// Makes the compiler believe that the value is read.
void use(const auto& value) { asm volatile("" : : "g"(&value) : "memory"); }

// Processor time since its construction, per step.
class StepClock {
 public:
  double ns_each(std::uint64_t steps) const {
    return (process_cpu_ns() - begin_) / static_cast<double>(steps);
  }

 private:
  double begin_ = process_cpu_ns();
};

[[gnu::noinline]] std::uint64_t plain_leaf(std::uint64_t i) {
  use(i);
  return i + 1;
}

double plain_call(std::uint64_t steps) {
  const StepClock clock;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < steps; ++i) sum += plain_leaf(i);
  use(sum);
  return clock.ns_each(steps);
}

// A leaf that the compiler sees at the await, and one that it does not see, as in another file.
Task<std::uint64_t> leaf(std::uint64_t i) { co_return i + 1; }
BareTask bare_leaf(std::uint64_t i) { co_return i + 1; }
[[gnu::noinline]] Task<std::uint64_t> far_leaf(std::uint64_t i) { co_return i + 1; }
[[gnu::noinline]] BareTask bare_far_leaf(std::uint64_t i) { co_return i + 1; }

template <auto kLeaf>
Task<double> await_leaf(std::uint64_t steps) {
  const StepClock clock;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < steps; ++i) sum += co_await kLeaf(i);
  use(sum);
  co_return clock.ns_each(steps);
}

// BORROWS: ns, until it has run.
template <auto kLeaf>
BareTask await_bare_leaves(std::uint64_t steps, double& ns) {
  const StepClock clock;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < steps; ++i) sum += co_await kLeaf(i);
  ns = clock.ns_each(steps);
  co_return sum;
}

template <auto kLeaf>
double await_bare_leaf(std::uint64_t steps) {
  double ns = 0;
  await_bare_leaves<kLeaf>(steps, ns).run();
  return ns;
}

Task<double> spawn_and_join(std::uint64_t steps) {
  async::Scope scope;
  const StepClock clock;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < steps; ++i) sum += co_await scope.spawn(far_leaf(i));
  use(sum);
  co_return clock.ns_each(steps);
}

// A queue of functions that are called in order: the minimum of a loop.
double plain_queue_of_calls(std::uint64_t steps) {
  std::deque<std::uint64_t (*)(std::uint64_t)> ready;
  const StepClock clock;
  for (std::uint64_t i = 0; i < steps; ++i) {
    ready.push_back(plain_leaf);
    use(ready);
    ready.front()(i);
    ready.pop_front();
  }
  return clock.ns_each(steps);
}

Task<double> yield_to_nobody(std::uint64_t steps) {
  const StepClock clock;
  for (std::uint64_t i = 0; i < steps; ++i) static_cast<void>(co_await async::yield_now());
  co_return clock.ns_each(steps);
}

double plain_container(std::uint64_t steps) {
  std::deque<std::uint64_t> items;
  const StepClock clock;
  for (std::uint64_t i = 0; i < steps; ++i) {
    items.push_back(i);
    use(items);
    items.pop_front();
  }
  return clock.ns_each(steps);
}

using NumberQueue = async::Queue<std::uint64_t>;

// BORROWS: queue, which outlives the scope this runs in.
Task<void> take_all(NumberQueue& queue) {
  while (auto claim = co_await queue.pop()) use(**claim);
}

// With room for one item, both tasks wait in turns: the most expensive use of a queue.
Task<double> hand_over(std::uint64_t steps) {
  NumberQueue queue(1);
  async::Scope scope;
  scope.spawn(take_all(queue));
  const StepClock clock;
  for (std::uint64_t i = 0; i < steps; ++i) static_cast<void>(co_await queue.push(i));
  static_cast<void>(co_await queue.join());
  const double ns = clock.ns_each(steps);
  queue.close();
  static_cast<void>(co_await scope.join());
  co_return ns;
}

struct IdleTimer final : async::Timer {
  void fire() noexcept override {}
};

// Adds and cancels one timer, as nearly every deadline does, while `pending` others wait.
double add_and_cancel_timer(std::uint64_t steps, std::size_t pending) {
  constexpr std::uint64_t kSpanNs = 60'000'000'000;
  base::Random random(1);
  const auto some_instant = [&] {
    return Instant(Duration(static_cast<Duration::rep>(random.below(kSpanNs))));
  };
  async::TimerHeap timers;
  const auto others = std::make_unique<IdleTimer[]>(pending);
  for (std::size_t i = 0; i < pending; ++i) timers.add(others[i], some_instant());
  std::vector<Instant> dues(4096);
  for (Instant& due : dues) due = some_instant();

  IdleTimer timer;
  const StepClock clock;
  for (std::uint64_t i = 0; i < steps; ++i) {
    timers.add(timer, dues[i % dues.size()]);
    timers.remove(timer);
  }
  const double ns = clock.ns_each(steps);
  for (std::size_t i = 0; i < pending; ++i) timers.remove(others[i]);
  return ns;
}

double timer_alone(std::uint64_t steps) { return add_and_cancel_timer(steps, 0); }
double timer_among_many(std::uint64_t steps) { return add_and_cancel_timer(steps, 100'000); }

using NumberPromise = std::optional<async::Promise<std::uint64_t>>;

// Repeatedly makes a promise, fulfils the other's and waits until the other has fulfilled ours.
// BORROWS: ours and theirs, which outlive the scope this runs in.
Task<void> keep_promises(NumberPromise& ours, NumberPromise& theirs, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) {
    ours.emplace();
    auto kept = ours->future();
    if (theirs) theirs->resolve(i);
    theirs.reset();
    use(*co_await kept);
  }
  if (theirs) theirs->resolve(steps);
}

Task<double> resolve_future(std::uint64_t steps) {
  NumberPromise one;
  NumberPromise other;
  async::Scope scope;
  const StepClock clock;
  scope.spawn(keep_promises(one, other, steps / 2));
  scope.spawn(keep_promises(other, one, steps / 2));
  static_cast<void>(co_await scope.join());
  co_return clock.ns_each(steps);
}

[[gnu::noinline]] async::AsyncGenerator<std::uint64_t> count_up(std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) co_yield i;
}

Task<double> next_of_generator(std::uint64_t steps) {
  auto numbers = count_up(steps);
  const StepClock clock;
  while (auto number = co_await numbers.next()) use(*number);
  co_return clock.ns_each(steps);
}

// A measurement: code without a loop, or a task on one.
struct Step {
  double (*plain)(std::uint64_t steps) = nullptr;
  Task<double> (*on_loop)(std::uint64_t steps) = nullptr;

  double measure(std::uint64_t steps) const {
    return measure_in_child([&] {
      if (plain != nullptr) return plain(steps);
      async::Loop loop;
      return loop.run(on_loop(steps));
    });
  }
};

struct StepFigure {
  std::string name;
  std::uint64_t steps;
  Step step;
  std::optional<Step> floor = {};
  std::optional<double> target = {};
};

const StepFigure kFigures[] = {
    {"step: call a function", 4'000'000, {.plain = plain_call}},
    {"step: await a task",
     4'000'000,
     {.on_loop = await_leaf<leaf>},
     Step{.plain = await_bare_leaf<bare_leaf>},
     12.0},
    {"step: await a task of another file",
     4'000'000,
     {.on_loop = await_leaf<far_leaf>},
     Step{.plain = await_bare_leaf<bare_far_leaf>}},
    {"step: spawn a task and join it",
     1'000'000,
     {.on_loop = spawn_and_join},
     Step{.plain = plain_queue_of_calls}},
    {"step: yield_now",
     2'000'000,
     {.on_loop = yield_to_nobody},
     Step{.plain = plain_queue_of_calls}},
    {"step: hand an item to another task",
     1'000'000,
     {.on_loop = hand_over},
     Step{.plain = plain_container}},
    {"step: keep a promise that is awaited",
     1'000'000,
     {.on_loop = resolve_future},
     Step{.plain = plain_queue_of_calls}},
    {"step: next value of a generator",
     4'000'000,
     {.on_loop = next_of_generator},
     Step{.plain = plain_call}},
    {"step: add and cancel a timer, no other", 4'000'000, {.plain = timer_alone}},
    {"step: add and cancel a timer among 100000", 4'000'000, {.plain = timer_among_many}},
};

}  // namespace

void steps_of_the_loop(const Options& options, Report& report) {
  report.heading("step: CPU of one step");
  for (const StepFigure& figure : kFigures) {
    const std::uint64_t steps = options.quick ? figure.steps / 10 : figure.steps;
    const auto samples = in_turns(options.quick ? 1 : 7, figure.floor ? 2 : 1, [&](std::size_t i) {
      return (i == 0 ? figure.step : *figure.floor).measure(steps);
    });
    Figure measured = {.name = figure.name, .value = median(samples[0]), .unit = "ns"};
    if (figure.floor) measured.floor = median(samples[1]);
    measured.target = figure.target;
    report.add(measured);
  }
}

}  // namespace gossamer::bench

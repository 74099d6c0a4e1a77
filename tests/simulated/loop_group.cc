#include "tests/simulated/loop_group.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace gossamer::sim {
namespace {

// The driver of the group, as one of its loops has it. Only the group lets time pass, so a loop
// that has nothing to do gets a marker to run.
class MemberDriver final : public async::Driver, private async::Ready {
 public:
  // BORROWS: the driver of the group.
  explicit MemberDriver(SimDriver& all) : all_(all) {}

  void note_wait(Duration took) { add_wait(took); }
  // Returns whether the loop has run the marker since the last call.
  bool take_idle() { return std::exchange(is_idle_, false); }

  std::string_view name() const override { return all_.name(); }
  Instant now() const override { return all_.now(); }
  bool start(async::Operation& operation) override { return all_.start(operation); }
  void cancel(async::Operation& operation) noexcept override { all_.cancel(operation); }
  bool perform(async::Operation& operation) override { return all_.perform(operation); }
  bool poll(Instant until) override {
    if (until > now() && inbox().empty()) post(*this);
    return true;
  }
  Result<async::Handle> listen(async::Endpoint& endpoint, int backlog) override {
    return all_.listen(endpoint, backlog);
  }
  void close(async::Handle handle) noexcept override { all_.close(handle); }
  void give_back(std::uint32_t buffer) noexcept override { all_.give_back(buffer); }
  std::size_t operations_in_flight() const override { return all_.operations_in_flight(); }

 private:
  void wake() noexcept override {}
  void run() noexcept override { is_idle_ = true; }

  SimDriver& all_;
  bool is_idle_ = false;
};

}  // namespace

class LoopGroup::Member {
 public:
  explicit Member(SimDriver& all) : Member(std::make_unique<MemberDriver>(all)) {}

  // Runs everything that can run now. Returns false if there was nothing.
  bool run_ready() {
    const async::Loop::Running running(loop);
    for (std::size_t items = 0;; ++items) {
      loop.step();
      if (driver_.take_idle()) return items > 0;
    }
  }
  Instant next_due() { return loop.timers().next_due(); }
  void note_wait(Duration took) { driver_.note_wait(took); }

 private:
  explicit Member(std::unique_ptr<MemberDriver> driver)
      : driver_(*driver), loop(std::move(driver)) {}

  MemberDriver& driver_;  // the loop's

 public:
  async::Loop loop;
  bool is_frozen = false;
};

LoopGroup::LoopGroup(const SimOptions& options) : driver_(options) {}

LoopGroup::~LoopGroup() = default;

async::Loop& LoopGroup::add() {
  return members_.emplace_back(std::make_unique<Member>(driver_))->loop;
}

void LoopGroup::freeze(const async::Loop& loop, bool is_frozen) {
  const auto member =
      std::ranges::find_if(members_, [&](const auto& each) { return &each->loop == &loop; });
  CHECK(member != members_.end());
  (*member)->is_frozen = is_frozen;
}

std::size_t LoopGroup::live_tasks() const {
  std::size_t sum = 0;
  for (const auto& member : members_) sum += member->loop.live_tasks();
  return sum;
}

void LoopGroup::run_ready() {
  for (bool has_run = true; has_run;) {
    has_run = false;
    for (const auto& member : members_) {
      if (!member->is_frozen && member->run_ready()) has_run = true;
    }
  }
}

void LoopGroup::move_on() {
  Instant until = base::kNever;
  for (const auto& member : members_) {
    if (!member->is_frozen) until = std::min(until, member->next_due());
  }
  const Instant before = driver_.now();
  CHECK(driver_.poll(until), "deadlock: every task waits for another");
  for (const auto& member : members_) {
    if (!member->is_frozen) member->note_wait(driver_.now() - before);
  }
}

}  // namespace gossamer::sim

#include "tests/simulated/sim_driver.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/check.h"

namespace gossamer::sim {

namespace {

using async::Operation;

bool is_file_operation(const Operation& operation) {
  switch (operation.kind()) {
    case Operation::Kind::open:
    case Operation::Kind::read:
    case Operation::Kind::write:
    case Operation::Kind::sync: return true;
    default: return false;
  }
}

std::shared_ptr<Disk> new_disk(const SimOptions& options, const base::Random& random) {
  return std::make_shared<Disk>(options.disk, random.fork("disk").next());
}

}  // namespace

SimDriver::SimDriver(const SimOptions& options, std::shared_ptr<Disk> disk)
    : options_(options),
      random_(options.seed),
      trace_(options.trace_lines_max),
      network_(options.network, random_.fork("network"), timeline_, trace_, in_flight_, handles_),
      files_(disk != nullptr ? std::move(disk) : new_disk(options, random_), timeline_, trace_,
             in_flight_, handles_) {}

SimDriver::~SimDriver() {
  CHECK(in_flight_.size() == 0, "{} operations are in flight", in_flight_.size());
}

void SimDriver::fail_operation(std::uint64_t n, int error_number) {
  CHECK(n > 0 && error_number > 0);
  failures_[operations_started_ + n] = error_number;
}

void SimDriver::crash() {
  trace_.record(now(), TraceKind::crashed, 0);
  disk()->crash();
}

void SimDriver::power_off() {
  crash();
  powered_ = false;
}

bool SimDriver::start(Operation& operation) {
  in_flight_.begin();
  const Ended ended = begin(operation);
  if (!ended) return false;
  in_flight_.end_at_once();
  operation.set_result(*ended);
  return true;
}

Ended SimDriver::begin(Operation& operation) {
  ++operations_started_;
  const auto injected = failures_.find(operations_started_);
  if (injected != failures_.end()) {
    trace_.record(now(), TraceKind::injected, static_cast<std::uint32_t>(operation.kind()),
                  static_cast<std::uint64_t>(injected->second));
    return -injected->second;
  }
  if (!powered_) return -EIO;
  if (operation.kind() == Operation::Kind::watch) return -ENOTSUP;
  if (!is_file_operation(operation)) return network_.start(operation);
  files_.start(static_cast<async::FileOperation&>(operation));
  return std::nullopt;
}

void SimDriver::cancel(Operation& operation) noexcept {
  const Duration delay = draw(options_.network.cancel_delay, random_);
  if (delay == Duration::zero()) return withdraw(operation);
  const std::uint64_t number = in_flight_.cancel_later(operation);
  timeline_.schedule_after(delay, {.kind = EventKind::cancel_lands, .amount = number});
}

void SimDriver::withdraw(Operation& operation) {
  if (is_file_operation(operation)) {
    files_.withdraw(static_cast<async::FileOperation&>(operation));
  } else {
    network_.withdraw(operation);
  }
  in_flight_.finish(operation, -ECANCELED);
}

bool SimDriver::poll(Instant until) {
  const Instant next = std::min(timeline_.next_due(), until);
  if (next > now()) {
    // A post from another thread comes first.
    if (!inbox().empty()) return true;
    const Instant begun = now();
    if (!move_on(next)) return false;
    add_wait(now() - begun);
  }
  const std::uint64_t mark = timeline_.mark();
  while (const auto event = timeline_.take_due(mark)) happen(*event);
  return true;
}

// Returns false if nothing will ever happen.
bool SimDriver::move_on(Instant next) {
  if (!member_) {
    if (next == base::kNever) return false;
    timeline_.move_to(next);
    return true;
  }
  const std::optional<Instant> reached = member_->move_on(next);
  if (!reached) return false;
  timeline_.move_to(std::max(now(), *reached));
  return true;
}

void SimDriver::happen(const Event& event) {
  switch (event.kind) {
    case EventKind::file_operation_ends: return files_.happen(event);
    case EventKind::cancel_lands:
      if (Operation* const operation = in_flight_.land(event.amount)) withdraw(*operation);
      return;
    default: return network_.happen(event);
  }
}

Result<async::Handle> SimDriver::listen(async::Endpoint& endpoint, int backlog) {
  return network_.listen(endpoint, backlog);
}

void SimDriver::close(async::Handle handle) noexcept {
  if (files_.contains(handle)) return files_.close(handle);
  network_.close(handle);
}

void SimDriver::give_back(std::uint32_t buffer) noexcept { network_.give_back(buffer); }

}  // namespace gossamer::sim

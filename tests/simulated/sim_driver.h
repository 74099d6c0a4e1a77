#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "async/driver.h"
#include "base/random.h"
#include "base/time.h"
#include "tests/simulated/convoy.h"
#include "tests/simulated/disk.h"
#include "tests/simulated/handles.h"
#include "tests/simulated/in_flight.h"
#include "tests/simulated/network.h"
#include "tests/simulated/network_options.h"
#include "tests/simulated/open_files.h"
#include "tests/simulated/timeline.h"
#include "tests/simulated/trace.h"

namespace gossamer::sim {

struct SimOptions {
  std::uint64_t seed = 0;
  NetworkOptions network;
  DiskOptions disk;
  // The number of trace lines that are kept as text.
  std::size_t trace_lines_max = 64;
};

// The driver of a simulated world: a virtual clock that jumps to the next event, a network and a
// disk in memory, and every number drawn from one seed. The same seed and the same program give the
// same run, which trace_hash() verifies.
//
//   auto driver = std::make_unique<sim::SimDriver>();
//   sim::SimDriver& world = *driver;
//   async::Loop loop(std::move(driver));
//   loop.run(program());                      // no real time passes
//   EXPECT_TRUE(world.ledger().balanced());
//
// Events of the same instant happen in the order in which they were caused, and before the loop's
// timers: a result that arrives in the very instant of its deadline is in time. Real time is never
// read. Posts from other threads arrive at any time, and a program that waits for nothing else
// looks like a deadlock, unless it waits for another world of the same convoy. Watching a foreign
// descriptor fails with ENOTSUP.
class SimDriver final : public async::Driver {
 public:
  // Uses the given disk of an earlier world, else a new one.
  explicit SimDriver(const SimOptions& options = {}, std::shared_ptr<Disk> disk = nullptr);
  ~SimDriver() override;

  // For tests:

  // From now on its clock follows those of other worlds. Call it once, before the loop runs.
  // BORROWS: the convoy, until the driver is destroyed.
  void join(Convoy& convoy) { member_.emplace(convoy, inbox()); }
  // Spends virtual time inside a step, as a long computation would.
  void advance(Duration duration) { timeline_.advance(duration); }
  // The n-th operation that is started from now on (1 is the next) fails with `error_number`.
  void fail_operation(std::uint64_t n, int error_number);
  // From now on, connecting to this endpoint gets no answer, even with a listener.
  void black_hole(const async::Endpoint& endpoint) { network_.black_hole(endpoint); }
  std::uint64_t operations_started() const { return operations_started_; }

  // The disk loses everything that was not synced.
  void crash();
  // Like crash(), and every operation started later fails with EIO: what a program still does while
  // it is being cancelled cannot repair the damage.
  void power_off();

  std::uint64_t trace_hash() const { return trace_.hash(); }
  std::string trace_text() const { return trace_.text(); }
  std::uint64_t trace_size() const { return trace_.size(); }

  // Where all bytes that were ever sent went.
  Ledger ledger() const { return network_.ledger(); }
  // Connections are numbered from 0 in the order in which connecting to them began.
  std::uint32_t connections_begun() const { return network_.connections_begun(); }
  ConnectionReport connection(std::uint32_t number) const { return network_.report(number); }
  // Listeners and ends of connections that the program owns.
  std::size_t sockets_open() const { return network_.sockets_open(); }
  std::uint32_t buffers_lent() const { return network_.buffers_lent(); }
  // It can outlive the driver, so that the next world can start from it.
  const std::shared_ptr<Disk>& disk() const { return files_.disk(); }

  // For the loop:

  std::string_view name() const override { return "sim"; }
  Instant now() const override { return timeline_.now(); }
  bool start(async::Operation& operation) override;
  void cancel(async::Operation& operation) noexcept override;
  bool poll(Instant until) override;
  Result<async::Handle> listen(async::Endpoint& endpoint, int backlog) override;
  void close(async::Handle handle) noexcept override;
  void give_back(std::uint32_t buffer) noexcept override;
  std::size_t operations_in_flight() const override { return in_flight_.size(); }

 private:
  void wake() noexcept override {
    if (member_) member_->wake();
  }
  Ended begin(async::Operation& operation);
  void withdraw(async::Operation& operation);
  bool move_on(Instant next);
  void happen(const Event& event);

  const SimOptions options_;
  base::Random random_;
  Timeline timeline_;
  Trace trace_;
  InFlight in_flight_;
  Handles handles_;
  Network network_;
  OpenFiles files_;
  std::map<std::uint64_t, int> failures_;  // by number of the operation
  std::uint64_t operations_started_ = 0;
  bool powered_ = true;
  std::optional<Convoy::Member> member_;
};

}  // namespace gossamer::sim

#include "tests/support/simulated_machine.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "tests/support/simulated_archive_files.h"

namespace gossamer::support {
namespace {

Error dead() { return {Errc::io_failed, "the process is dead"}; }

// Tables that outlive the process, as it has them.
class BorrowedTables final : public store::Tables {
 public:
  explicit BorrowedTables(SimulatedMachine& machine)
      : machine_(machine), tables_(machine.storage().tables) {}

  Result<void> write(const store::Batch& batch) override {
    return machine_.pass() ? tables_.write(batch) : fail(dead());
  }
  Result<void> sync() override { return machine_.pass() ? tables_.sync() : fail(dead()); }
  Result<void> close() override { return machine_.pass() ? tables_.close() : fail(dead()); }
  Result<std::optional<std::string>> get(store::Table table, std::string_view key) const override {
    return tables_.get(table, key);
  }
  Result<void> scan(store::Table table, std::string_view from, Use use) const override {
    return tables_.scan(table, from, std::move(use));
  }
  Result<void> scan_back(store::Table table, std::string_view before, Use use) const override {
    return tables_.scan_back(table, before, std::move(use));
  }

 private:
  SimulatedMachine& machine_;
  store::SimulatedTables& tables_;
};

class RunsInMemory final : public crawler::RunStorage {
 public:
  Result<void> write(std::size_t place, std::span<const std::uint64_t> keys) override {
    runs_[place].assign(keys.begin(), keys.end());
    return {};
  }
  Result<void> read(std::size_t place, std::size_t first,
                    std::span<std::uint64_t> keys) const override {
    std::copy_n(runs_.at(place).begin() + static_cast<std::ptrdiff_t>(first), keys.size(),
                keys.begin());
    return {};
  }

 private:
  std::map<std::size_t, std::vector<std::uint64_t>> runs_;
};

class SimulatedHome final : public run::JobHome {
 public:
  SimulatedHome(SimulatedMachine& machine, std::string path)
      : machine_(machine), path_(std::move(path)) {}

  const std::string& path() const override { return path_; }
  bool is_new() const override { return !machine_.storage().configuration; }
  Result<std::string> read_configuration() const override {
    return *machine_.storage().configuration;
  }
  Result<void> write_configuration(const std::string& text) override {
    if (!machine_.pass()) return fail(dead());
    if (!machine_.storage().has_room) return fail(Errc::io_failed, "no space left");
    machine_.storage().configuration = text;
    return {};
  }
  Result<std::unique_ptr<store::Tables>> open_tables(std::uint64_t /*memory_bytes*/) override {
    if (!machine_.pass()) return fail(dead());
    return std::make_unique<BorrowedTables>(machine_);
  }
  Result<void> seal() override { return machine_.pass() ? Result<void>() : fail(dead()); }
  const std::vector<std::string>& damage() const override { return none_; }
  std::unique_ptr<crawler::RunStorage> make_run_storage() override {
    return std::make_unique<RunsInMemory>();
  }
  Result<std::uint64_t> free_bytes() const override { return machine_.storage().free_bytes; }

 private:
  SimulatedMachine& machine_;
  const std::string path_;
  const std::vector<std::string> none_;
};

// Work beside that of others on the same loop.
class SharedLoop final : public run::LoopThread {
 public:
  explicit SharedLoop(run::Machine::LoopWork work) : work_(std::move(work)) {
    scope_.spawn(work_(scope_.loop()));
  }
  async::Task<void> join() override { static_cast<void>(co_await scope_.join()); }

 private:
  run::Machine::LoopWork work_;
  async::Scope scope_{async::OnFailure::keep_going};
};

// Names that belong to another.
class BorrowedNames final : public net::Resolver {
 public:
  explicit BorrowedNames(net::Resolver& names) : names_(names) {}
  async::Task<Result<net::Addresses>> look_up(std::string host) override {
    return names_.look_up(std::move(host));
  }

 private:
  net::Resolver& names_;
};

}  // namespace

void SimulatedStorage::set_full(bool is_full) {
  free_bytes = is_full ? 0 : kPlenty;
  set_room(!is_full);
}

void SimulatedStorage::set_room(bool room) {
  has_room = room;
  tables.set_full(!room);
  disk->set_full(!room);
}

void SimulatedStorage::cut_power(base::Random& random) {
  disk->crash();
  tables.cut_power(random.below(tables.unsynced() + 1));
  for (auto& [name, file] : files) {
    if (file.before && random.chance(0.5)) file.content = *file.before;
    file.before.reset();
  }
}

void SimulatedStorage::reopen() {
  set_full(false);
  tables.reopen();
}

SimulatedMachine::SimulatedMachine(SimulatedStorage& storage, net::Resolver& names,
                                   std::uint64_t seed, WallTime wall_start)
    : storage_(storage),
      names_(names),
      random_(base::Random(seed).fork("machine")),
      wall_start_(wall_start),
      loop_start_(async::Loop::current().now()) {
  storage_.disk->before_operation([this] { static_cast<void>(pass()); });
}

SimulatedMachine::~SimulatedMachine() {
  storage_.disk->before_operation({});
  storage_.disk->plug_in();
}

void SimulatedMachine::die() {
  if (std::exchange(is_dead_, true)) return;
  storage_.disk->unplug();
  if (on_death_) on_death_();
}

bool SimulatedMachine::pass() {
  if (is_dead_) return false;
  if (++operations_ == last_operation_) die();
  if (operation_without_room_ > 0) storage_.set_room(operations_ != operation_without_room_);
  return !is_dead_;
}

WallTime SimulatedMachine::now() {
  return wall_start_ + (async::Loop::current().now() - loop_start_);
}

async::Task<Result<std::unique_ptr<run::WebAccess>>> SimulatedMachine::open_web(
    async::Scope& lookups, run::WebOptions options) {
  co_return std::make_unique<run::WebAccess>(std::make_unique<BorrowedNames>(names()), nullptr,
                                             lookups, std::move(options));
}

std::unique_ptr<run::LoopThread> SimulatedMachine::start_loop(async::DriverKind /*driver*/,
                                                              LoopWork work,
                                                              LoopFailure /*on_failure*/) {
  return std::make_unique<SharedLoop>(std::move(work));
}

Result<std::unique_ptr<run::JobHome>> SimulatedMachine::open_job(const std::string& path) {
  return std::make_unique<SimulatedHome>(*this, path);
}

Result<std::unique_ptr<store::ArchiveFiles>> SimulatedMachine::open_archive(
    const std::string& /*folder*/, bool /*is_inner*/) {
  return std::make_unique<SimulatedArchiveFiles>(storage_.disk);
}

std::string SimulatedMachine::read_file(const std::string& path) {
  const auto found = storage_.files.find(path);
  return found == storage_.files.end() ? std::string() : found->second.content;
}

Result<void> SimulatedMachine::write_file(const std::string& path, std::string_view content) {
  if (!pass()) return fail(dead());
  if (!storage_.has_room) return fail(Errc::io_failed, "no space left for " + path);
  SimulatedStorage::File& file = storage_.files[path];
  file.before = std::exchange(file.content, std::string(content));
  const WallTime when = now();
  file.changed_at = when.seconds * 1'000'000'000 + when.nanoseconds;
  return {};
}

std::int64_t SimulatedMachine::changed_at(const std::string& path) {
  const auto found = storage_.files.find(path);
  return found == storage_.files.end() ? 0 : found->second.changed_at;
}

}  // namespace gossamer::support

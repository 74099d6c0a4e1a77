#include "run/machine/machine.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/log.h"
#include "render/browser_process.h"
#include "run/machine/wall_clock.h"
#include "settings/job_signature.h"
#include "settings/random_salt.h"
#include "store/job_folder.h"
#include "store/rocks_tables.h"
#include "store/run_file.h"
#include "store/whole_file.h"

namespace gossamer::run {
namespace {

class FolderHome final : public JobHome {
 public:
  FolderHome(store::JobFolder folder, std::vector<std::string> damage)
      : folder_(std::move(folder)), damage_(std::move(damage)) {}

  const std::string& path() const override { return folder_.path(); }
  bool is_new() const override { return folder_.is_new(); }
  Result<std::string> read_configuration() const override { return folder_.read_configuration(); }
  Result<void> write_configuration(const std::string& text) override {
    const auto key = JobKey::find_or_make();
    if (key) return folder_.write_configuration(key->sign(text));
    LOG(debug, "{} has no signature, so some of its settings will not be trusted: {}",
        folder_.configuration(), key.error().message());
    return folder_.write_configuration(text);
  }
  bool lacks_signature() const override {
    const auto key = JobKey::find_or_make();
    const auto text = folder_.read_configuration();
    return key && text && !key->has_signed(*text);
  }
  Result<std::unique_ptr<store::Tables>> open_tables(std::uint64_t memory_bytes) override {
    if (auto broken = folder_.unseal(); !broken) return fail(std::move(broken).error());
    auto tables = store::RocksTables::open(folder_.tables(), {.memory_bytes = memory_bytes});
    if (tables && (*tables)->lost_changes() > 0) {
      damage_.push_back(
          fmt::format("tables have lost their last {} changes; the crawl goes back to before them",
                      (*tables)->lost_changes()));
    }
    return tables;
  }
  Result<void> seal() override { return folder_.seal(); }
  const std::vector<std::string>& damage() const override { return damage_; }
  std::unique_ptr<crawler::RunStorage> make_run_storage() override {
    return std::make_unique<store::RunFile>(folder_.path());
  }
  Result<std::uint64_t> free_bytes() const override { return folder_.free_bytes(); }

 private:
  store::JobFolder folder_;
  std::vector<std::string> damage_;
};

class OwnThread final : public LoopThread {
 public:
  OwnThread(async::DriverKind driver, Machine::LoopWork work, Machine::LoopFailure on_failure)
      : work_(std::move(work)), on_failure_(std::move(on_failure)) {
    try {
      thread_ = std::thread([this, driver] { run(driver); });
    } catch (const std::system_error& error) {
      on_failure_({Errc::no_resources, error.what()});
    }
  }
  ~OwnThread() override { CHECK(!thread_.joinable()); }

  async::Task<void> join() override {
    if (thread_.joinable()) thread_.join();
    co_return;
  }

 private:
  void run(async::DriverKind kind) {
    auto driver = async::make_driver(kind);
    if (!driver) return on_failure_(std::move(driver).error());
    async::Loop loop(std::move(*driver));
    loop.run(work_(loop));
  }

  Machine::LoopWork work_;
  Machine::LoopFailure on_failure_;
  std::thread thread_;
};

class ThisMachine final : public Machine {
 public:
  WallTime now() override { return wall_now(); }
  std::uint64_t draw() override { return random_salt(); }

  async::Task<Result<std::unique_ptr<WebAccess>>> open_web(async::Scope& lookups,
                                                           WebOptions options) override {
    return WebAccess::open(async::Loop::current(), lookups, std::move(options));
  }

  std::unique_ptr<LoopThread> start_loop(async::DriverKind driver, LoopWork work,
                                         LoopFailure on_failure) override {
    return std::make_unique<OwnThread>(driver, std::move(work), std::move(on_failure));
  }
  // Compressing uncompressed pages takes longer than everything else. When it falls behind, the
  // crawl waits, which frees its core for compression.
  std::size_t packing_threads() override {
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 4);
  }
  std::size_t syncing_threads() override { return 1; }

  Result<std::unique_ptr<JobHome>> open_job(const std::string& path) override {
    auto folder = store::JobFolder::open(path, store::JobFolder::Access::write);
    if (!folder) return fail(std::move(folder).error());
    auto archive_damage = folder->check();
    if (!archive_damage) return fail(std::move(archive_damage).error());
    return std::make_unique<FolderHome>(std::move(*folder), std::move(*archive_damage));
  }
  Result<std::unique_ptr<store::ArchiveFiles>> open_archive(const std::string& folder,
                                                            bool is_inner) override {
    auto files =
        is_inner ? store::FolderFiles::open_inner(folder) : store::FolderFiles::open(folder);
    if (!files) return fail(std::move(files).error());
    return std::make_unique<store::FolderFiles>(std::move(*files));
  }

  std::string read_file(const std::string& path) override {
    std::ifstream file(path, std::ios::binary);
    file.peek();  // a folder can be opened, but not read
    if (!file) return {};
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  Result<void> write_file(const std::string& path, std::string_view content) override {
    auto file = store::WholeFile::open(path, 0600);
    if (!file) return fail(std::move(file).error());
    return file->write(content);
  }

  std::int64_t changed_at(const std::string& path) override {
    struct stat facts = {};
    if (path.empty() || stat(path.c_str(), &facts) != 0) return 0;
    return std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec;
  }
};

}  // namespace

std::unique_ptr<render::BrowserLauncher> Machine::make_browsers() {
  return std::make_unique<render::ProcessLauncher>();
}

std::string Machine::process_name() {
  std::array<char, 256> host = {};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return std::string(host.data()) + "-" + std::to_string(getpid());
}

Machine& this_machine() {
  static ThisMachine machine;
  return machine;
}

}  // namespace gossamer::run

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bench/crawl/tls_site.h"
#include "net/tls_context.h"
#include "run/machine/machine.h"

namespace gossamer::bench {

// This machine, whose crawls share their TLS sessions and know where the hosts of a
// TlsSite are.
class TlsMachine final : public run::Machine {
 public:
  explicit TlsMachine(std::shared_ptr<net::TlsContext> context) : context_(std::move(context)) {}

  async::Task<Result<std::unique_ptr<run::WebAccess>>> open_web(async::Scope& lookups,
                                                                run::WebOptions options) override {
    co_return std::make_unique<run::WebAccess>(std::make_unique<TlsSiteNames>(), context_, lookups,
                                               std::move(options));
  }

  WallTime now() override { return machine_.now(); }
  std::uint64_t draw() override { return machine_.draw(); }
  std::unique_ptr<run::LoopThread> start_loop(async::DriverKind driver, LoopWork work,
                                              LoopFailure on_failure) override {
    return machine_.start_loop(driver, std::move(work), std::move(on_failure));
  }
  std::size_t packing_threads() override { return machine_.packing_threads(); }
  std::size_t syncing_threads() override { return machine_.syncing_threads(); }
  Result<std::unique_ptr<run::JobHome>> open_job(const std::string& path) override {
    return machine_.open_job(path);
  }
  Result<std::unique_ptr<store::ArchiveFiles>> open_archive(const std::string& folder,
                                                            bool is_inner) override {
    return machine_.open_archive(folder, is_inner);
  }
  std::string read_file(const std::string& path) override { return machine_.read_file(path); }
  Result<void> write_file(const std::string& path, std::string_view content) override {
    return machine_.write_file(path, content);
  }
  std::int64_t changed_at(const std::string& path) override { return machine_.changed_at(path); }

 private:
  run::Machine& machine_ = run::this_machine();
  const std::shared_ptr<net::TlsContext> context_;
};

}  // namespace gossamer::bench

#include "cli/crawl_command.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "async/loop.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/crawl_arguments.h"
#include "cli/crawl_session.h"
#include "cli/wall_clock.h"

namespace gossamer::cli {
namespace {

// Takes the log while it lives.
class LogFile final : public base::LogSink {
 public:
  explicit LogFile(const std::string& path) : file_(std::fopen(path.c_str(), "ae")) {
    if (file_ != nullptr) base::set_log_sink(this);
  }
  ~LogFile() override {
    if (file_ == nullptr) return;
    base::set_log_sink(nullptr);
    std::fclose(file_);
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  bool is_open() const { return file_ != nullptr; }
  void write(base::LogLevel, std::string_view line) noexcept override {
    std::fwrite(line.data(), 1, line.size(), file_);
    std::fflush(file_);
  }

 private:
  std::FILE* const file_;
};

base::LogLevel level_of(const CrawlArguments& arguments) {
  if (arguments.verbosity >= 2) return base::LogLevel::trace;
  if (arguments.verbosity == 1) return base::LogLevel::debug;
  return arguments.is_quiet ? base::LogLevel::error : base::LogLevel::info;
}

}  // namespace

int run_crawl_command(const std::vector<std::string>& words) {
  CrawlArguments arguments;
  if (const auto exit_code = read_crawl_arguments(words, arguments)) return *exit_code;
  std::unique_ptr<LogFile> log;
  if (!arguments.log_file.empty()) {
    log = std::make_unique<LogFile>(arguments.log_file);
    if (!log->is_open()) return usage_error("crawl", "cannot write " + arguments.log_file);
  }
  base::set_log_level(level_of(arguments));
  base::set_log_clock(wall_now);
  auto driver = prepare_driver(arguments);
  if (!driver) return usage_error("crawl", driver.error().to_string());
  async::Loop loop(std::move(*driver));
  const auto outcome = loop.run(run_crawl_session(loop, std::move(arguments)));
  if (outcome) return outcome->exit_code;
  static_cast<void>(usage_error("crawl", outcome.error().to_string()));
  return exit_code_for(outcome.error());
}

}  // namespace gossamer::cli

#include "cli/check_session.h"

#include <signal.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "async/scope.h"
#include "async/signals.h"
#include "cli/crawl_session.h"
#include "display/progress_display.h"
#include "record/record.h"
#include "run/crawl.h"

namespace gossamer::cli {
namespace {

// Runs a check and shows it on a terminal.
class CheckSession final : public run::CrawlListener {
 public:
  // BORROWS: the loop and the sink.
  CheckSession(async::Loop& loop, crawler::PageSink& sink, CrawlArguments arguments,
               bool has_progress)
      : loop_(loop),
        sink_(sink),
        command_(arguments.output.command),
        has_progress_(has_progress),
        crawl_(std::move(arguments.crawl)) {}

  // BORROWS: the session.
  async::Task<Result<crawler::EndReason>> run();

  Result<crawler::PageSink*> open_sink(const run::CrawlSettings& settings) override;
  void begin(const run::CrawlStart& start) override;
  async::Task<Result<void>> close_sink() override;

 private:
  async::Loop& loop_;
  crawler::PageSink& sink_;
  const std::string_view command_;
  const bool has_progress_;
  run::Crawl crawl_;
  std::optional<async::SignalWatch> signals_;
  std::unique_ptr<display::ProgressDisplay> display_;  // nullptr: progress is off
  async::Scope displays_{async::OnFailure::keep_going};
};

// Before this point a signal ends the program, even during a login.
Result<crawler::PageSink*> CheckSession::open_sink(const run::CrawlSettings& /*settings*/) {
  auto signals = async::SignalWatch::make(loop_, {SIGINT, SIGTERM}, [this](int) { crawl_.stop(); });
  if (!signals) return fail(std::move(signals).error());
  signals_.emplace(std::move(*signals));
  return &sink_;
}

async::Task<Result<crawler::EndReason>> CheckSession::run() {
  auto end = co_await crawl_.run(*this);
  if (!end) {
    if (end.error().part != run::Part::login) co_return fail(std::move(end.error().error));
    static_cast<void>(report_failure(command_, end.error()));
    co_return fail(Errc::unavailable, "could not log in");
  }
  if (end->failure) co_return fail(std::move(end->failure->error));
  co_return end->reason;
}

void CheckSession::begin(const run::CrawlStart& /*start*/) {
  if (!has_progress_) return;
  display_ = std::make_unique<display::ProgressDisplay>(command_, [this] {
    run::CrawlProgress progress = crawl_.progress();
    // Images and other types are skipped on purpose.
    const auto unwanted = progress.errors.find(crawler::kUnwantedType);
    if (unwanted != progress.errors.end()) progress.errors.erase(unwanted);
    return progress;
  });
  display_->take_log();
  displays_.spawn(display_->run());
}

async::Task<Result<void>> CheckSession::close_sink() {
  displays_.cancel();
  static_cast<void>(co_await displays_.join());
  if (display_) display_->hide();
  co_return {};
}

}  // namespace

async::Task<Result<crawler::EndReason>> run_check_session(async::Loop& loop,
                                                          CheckArguments& arguments,
                                                          crawler::PageSink& sink) {
  CheckSession session(loop, sink, std::move(arguments.crawl), arguments.has_progress);
  co_return co_await session.run();
}

}  // namespace gossamer::cli

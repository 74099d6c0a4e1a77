#include "cli/check_session.h"

#include <signal.h>

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "async/scope.h"
#include "async/signals.h"
#include "check/page_checker.h"
#include "cli/crawl_session.h"
#include "crawl/page/record.h"
#include "display/progress_display.h"
#include "report/audit.h"
#include "report/collector.h"
#include "run/crawl.h"
#include "run/random_salt.h"
#include "run/wall_clock.h"

namespace gossamer::cli {
namespace {

// BOUND: faults of pages that a check lists per rule; all are counted.
constexpr std::uint64_t kFaultsListed = 1000;

// Passes everything on to the checker, and audits the pages.
class AuditSink final : public crawler::PageSink {
 public:
  // BORROWS: the checker.
  AuditSink(check::PageChecker& checker, const url::IdentityRules& identity)
      : checker_(checker), collector_(identity, run::random_salt(), run::wall_now()) {}

  async::Task<Result<void>> put(crawler::Page page) override {
    collector_.add(page.record);
    return checker_.put(std::move(page));
  }
  void skip(const crawler::SkippedUrl& skipped) override { checker_.skip(skipped); }

  // BORROWS: this, while the hooks live.
  void watch_links(crawler::Hooks& hooks) {
    hooks.see_link = [this](const crawler::FoundLink& link) { collector_.see_link(link); };
  }

  void take_faults(WebCheck& into) const {
    std::array<std::uint64_t, report::kAuditRules> counts = {};
    collector_.for_each_fault([&](const report::AuditFinding& finding) {
      ++into.fault_count;
      if (counts[static_cast<std::size_t>(finding.rule)]++ >= kFaultsListed) return true;
      std::string detail(report::describe(finding.rule));
      if (!finding.detail.empty()) detail += ": " + finding.detail;
      into.faults.push_back({.kind = check::FindingKind::seo,
                             .url = finding.url,
                             .cause = std::string(report::name(finding.rule)),
                             .detail = std::move(detail),
                             .leads_to = finding.other});
      return true;
    });
  }

 private:
  check::PageChecker& checker_;
  report::Collector collector_;
};

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

async::Task<Result<WebCheck>> run_check_session(async::Loop& loop, CheckArguments& arguments,
                                                std::vector<std::string> web_links,
                                                check::LinkBook& book, check::AnswerCache& cache) {
  const bool has_roots = !arguments.crawl.crawl.roots.empty();
  check::PageChecker checker(arguments.options, book, cache);
  checker.set_up(arguments.crawl.crawl);
  arguments.crawl.crawl.leaves = std::move(web_links);
  std::optional<AuditSink> audit;
  if (arguments.audits_pages) {
    audit.emplace(checker, arguments.crawl.crawl.identity);
    audit->watch_links(arguments.crawl.crawl.hooks);
  }
  crawler::PageSink& sink = audit ? static_cast<crawler::PageSink&>(*audit) : checker;
  CheckSession session(loop, sink, std::move(arguments.crawl), arguments.has_progress);
  auto end = co_await session.run();
  if (!end) co_return fail(std::move(end).error());
  WebCheck checked = {.end = *end,
                      .from_cache = checker.from_cache(),
                      .has_included_page = !has_roots || checker.has_included_page()};
  if (audit) audit->take_faults(checked);
  co_return checked;
}

}  // namespace gossamer::cli

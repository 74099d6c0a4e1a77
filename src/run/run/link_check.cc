#include "run/link_check.h"

#include <array>
#include <fstream>
#include <iterator>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "async/loop.h"
#include "async/monotonic.h"
#include "check/checked_files.h"
#include "report/audit.h"
#include "report/collector.h"
#include "report/phrases.h"
#include "run/crawl.h"
#include "run/crawl_driver.h"
#include "run/machine/wall_clock.h"
#include "run/signals_blocked.h"
#include "scope/url_pattern.h"
#include "settings/random_salt.h"
#include "store/whole_file.h"

namespace gossamer::run {
namespace {

// BOUND: faults of pages that a check lists per rule; all are counted.
constexpr std::uint64_t kFaultsListed = 1000;

}  // namespace

// Passes everything on to the checker, and audits the pages.
class LinkChecker::AuditSink final : public crawler::PageSink {
 public:
  // BORROWS: the checker.
  AuditSink(check::PageChecker& checker, const url::IdentityRules& identity)
      : checker_(checker), collector_(identity, random_salt(), wall_now()) {}

  async::Task<Result<void>> put(crawler::Page page) override {
    collector_.add(page.record);
    return checker_.put(std::move(page));
  }
  void skip(const crawler::SkippedUrl& skipped) override { checker_.skip(skipped); }

  // BORROWS: this, while the hooks live.
  void watch_links(crawler::Hooks& hooks) {
    hooks.see_link = [this](const crawler::FoundLink& link) { collector_.see_link(link); };
  }

  // Adds the first faults of each rule, and the number of all.
  void add_faults(check::Findings& into) const {
    std::array<std::uint64_t, report::kAuditRules> counts = {};
    std::uint64_t all = 0;
    collector_.for_each_fault([&](const report::AuditFinding& finding) {
      ++all;
      if (counts[static_cast<std::size_t>(finding.rule)]++ >= kFaultsListed) return true;
      std::string detail(report::describe(finding.rule));
      if (!finding.detail.empty()) detail += ": " + finding.detail;
      into.all.push_back({.kind = check::FindingKind::seo,
                          .url = finding.url,
                          .cause = std::string(report::name(finding.rule)),
                          .detail = std::move(detail),
                          .leads_to = finding.other});
      return true;
    });
    if (all > 0) into.counts[check::FindingKind::seo] = all;
  }

 private:
  check::PageChecker& checker_;
  report::Collector collector_;
};

LinkChecker::LinkChecker(CheckSettings settings)
    : settings_(std::move(settings)),
      started_(async::monotonic_now()),
      has_roots_(!settings_.crawl.roots.empty()),
      book_(settings_.crawl.identity) {}
LinkChecker::~LinkChecker() = default;

Result<void> LinkChecker::begin(const std::stop_token& stop) {
  if (!settings_.cache_file.empty()) {
    std::ifstream file(settings_.cache_file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    cache_ = check::AnswerCache::parse(text, wall_now(), settings_.cache_age_max);
  }
  auto excluded = crawler::UrlPatterns::compile(settings_.crawl.scope.exclude);
  if (!excluded) return fail(std::move(excluded).error());
  check::CheckedFiles files(settings_.file_rules, *excluded, book_, settings_.options.checks_mail,
                            stop);
  for (const std::string& path : settings_.files) {
    if (auto taken = files.take(path); !taken) return taken;
  }
  files.look_for_targets();
  if (stop.stop_requested()) return fail(Errc::cancelled);
  web_links_ = files.web_links();
  return {};
}

bool LinkChecker::needs_crawl() const noexcept { return has_roots_ || !web_links_.empty(); }

CrawlSettings LinkChecker::crawl_settings() {
  CrawlSettings settings = std::move(settings_.crawl);
  checker_.emplace(settings_.options, book_, cache_);
  checker_->set_up(settings);
  settings.leaves = std::move(web_links_);
  if (settings_.audits_pages) {
    audit_ = std::make_unique<AuditSink>(*checker_, settings.identity);
    audit_->watch_links(settings.hooks);
  }
  return settings;
}

crawler::PageSink& LinkChecker::sink() noexcept {
  return audit_ ? static_cast<crawler::PageSink&>(*audit_) : *checker_;
}

CheckResult LinkChecker::end(crawler::EndReason reason) {
  CheckResult result = {.end = reason};
  const bool checks_fragments = settings_.options.fragments != check::FragmentCheck::none;
  check::Findings& findings = result.findings;
  findings = std::move(book_).close(checks_fragments);
  findings.sources = settings_.sources;
  if (checker_) {
    findings.from_cache = checker_->from_cache();
    result.has_included_page = !has_roots_ || checker_->has_included_page();
  }
  if (audit_) audit_->add_faults(findings);
  if (reason != crawler::EndReason::finished) findings.ended_early = report::name(reason);
  findings.took = async::monotonic_now() - started_;
  return result;
}

// --- on a thread

namespace {

// The crawl of a check writes to the sink of the checker.
class CheckListener final : public CrawlListener {
 public:
  // BORROWS: the sink.
  explicit CheckListener(crawler::PageSink& sink) : sink_(sink) {}
  Result<crawler::PageSink*> open_sink(const CrawlSettings&) override { return &sink_; }

 private:
  crawler::PageSink& sink_;
};

}  // namespace

class LinkCheck::Worker {
 public:
  Worker(CheckSettings settings, std::move_only_function<void()> on_end)
      : on_end_(std::move(on_end)), thread_(start(std::move(settings))) {}
  ~Worker() {
    files_.request_stop();  // the result is dropped
    stop(crawler::EndReason::aborted);
    join();
  }

  void stop(crawler::EndReason reason) {
    const std::scoped_lock lock(mutex_);
    if (!is_stopped_) is_stopped_ = reason;
    if (loop_ == nullptr) return;
    loop_->post([this, reason] {
      if (crawl_ != nullptr) crawl_->stop_because(reason);
    });
  }
  Outcome<CheckResult> result() {
    join();
    return std::move(*result_);
  }

 private:
  void join() {
    const std::scoped_lock lock(joining_);
    if (thread_.joinable()) thread_.join();
  }
  std::thread start(CheckSettings settings) {
    const SignalsBlocked blocked;
    return std::thread(
        [this, settings = std::move(settings)]() mutable { work(std::move(settings)); });
  }
  void work(CheckSettings settings) {
    result_.emplace(check(std::move(settings)));
    if (on_end_) on_end_();
  }
  Outcome<CheckResult> check(CheckSettings settings);
  Outcome<crawler::EndReason> crawl(LinkChecker& checker);

  std::move_only_function<void()> on_end_;
  std::stop_source files_;       // ends the check of files
  std::mutex mutex_;             // guards the members below
  async::Loop* loop_ = nullptr;  // nullptr: not running
  Crawl* crawl_ = nullptr;       // set with the loop
  std::optional<crawler::EndReason> is_stopped_;

  std::optional<Outcome<CheckResult>> result_;  // set by the thread
  std::mutex joining_;
  std::thread thread_;  // last, so that the other members exist when it starts
};

Outcome<CheckResult> LinkCheck::Worker::check(CheckSettings settings) {
  std::optional<store::WholeFile> cache;
  if (!settings.cache_file.empty()) {
    auto opened = store::WholeFile::open(settings.cache_file);
    if (!opened) return fail_in(Part::sink, std::move(opened).error());
    cache.emplace(std::move(*opened));
  }
  LinkChecker checker(std::move(settings));
  if (auto begun = checker.begin(files_.get_token()); !begun) {
    return fail_in(Part::settings, std::move(begun).error());
  }
  crawler::EndReason reason = crawler::EndReason::finished;
  if (checker.needs_crawl()) {
    auto crawled = crawl(checker);
    if (!crawled) return std::unexpected(std::move(crawled).error());
    reason = *crawled;
  }
  CheckResult result = checker.end(reason);
  if (cache) {
    if (auto written = cache->write(checker.cache_text()); !written) {
      return fail_in(Part::sink, std::move(written).error());
    }
  }
  return result;
}

Outcome<crawler::EndReason> LinkCheck::Worker::crawl(LinkChecker& checker) {
  CrawlSettings settings = checker.crawl_settings();
  auto driver = make_driver(settings);
  if (!driver) return fail_in(Part::network, std::move(driver).error());
  async::Loop loop(std::move(driver->driver));
  Crawl crawl(std::move(settings), nullptr);
  CheckListener listener(checker.sink());
  {
    const std::scoped_lock lock(mutex_);
    if (is_stopped_) return *is_stopped_;
    loop_ = &loop;
    crawl_ = &crawl;
  }
  auto end = loop.run(crawl.run(listener));
  {
    const std::scoped_lock lock(mutex_);
    loop_ = nullptr;
    crawl_ = nullptr;
  }
  if (!end) return std::unexpected(std::move(end).error());
  if (end->failure) return std::unexpected(std::move(*end->failure));
  return end->reason;
}

LinkCheck::LinkCheck(CheckSettings settings, std::move_only_function<void()> on_end)
    : worker_(std::make_unique<Worker>(std::move(settings), std::move(on_end))) {}
LinkCheck::~LinkCheck() = default;
void LinkCheck::stop() { worker_->stop(crawler::EndReason::interrupted); }
Outcome<CheckResult> LinkCheck::result() { return worker_->result(); }

Outcome<CheckResult> check_links(CheckSettings settings) {
  if (auto completed = complete(settings); !completed) {
    return fail_in(Part::settings, std::move(completed).error());
  }
  return LinkCheck(std::move(settings)).result();
}

}  // namespace gossamer::run

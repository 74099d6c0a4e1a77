#include "cli/crawl_output.h"

#include <utility>

#include "base/log.h"
#include "cli/command.h"
#include "cli/crawl_exit_code.h"
#include "content/extractor.h"
#include "record/record.h"

namespace gossamer::cli {

Result<std::unique_ptr<CrawlOutput>> CrawlOutput::open(const CrawlOutputOptions& options,
                                                       const crawler::Settings& crawl,
                                                       RecordObserver observer) {
  auto findings = exports::CrawlFindings::open(options.findings, crawl);
  if (!findings) return fail(std::move(findings).error());
  auto results = terminal::LineOutput::open(options.results_file);
  if (!results) return fail(std::move(results).error());
  auto names = content::extracted_names(crawl.extract);
  if (!names) return fail(std::move(names).error());
  std::unique_ptr<CrawlOutput> output(new CrawlOutput(
      crawler::RecordFormat(options.format, options.fields,
                            {.extracted = std::move(*names),
                             .has_metadata = crawl.keeps_metadata,
                             .has_rendering = crawl.renders != crawler::RenderMode::never,
                             .has_items = !crawl.items.empty()}),
      std::move(*results), std::move(*findings), std::move(observer)));
  if (options.skipped_file.empty()) return output;
  auto skipped = terminal::LineOutput::open(options.skipped_file);
  if (!skipped) return fail(std::move(skipped).error());
  output->skipped_ = std::move(*skipped);
  return output;
}

CrawlOutput::CrawlOutput(crawler::RecordFormat format,
                         std::unique_ptr<terminal::LineOutput> results,
                         std::unique_ptr<exports::CrawlFindings> findings, RecordObserver observer)
    : format_(std::move(format)),
      results_(std::move(results)),
      findings_(std::move(findings)),
      observer_(std::move(observer)),
      worst_(kOk) {
  if (const auto header = format_.header()) results_->add(*header);
}

async::Task<Result<void>> CrawlOutput::put(crawler::Page page) {
  const crawler::FetchRecord& record = page.record;
  worst_ = worse(worst_, exit_code_for(record));
  LOG(debug, "{}", crawler::to_text(record));
  if (observer_) observer_(record);
  if (display_ != nullptr) display_->note(record);
  troubles_.add(record);
  if (findings_) findings_->add(record);
  for (const std::string& line : format_.lines(record)) results_->add(line);
  if (auto room = co_await results_->room(); !room || !skipped_) co_return room;
  co_return co_await skipped_->room();
}

void CrawlOutput::skip(const crawler::SkippedUrl& skipped) {
  LOG(debug, "skipped: {} {}", crawler::name(skipped.reason), skipped.url);
  // The user expects every root to be fetched, so a skipped one is an error.
  if (skipped.via.empty() && skipped.depth == 0) worst_ = worse(worst_, kFailed);
  troubles_.add(skipped);
  if (findings_) findings_->skip(skipped);
  if (skipped_) skipped_->add(crawler::to_json(skipped));
}

void CrawlOutput::start(async::Scope& scope, std::move_only_function<void()> on_failure) {
  on_failure_ = std::move(on_failure);
  for (terminal::LineOutput* const output : {results_.get(), skipped_.get()}) {
    if (output == nullptr) continue;
    output->on_failure([this] { on_failure_(); });
    scope.spawn(output->run());
  }
}

async::Task<Result<void>> CrawlOutput::finish() {
  auto finished = co_await results_->finish();
  if (!skipped_) co_return finished;
  auto others = co_await skipped_->finish();
  co_return finished ? std::move(others) : std::move(finished);
}

void CrawlOutput::stand_beside(display::ProgressDisplay& display) {
  display_ = &display;
  if (!results_->is_terminal()) return;
  results_->around_writing([&display] { display.hide(); }, [&display] { display.show(); });
}

crawler::Hooks CrawlOutput::watched(crawler::Hooks hooks) {
  if (findings_) findings_->watch_links(hooks);
  return hooks;
}

}  // namespace gossamer::cli

#include "exports/crawl_findings.h"

#include <cstdint>
#include <utility>

#include "base/version.h"
#include "report/audit.h"
#include "run/machine/wall_clock.h"
#include "settings/random_salt.h"

namespace gossamer::exports {

CrawlFindings::CrawlFindings(const report::FindingsOptions& options, const crawler::Settings& crawl)
    : occasion_({.roots = {}, .version = base::kVersion, .started = run::wall_now()}),
      collector_(crawl.identity, run::random_salt(), occasion_.started, options.report_bytes),
      why_(crawl.identity) {
  for (const std::string& text : crawl.roots) {
    const auto root = crawler::parse_root(text);
    if (!root) continue;
    const auto stripped = report::without_credentials(*root);
    occasion_.roots.emplace_back((stripped ? *stripped : *root).without_fragment());
  }
  for (const url::Url& url : options.why) why_.ask(url);
}

Result<std::unique_ptr<CrawlFindings>> CrawlFindings::open(const report::FindingsOptions& options,
                                                           const crawler::Settings& crawl) {
  if (!options.is_wanted()) return nullptr;
  std::unique_ptr<CrawlFindings> findings(new CrawlFindings(options, crawl));
  for (const std::string& path : options.report_files) {
    auto file = store::WholeFile::open(path);
    if (!file) return fail(std::move(file).error());
    findings->files_.push_back(std::move(*file));
  }
  if (!options.audit_file.empty()) {
    auto file = store::WholeFile::open(options.audit_file);
    if (!file) return fail(std::move(file).error());
    findings->audit_file_.emplace(std::move(*file));
  }
  return findings;
}

void CrawlFindings::add(const crawler::FetchRecord& record) {
  const std::scoped_lock lock(mutex_);
  collector_.add(record);
  why_.add(record);
}

void CrawlFindings::skip(const crawler::SkippedUrl& skipped) {
  const std::scoped_lock lock(mutex_);
  collector_.skip(skipped);
  why_.skip(skipped);
}

void CrawlFindings::see_link(const crawler::FoundLink& link) {
  const std::scoped_lock lock(mutex_);
  collector_.see_link(link);
  why_.see_link(link);
}

void CrawlFindings::watch_links(crawler::Hooks& hooks) {
  hooks.see_link = [this](const crawler::FoundLink& link) { see_link(link); };
}

std::string CrawlFindings::answers() {
  const std::scoped_lock lock(mutex_);
  return why_.is_empty() ? std::string() : why_.answers(collector_.graph());
}

Result<void> CrawlFindings::write_audit() {
  if (!audit_file_) return {};
  constexpr std::size_t kBlockBytes = 64 * 1024;
  const bool is_csv = audit_file_->path().ends_with(".csv");
  std::string lines = is_csv ? std::string(report::kAuditCsvHeader) + "\n" : std::string();
  Result<void> written;
  collector_.for_each_fault([&](const report::AuditFinding& finding) {
    lines.append(is_csv ? report::to_csv(finding) : report::to_json(finding)).push_back('\n');
    if (lines.size() < kBlockBytes) return true;
    written = audit_file_->append(std::exchange(lines, {}));
    return written.has_value();
  });
  return written ? audit_file_->write(lines) : std::move(written);
}

Result<void> CrawlFindings::write_reports(crawler::EndReason end, Duration took,
                                          const crawler::Statistics& statistics) {
  const std::scoped_lock lock(mutex_);
  Result<void> written = write_audit();
  if (files_.empty()) return written;
  occasion_.end = end;
  occasion_.took = took;
  const report::Report report = std::move(collector_).finish(occasion_, statistics);
  for (store::WholeFile& file : files_) {
    auto one = file.write(report::writer_for(file.path())(report));
    if (!one && written) written = std::move(one);
  }
  return written;
}

}  // namespace gossamer::exports

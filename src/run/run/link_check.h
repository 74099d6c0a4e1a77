// A check for broken links, on sites and in files.
//
//   gossamer::CheckSettings settings("https://example.com/");
//   const auto result = gossamer::check_links(std::move(settings));
//   if (result) for (const auto& finding : result->findings.all) ...
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "check/answer_cache.h"
#include "check/findings.h"
#include "check/link_book.h"
#include "check/page_checker.h"
#include "check/reader.h"
#include "record/page_sink.h"
#include "record/statistics.h"
#include "run/failure.h"
#include "settings/check_settings.h"

namespace gossamer::run {

struct CheckResult {
  check::Findings findings;
  crawler::EndReason end = crawler::EndReason::finished;
  bool has_included_page = true;  // false: no page matches the patterns to include
};

// The parts of a check, for those that run its crawl themselves.
class LinkChecker {
 public:
  // REQUIRES: complete() has checked the settings.
  explicit LinkChecker(CheckSettings settings);
  ~LinkChecker();
  LinkChecker(const LinkChecker&) = delete;
  LinkChecker& operator=(const LinkChecker&) = delete;

  // Reads the cache and checks the files. Call it first. Fails if a file cannot be read, and with
  // Errc::cancelled soon after a request to stop.
  Result<void> begin(const std::stop_token& stop = {});
  // The lines of the cache that cannot be read.
  std::size_t bad_cache_lines() const noexcept { return cache_.bad_lines(); }
  // Whether there is something to fetch: then run a crawl with these settings and this sink.
  bool needs_crawl() const noexcept;
  CrawlSettings crawl_settings();
  crawler::PageSink& sink() noexcept;
  // The result, with the reason for which the crawl ended. Call it once.
  CheckResult end(crawler::EndReason reason);
  // The responses for the next check.
  std::string cache_text() const { return cache_.to_text(); }

 private:
  class AuditSink;

  CheckSettings settings_;
  const Instant started_;
  const bool has_roots_;
  check::LinkBook book_;
  check::AnswerCache cache_;
  std::vector<std::string> web_links_;
  std::optional<check::PageChecker> checker_;
  std::unique_ptr<AuditSink> audit_;  // nullptr: pages are not audited
};

// A check on its own thread. The destructor stops it and waits for its end.
class LinkCheck {
 public:
  // `on_end` is called once, on that thread. REQUIRES: complete() has checked the settings.
  explicit LinkCheck(CheckSettings settings, std::move_only_function<void()> on_end = {});
  ~LinkCheck();
  LinkCheck(const LinkCheck&) = delete;
  LinkCheck& operator=(const LinkCheck&) = delete;

  // Sends no more requests. Any thread.
  void stop();
  // Waits for the end. Call it once.
  Outcome<CheckResult> result();

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

// Checks all links and waits for the result.
Outcome<CheckResult> check_links(CheckSettings settings);

}  // namespace gossamer::run

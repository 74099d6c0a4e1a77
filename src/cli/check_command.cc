#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "async/loop.h"
#include "async/monotonic.h"
#include "base/figures.h"
#include "base/log.h"
#include "check/answer_cache.h"
#include "check/checked_files.h"
#include "check/formats.h"
#include "check/link_book.h"
#include "cli/check_arguments.h"
#include "cli/check_session.h"
#include "cli/commands.h"
#include "cli/crawl_session.h"
#include "crawl/scope/url_pattern.h"
#include "report/phrases.h"
#include "run/wall_clock.h"
#include "store/whole_file.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

base::LogLevel check_log_level(const CrawlArguments& arguments) {
  if (arguments.verbosity >= 2) return base::LogLevel::debug;
  return arguments.verbosity == 1 ? base::LogLevel::info : base::LogLevel::error;
}

check::AnswerCache read_cache(const CheckArguments& arguments) {
  std::ifstream file(arguments.cache_file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  check::AnswerCache cache =
      check::AnswerCache::parse(text, run::wall_now(), arguments.cache_age_max);
  if (cache.bad_lines() > 0) {
    const std::string where =
        fmt::format("{}: ignored {} that cannot be read", arguments.cache_file,
                    base::counted(cache.bad_lines(), "line"));
    static_cast<void>(check_failed(where));
  }
  return cache;
}

std::string in_format(const check::Findings& findings, const CheckArguments& arguments,
                      bool shows_unchecked) {
  switch (arguments.format) {
    case CheckFormat::text: return check::to_text(findings, shows_unchecked);
    case CheckFormat::json: return check::to_json(findings);
    case CheckFormat::junit: return check::to_junit(findings);
    case CheckFormat::sarif: return check::to_sarif(findings);
    case CheckFormat::markdown: return check::to_markdown(findings);
  }
  return {};
}

// One check, from the files to the result.
class Check {
 public:
  explicit Check(CheckArguments arguments)
      : arguments_(std::move(arguments)), book_(arguments_.crawl.crawl.identity) {}

  int run();

 private:
  Result<void> open_files();
  Result<void> check_files();
  Result<void> check_web();
  int conclude();

  bool needs_web() const { return !arguments_.crawl.crawl.roots.empty() || !web_links_.empty(); }

  CheckArguments arguments_;
  check::LinkBook book_;
  check::AnswerCache cache_;
  std::optional<store::WholeFile> output_;
  std::optional<store::WholeFile> cache_output_;
  std::vector<std::string> web_links_;
  WebCheck web_;
  const std::uint64_t verbosity_ = arguments_.crawl.verbosity;
  const Instant started_ = async::monotonic_now();
};

int Check::run() {
  if (auto opened = open_files(); !opened) return check_failed(opened.error().detail());
  if (auto checked = check_files(); !checked) return check_failed(checked.error().detail());
  if (needs_web()) {
    if (auto checked = check_web(); !checked) return check_failed(checked.error().message());
  }
  return conclude();
}

// Opens the output files first, so that an unwritable file is an error before the work starts.
Result<void> Check::open_files() {
  if (!arguments_.output_file.empty() && arguments_.output_file != "-") {
    auto file = store::WholeFile::open(arguments_.output_file);
    if (!file) return fail(std::move(file).error());
    output_.emplace(std::move(*file));
  }
  if (arguments_.cache_file.empty()) return {};
  cache_ = read_cache(arguments_);
  auto file = store::WholeFile::open(arguments_.cache_file);
  if (!file) return fail(std::move(file).error());
  cache_output_.emplace(std::move(*file));
  return {};
}

Result<void> Check::check_files() {
  auto excluded = crawler::UrlPatterns::compile(arguments_.crawl.crawl.scope.exclude);
  if (!excluded) return fail(std::move(excluded).error());
  check::CheckedFiles files(arguments_.file_rules, *excluded, book_);
  for (const std::string& path : arguments_.files) {
    if (auto taken = files.take(path); !taken) return taken;
  }
  files.look_for_targets();
  web_links_ = files.web_links();
  return {};
}

Result<void> Check::check_web() {
  auto driver = prepare_driver(arguments_.crawl);
  if (!driver) return fail(std::move(driver).error());
  async::Loop loop(std::move(*driver));
  auto checked =
      loop.run(run_check_session(loop, arguments_, std::move(web_links_), book_, cache_));
  if (!checked) return fail(std::move(checked).error());
  web_ = std::move(*checked);
  return {};
}

int Check::conclude() {
  const bool checks_fragments = arguments_.options.fragments != check::FragmentCheck::none;
  check::Findings findings = std::move(book_).close(checks_fragments);
  findings.sources = arguments_.sources;
  findings.from_cache = web_.from_cache;
  std::ranges::move(web_.faults, std::back_inserter(findings.all));
  if (web_.fault_count > 0) findings.counts[check::FindingKind::seo] = web_.fault_count;
  findings.took = async::monotonic_now() - started_;
  if (web_.end != crawler::EndReason::finished) findings.ended_early = report::name(web_.end);
  const std::string text = in_format(findings, arguments_, verbosity_ > 0);
  if (cache_output_) {
    if (auto written = cache_output_->write(cache_.to_text()); !written) {
      return check_failed(written.error().detail());
    }
  }
  if (output_) {
    if (auto written = output_->write(text); !written)
      return check_failed(written.error().detail());
    if (!arguments_.crawl.is_quiet) terminal::write_err(check::summary_of(findings));
  } else {
    terminal::standard_output().write(text);
  }
  const std::uint64_t faults =
      findings.errors() + (arguments_.fails_on_warnings ? findings.warnings() : 0);
  if (faults > arguments_.broken_max) return kBrokenLinks;
  if (findings.sources_unchecked > 0) return check_failed("some sources could not be checked");
  // An unchecked link may be broken, so CI must not see success.
  if (web_.end != crawler::EndReason::finished) {
    return check_failed(fmt::format("the check is incomplete: {}", report::describe(web_.end)));
  }
  if (!web_.has_included_page) return check_failed("no page of the site matches --include");
  return kAllWell;
}

int run_check(CheckArguments& arguments, const options::Table& table) {
  if (auto done = settle_check(table, arguments); !done) return check_failed(done.error().detail());
  base::set_log_level(check_log_level(arguments.crawl));
  base::set_log_clock(run::wall_now);
  return Check(std::move(arguments)).run();
}

constexpr Command make_check_command() {
  Command command = command_of<declare_check, run_check>("check", "URL|FILE... [--format NAME]",
                                                         "find broken links on sites and in files");
  command.is_configurable = true;
  command.usage_code = kNotRun;
  command.configuration_code = kBadConfiguration;
  return command;
}

}  // namespace

constinit const Command check_command = make_check_command();

}  // namespace gossamer::cli

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "async/loop.h"
#include "base/figures.h"
#include "base/log.h"
#include "captures/collection.h"
#include "check/baseline.h"
#include "check/formats.h"
#include "cli/check_arguments.h"
#include "cli/check_session.h"
#include "cli/commands.h"
#include "cli/crawl_session.h"
#include "options/setting_names.h"
#include "report/phrases.h"
#include "run/link_check.h"
#include "run/machine/wall_clock.h"
#include "store/whole_file.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

base::LogLevel check_log_level(const CrawlArguments& arguments) {
  if (arguments.verbosity >= 2) return base::LogLevel::debug;
  return arguments.verbosity == 1 ? base::LogLevel::info : base::LogLevel::error;
}

std::string summary_in_flags(const check::Findings& findings) {
  return options::as_flags(check::summary_of(findings));
}

// The texts of links stay as they are: only the summary names settings.
std::string text_in_flags(const check::Findings& findings, bool shows_unchecked) {
  std::string text = check::to_text(findings, shows_unchecked);
  text.resize(text.size() - check::summary_of(findings).size());
  return text + summary_in_flags(findings);
}

std::string in_format(const check::Findings& findings, const CheckArguments& arguments,
                      bool shows_unchecked) {
  switch (arguments.format) {
    case CheckFormat::text: return text_in_flags(findings, shows_unchecked);
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
      : arguments_(std::move(arguments)),
        cache_file_(arguments_.check.cache_file),
        checker_(std::move(arguments_.check)) {}

  int run();

 private:
  Result<void> open_files();
  // A file that does not exist yet has no faults: the first check writes it.
  Result<void> read_baseline();
  // So that an archive that cannot be read is an error before the work starts.
  Result<void> open_archives();
  void suggest_copies(check::Findings& findings);
  Result<crawler::EndReason> crawl();
  // Prints the result and returns the exit code.
  int conclude(run::CheckResult result);
  std::uint64_t count_faults(const check::Findings& findings) const;

  CheckArguments arguments_;
  const std::string cache_file_;
  run::LinkChecker checker_;
  std::optional<check::Baseline> baseline_;
  std::unique_ptr<captures::Collection> archives_;  // nullptr: none
  std::optional<store::WholeFile> output_;
  std::optional<store::WholeFile> cache_output_;
  const std::uint64_t verbosity_ = arguments_.crawl.verbosity;
  const bool is_quiet_ = arguments_.crawl.is_quiet;
};

int Check::run() {
  if (auto opened = open_files(); !opened) return check_failed(opened.error().detail());
  if (auto read = read_baseline(); !read) return check_failed(read.error().detail());
  if (auto opened = open_archives(); !opened) return check_failed(opened.error().message());
  if (auto begun = checker_.begin(); !begun) return check_failed(begun.error().detail());
  if (checker_.bad_cache_lines() > 0) {
    static_cast<void>(check_failed(fmt::format("{}: ignored {} that cannot be read", cache_file_,
                                               base::counted(checker_.bad_cache_lines(), "line"))));
  }
  crawler::EndReason reason = crawler::EndReason::finished;
  if (checker_.needs_crawl()) {
    auto crawled = crawl();
    if (!crawled) return check_failed(crawled.error().message());
    reason = *crawled;
  }
  return conclude(checker_.end(reason));
}

// Opens the output files first, so that an unwritable file is an error before the work starts.
Result<void> Check::open_files() {
  if (!arguments_.output_file.empty() && arguments_.output_file != "-") {
    auto file = store::WholeFile::open(arguments_.output_file);
    if (!file) return fail(std::move(file).error());
    output_.emplace(std::move(*file));
  }
  if (cache_file_.empty()) return {};
  auto file = store::WholeFile::open(cache_file_);
  if (!file) return fail(std::move(file).error());
  cache_output_.emplace(std::move(*file));
  return {};
}

Result<void> Check::read_baseline() {
  const std::string& path = arguments_.baseline_file;
  if (path.empty()) return {};
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) {
    static_cast<void>(check_failed(path + " does not exist yet, so all faults are new"));
    baseline_.emplace();
    return {};
  }
  std::ifstream file(path, std::ios::binary);
  file.peek();  // a folder can be opened, but not read
  if (!file) return fail(Errc::io_failed, cannot_read(path));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto baseline = check::Baseline::parse(text);
  if (!baseline) {
    return fail(Errc::malformed,
                fmt::format("cannot use {} as baseline: {}", path, baseline.error().detail()));
  }
  baseline_.emplace(std::move(*baseline));
  return {};
}

Result<void> Check::open_archives() {
  if (arguments_.copies_in.empty()) return {};
  auto opened = captures::Collection::open(arguments_.copies_in);
  if (!opened) return fail(std::move(opened).error());
  archives_ = std::move(*opened);
  return {};
}

void Check::suggest_copies(check::Findings& findings) {
  if (!archives_) return check::suggest_copies(findings);
  archives_->update(true);
  const auto is_answered = [](const captures::Capture& one) { return one.status / 100 == 2; };
  archives_->read([&](const auto& archives, const captures::CaptureIndex& index) {
    for (const captures::ServedArchive& archive : archives) {
      if (!archive.failure.empty()) {
        static_cast<void>(check_failed(archive.failure));
      } else if (archive.captures == 0) {
        static_cast<void>(check_failed(archive.path + " has no archived pages"));
      }
    }
    check::suggest_copies(
        findings, [&](const std::string& url) -> std::optional<check::ArchivedCopy> {
          const auto found = index.captures_of(url, is_answered);
          if (found.empty()) return {};
          const captures::Capture& last = *found.back();
          return check::ArchivedCopy{.archive = archives[last.archive].path, .at = last.at};
        });
  });
}

Result<crawler::EndReason> Check::crawl() {
  arguments_.crawl.crawl = checker_.crawl_settings();
  auto driver = prepare_driver(arguments_.crawl);
  if (!driver) return fail(std::move(driver).error());
  async::Loop loop(std::move(*driver));
  return loop.run(run_check_session(loop, arguments_, checker_.sink()));
}

std::uint64_t Check::count_faults(const check::Findings& findings) const {
  const bool has_warnings = arguments_.fails_on_warnings;
  if (arguments_.fails_on_new) {
    return findings.new_errors() + (has_warnings ? findings.new_warnings() : 0);
  }
  return findings.errors() + (has_warnings ? findings.warnings() : 0);
}

int Check::conclude(run::CheckResult result) {
  if (baseline_) baseline_->mark(result.findings);
  if (arguments_.suggests_copies || archives_) suggest_copies(result.findings);
  const check::Findings& findings = result.findings;
  const std::string text = in_format(findings, arguments_, verbosity_ > 0);
  if (cache_output_) {
    if (auto written = cache_output_->write(checker_.cache_text()); !written) {
      return check_failed(written.error().detail());
    }
  }
  if (output_) {
    if (auto written = output_->write(text); !written)
      return check_failed(written.error().detail());
    if (!is_quiet_) terminal::write_err(summary_in_flags(findings));
  } else {
    terminal::standard_output().write(text);
  }
  if (count_faults(findings) > arguments_.broken_max) return kBrokenLinks;
  if (findings.sources_unchecked > 0) return check_failed("some sources could not be checked");
  // An unchecked link may be broken, so CI must not see success.
  if (result.end != crawler::EndReason::finished) {
    return check_failed(fmt::format("the check is incomplete: {}", report::describe(result.end)));
  }
  if (!result.has_included_page) return check_failed("no page of the site matches --include");
  return kAllWell;
}

int run_check(CheckArguments& arguments, const options::Table& table) {
  if (auto done = settings::complete_check(table, arguments); !done)
    return check_failed(done.error().detail());
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

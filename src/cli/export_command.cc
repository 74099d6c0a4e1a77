#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/escape.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/job_commands.h"
#include "cli/kept_crawl.h"
#include "cli/mirror_export.h"
#include "cli/sqlite_export.h"
#include "cli/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kExportCommand = "export";

struct FileCloser {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

// The records of the pages, as the crawl itself writes them. Fails with Errc::io_failed.
Result<void> export_records(const KeptCrawl& kept, const std::string& path) {
  if (path == "-") {
    return kept.for_each_page(
        [](const crawl::FetchRecord& record) { return print_out("{}\n", crawl::to_json(record)); });
  }
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "we"));
  if (!file) return fail(Error::from_errno(errno, path));
  auto read = kept.for_each_page([&file](const crawl::FetchRecord& record) {
    const std::string line = crawl::to_json(record) + "\n";
    return std::fwrite(line.data(), 1, line.size(), file.get()) == line.size();
  });
  if (!read) return read;
  if (std::fflush(file.get()) != 0 || std::ferror(file.get()) != 0) {
    return fail(Error::from_errno(errno, path));
  }
  return {};
}

// What is missing in a database that was written.
int tell_unread(const SqliteSummary& summary) {
  if (summary.unread == 0) return kOk;
  static_cast<void>(usage_error(
      kExportCommand, base::escape_for_terminal(fmt::format(
                          "the links of {} pages are missing, since the archive has them not: {}",
                          summary.unread, summary.first_unread))));
  return kFailed;
}

}  // namespace

int run_export_command(const std::vector<std::string>& words) {
  std::string folder;
  std::string records;
  std::string mirror;
  std::string database;
  Arguments arguments(kExportCommand, "Make other things of what a crawl directory holds.");
  arguments.positional("DIR", folder, "the crawl directory");
  arguments.option("--jsonl", records, "FILE", "a line for each page, as of `gossamer crawl`");
  arguments.option("--mirror", mirror, "OUT",
                   "a copy to browse without a network, in a new folder");
  arguments.option("--sqlite", database, "FILE",
                   "a database: pages, links, skips, hosts; in a new file");
  if (const auto exit_code = arguments.parse(words)) return *exit_code;
  if (records.empty() && mirror.empty() && database.empty()) {
    return usage_error(kExportCommand,
                       "say what to make of it: --jsonl FILE, --mirror OUT, --sqlite FILE");
  }
  const auto kept = KeptCrawl::open(folder);
  if (!kept) return usage_error(kExportCommand, kept.error().detail());
  Result<void> done;
  int exit_code = kOk;
  if (!records.empty()) done = export_records(*kept, records);
  if (done && !database.empty()) {
    auto exported = export_sqlite(*kept, database);
    if (exported) {
      exit_code = tell_unread(*exported);
    } else {
      done = fail(std::move(exported).error());
    }
  }
  if (!done) {
    const bool is_used = done.error() == Errc::exists;
    const int failure =
        usage_error(kExportCommand, is_used ? done.error().detail() : done.error().to_string());
    return is_used ? failure : kFileFailed;
  }
  if (mirror.empty()) return exit_code;
  return std::max(exit_code, export_mirror(*kept, mirror));
}

}  // namespace gossamer::cli

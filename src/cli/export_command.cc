#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/escape.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/job_commands.h"
#include "cli/standard_output.h"
#include "exports/mirror_export.h"
#include "exports/sqlite_export.h"
#include "store/kept_crawl.h"
#include "store/whole_file.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kExportCommand = "export";

// The records of the pages, as the crawl itself writes them. Fails with Errc::io_failed.
Result<void> export_records(const store::KeptCrawl& kept, const std::string& path) {
  if (path == "-") {
    return kept.for_each_page([](const crawler::FetchRecord& record) {
      return print_out("{}\n", crawler::to_json(record));
    });
  }
  auto file = store::WholeFile::open(path);
  if (!file) return fail(std::move(file).error());
  constexpr std::size_t kBlockBytes = 64 * 1024;
  std::string lines;
  Result<void> written;
  auto read = kept.for_each_page([&](const crawler::FetchRecord& record) {
    lines.append(crawler::to_json(record)).push_back('\n');
    if (lines.size() < kBlockBytes) return true;
    written = file->append(std::exchange(lines, {}));
    return written.has_value();
  });
  if (!read || !written) return read ? std::move(written) : std::move(read);
  return file->write(lines);
}

// What is missing in a database that was written.
int tell_unread(const exports::SqliteSummary& summary) {
  if (summary.unread == 0) return kOk;
  static_cast<void>(usage_error(
      kExportCommand, base::escape_for_terminal(fmt::format(
                          "the links of {} pages are missing, since the archive has them not: {}",
                          summary.unread, summary.first_unread))));
  return kFailed;
}

}  // namespace

int write_mirror(std::string_view command, const store::KeptCrawl& kept, const std::string& folder,
                 const std::string& shown_folder) {
  const auto complain = [command](std::string_view text) {
    return usage_error(command, base::escape_for_terminal(text));
  };
  const auto copied = exports::export_mirror(
      kept, folder, [&](std::string_view fault) { static_cast<void>(complain(fault)); });
  if (!copied) {
    const int exit_code = complain(copied.error().detail());
    if (copied.error() == Errc::exists) return exit_code;
    return copied.error() == Errc::not_found ? kFailed : kFileFailed;
  }
  for (const std::string& root : copied->roots) print_out("{}/{}\n", shown_folder, root);
  return copied->faults > 0 ? kFailed : kOk;
}

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
  const auto kept = store::KeptCrawl::open(folder);
  if (!kept) return job_error(kExportCommand, kept.error());
  Result<void> done;
  int exit_code = kOk;
  if (!records.empty()) done = export_records(*kept, records);
  if (done && !database.empty()) {
    auto exported = exports::export_sqlite(*kept, database);
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
  return std::max(exit_code, write_mirror(kExportCommand, *kept, mirror, mirror));
}

}  // namespace gossamer::cli

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/escape.h"
#include "cli/commands.h"
#include "cli/export_outputs.h"
#include "cli/mirror_files.h"
#include "exports/markdown_export.h"
#include "exports/mirror_export.h"
#include "exports/sqlite_export.h"
#include "store/stored_crawl.h"
#include "store/whole_file.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kExportCommand = "job export";

}  // namespace

int tell_archive_damage(std::string_view command, const store::StoredCrawl& kept) {
  for (const std::string& damage : kept.archive_damage()) {
    static_cast<void>(usage_error(command, base::escape_for_terminal(damage)));
  }
  return kept.archive_damage().empty() ? kOk : kFailed;
}

namespace {

// Writes the records of the pages as the crawl does. Fails with Errc::io_failed.
Result<void> export_records(const store::StoredCrawl& kept, const std::string& path) {
  if (path == "-") {
    return kept.for_each_page([](const crawler::FetchRecord& record) {
      return terminal::print_out("{}\n", crawler::to_json(record));
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

// Warns about links that the written database lacks.
int tell_unread(std::string_view command, const store::StoredCrawl& kept,
                const exports::SqliteSummary& summary) {
  const int damage = tell_archive_damage(command, kept);
  if (summary.unread == 0) return damage;
  static_cast<void>(usage_error(
      command, base::escape_for_terminal(fmt::format(
                   "the links of {} pages are missing, since the archive lacks them: {}",
                   summary.unread, summary.first_unread))));
  return kFailed;
}

// Sets the exit code if pages are missing.
Result<void> write_markdown(std::string_view command, const store::StoredCrawl& kept,
                            const std::string& folder, int& exit_code) {
  auto exported = exports::export_markdown(kept, folder, [command](std::string_view fault) {
    static_cast<void>(usage_error(command, base::escape_for_terminal(fault)));
  });
  if (!exported) return fail(std::move(exported).error());
  exit_code = std::max(exit_code, tell_archive_damage(command, kept));
  if (exported->faults > 0) exit_code = kFailed;
  terminal::print_out("{} files in {}; {} pages have no text\n", exported->files,
                      base::escape_for_terminal(folder), exported->empty);
  return {};
}

}  // namespace

int write_mirror(std::string_view command, const store::StoredCrawl& kept,
                 const std::string& folder, const std::string& shown_folder) {
  const auto complain = [command](std::string_view text) {
    return usage_error(command, base::escape_for_terminal(text));
  };
  const int damage = tell_archive_damage(command, kept);
  const auto copied = exports::export_mirror(
      kept, folder, [&](std::string_view fault) { static_cast<void>(complain(fault)); });
  if (!copied) {
    const int exit_code = complain(copied.error().detail());
    if (copied.error() == Errc::exists) return exit_code;
    if (copied.error() == Errc::malformed) return kDamaged;
    return copied.error() == Errc::not_found ? kFailed : kFileFailed;
  }
  for (const std::string& root : copied->roots) {
    if (!shown_folder.empty()) terminal::print_out("{}/{}\n", shown_folder, root);
  }
  return copied->faults > 0 ? int{kFailed} : damage;
}

bool ExportOutputs::empty() const {
  return records.empty() && mirror.empty() && database.empty() && markdown.empty();
}

void declare_outputs(options::Table& table, ExportOutputs& outputs) {
  table.option("--jsonl", options::file(outputs.records),
               "write one line per page, as `gossamer crawl` does");
  table.option("--mirror", options::text(outputs.mirror, "OUT"),
               "write an offline copy of the pages to a new folder");
  table.option("--markdown", options::text(outputs.markdown, "OUT"),
               "write the main text of each page to a new folder, as Markdown");
  table.option("--sqlite", options::file(outputs.database),
               "write pages, links, skips and hosts to a new database");
}

int export_job(std::string_view command, const std::string& folder, const ExportOutputs& outputs) {
  const auto kept = store::StoredCrawl::open(folder);
  if (!kept) return job_error(command, kept.error());
  Result<void> done;
  int exit_code = kOk;
  if (!outputs.records.empty()) done = export_records(*kept, outputs.records);
  if (done && !outputs.database.empty()) {
    auto exported = exports::export_sqlite(*kept, outputs.database);
    if (exported) {
      exit_code = tell_unread(command, *kept, *exported);
    } else {
      done = fail(std::move(exported).error());
    }
  }
  if (done && !outputs.markdown.empty()) {
    done = write_markdown(command, *kept, outputs.markdown, exit_code);
  }
  if (!done) {
    const int failure = job_error(command, done.error());
    const bool is_used = done.error() == Errc::exists;
    return is_used || failure == kDamaged ? failure : kFileFailed;
  }
  if (outputs.mirror.empty()) return exit_code;
  return std::max(exit_code, write_mirror(command, *kept, outputs.mirror, outputs.mirror));
}

namespace {

struct ExportSettings {
  std::string folder;
  ExportOutputs outputs;
};

void declare_export(options::Table& table, ExportSettings& settings) {
  table.summary("Export the contents of a crawl directory.");
  table.word(options::folder(settings.folder), "the crawl directory");
  declare_outputs(table, settings.outputs);
}

int run_export(ExportSettings& settings) {
  if (settings.outputs.empty()) {
    return usage_error(
        kExportCommand,
        "nothing to export; use --jsonl FILE, --markdown OUT, --mirror OUT or --sqlite FILE");
  }
  return export_job(kExportCommand, settings.folder, settings.outputs);
}

}  // namespace

constinit const Command export_command = command_of<declare_export, run_export>(
    kExportCommand, "DIR --jsonl FILE",
    "write JSON lines, Markdown, a database or an offline copy");

}  // namespace gossamer::cli

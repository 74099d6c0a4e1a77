#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/escape.h"
#include "cli/commands.h"
#include "cli/export_outputs.h"
#include "cli/mirror_files.h"
#include "exports/archived_fields.h"
#include "exports/markdown_export.h"
#include "exports/mirror_export.h"
#include "exports/sqlite_export.h"
#include "settings/crawl_output_arguments.h"
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

// Warns about pages without the links or headers that were selected.
int tell_missing(std::string_view command, std::uint64_t missing, const std::string& first) {
  if (missing == 0) return kOk;
  static_cast<void>(usage_error(
      command,
      base::escape_for_terminal(fmt::format(
          "the links and headers of {} pages are missing, since the archive lacks them: {}",
          missing, first))));
  return kFailed;
}

// Writes the records of the pages as the crawl does. Fails with Errc::io_failed.
Result<void> export_records(const store::StoredCrawl& kept, const std::string& path,
                            const crawler::FieldChoice& fields, exports::ArchivedFields& archived) {
  const auto line_of = [&](const crawler::FetchRecord& record) {
    return fields.empty() ? crawler::to_json(record)
                          : crawler::to_json(archived.complete(record), fields);
  };
  if (path == "-") {
    return kept.for_each_page([&](const crawler::FetchRecord& record) {
      return terminal::print_out("{}\n", line_of(record));
    });
  }
  auto file = store::WholeFile::open(path);
  if (!file) return fail(std::move(file).error());
  constexpr std::size_t kBlockBytes = 64 * 1024;
  std::string lines;
  Result<void> written;
  auto read = kept.for_each_page([&](const crawler::FetchRecord& record) {
    lines.append(line_of(record)).push_back('\n');
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
  if (summary.lacks_archive) {
    static_cast<void>(
        usage_error(command, "the table links is empty, since the crawl has no archive"));
  }
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
  table.option("jsonl", options::file(outputs.records),
               "write one line per page, as `gossamer crawl` does");
  table.option("mirror", options::text(outputs.mirror, "OUT"),
               "write an offline copy of the pages to a new folder");
  table.option("markdown", options::text(outputs.markdown, "OUT"),
               "write the main text of each page to a new folder, as Markdown");
  table.option("sqlite", options::file(outputs.database),
               "write pages, links, skips and hosts to a new database");
  table.repeated("fields", settings::fields_value(outputs.fields),
                 "write only these fields to --jsonl and --sqlite: url,status,links");
}

namespace {

// Main texts are all that crawl directories do not store.
std::string about_unstored_field(const crawler::ChosenField& chosen) {
  return fmt::format("--fields {}: crawl directories do not store it; use --markdown",
                     chosen.name());
}

}  // namespace

std::string fault_of_fields(const ExportOutputs& outputs) {
  if (outputs.fields.empty()) return {};
  if (outputs.records.empty() && outputs.database.empty()) {
    return "--fields requires --jsonl or --sqlite";
  }
  bool has_url = false;
  for (const crawler::ChosenField& chosen : outputs.fields) {
    has_url = has_url || chosen.field->name == "url";
    if (chosen.field->use == crawler::FieldUse::unstored) return about_unstored_field(chosen);
  }
  return has_url || outputs.database.empty() ? "" : "--sqlite requires the field url";
}

int export_job(std::string_view command, const std::string& folder, const ExportOutputs& outputs) {
  const auto kept = store::StoredCrawl::open(folder);
  if (!kept) return job_error(command, kept.error());
  Result<void> done;
  int exit_code = kOk;
  if (!outputs.records.empty()) {
    const crawler::FieldChoice fields = crawler::with_unique_keys(outputs.fields);
    exports::ArchivedFields archived(kept->folder(), fields);
    done = export_records(*kept, outputs.records, fields, archived);
    exit_code = tell_missing(command, archived.missing(), archived.first_missing());
  }
  if (done && !outputs.database.empty()) {
    auto exported = exports::export_sqlite(*kept, outputs.database, outputs.fields);
    if (exported) {
      exit_code = std::max({exit_code, tell_unread(command, *kept, *exported),
                            tell_missing(command, exported->missing, exported->first_missing)});
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
  if (const std::string fault = fault_of_fields(settings.outputs); !fault.empty()) {
    return usage_error(kExportCommand, fault);
  }
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

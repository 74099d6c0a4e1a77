#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/escape.h"
#include "base/figures.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/export_outputs.h"
#include "record/outcome.h"
#include "report/summary.h"
#include "store/stored_crawl.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kStatusCommand = "job status";

struct ArchiveSize {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

ArchiveSize archive_size(const store::JobFolder& folder) {
  ArchiveSize size;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder.archive(), error)) {
    if (!entry.is_regular_file(error)) continue;
    ++size.files;
    size.bytes += entry.file_size(error);
  }
  return size;
}

int print_status(const store::StoredCrawl& kept, bool is_json) {
  const auto statistics = kept.statistics();
  const auto waiting = kept.waiting();
  if (!statistics || !waiting) {
    const Error& error = statistics ? waiting.error() : statistics.error();
    return job_error(kStatusCommand, error);
  }
  const ArchiveSize archive = archive_size(kept.folder());
  if (is_json) {
    terminal::print_out("{}\n", base::JsonLine()
                                    .text("state", kept.state())
                                    .number("pages", statistics->pages)
                                    .number("waiting", *waiting)
                                    .number("answered", statistics->answered)
                                    .number("failed", statistics->count(crawler::Outcome::error))
                                    .number("bytes", statistics->bytes)
                                    .number("wire_bytes", statistics->wire_bytes)
                                    .number("archive_files", archive.files)
                                    .number("archive_bytes", archive.bytes)
                                    .finish());
    return kOk;
  }
  terminal::print_out(
      "{}: {}, {} fetched, {} queued, {} in {}\n", base::escape_for_terminal(kept.folder().path()),
      kept.state(), base::counted(statistics->pages, "URL"), base::grouped(*waiting),
      base::byte_count(archive.bytes), base::counted(archive.files, "archive file"));
  terminal::print_out("{}", report::count_lines(*statistics));
  return kOk;
}

struct StatusSettings {
  std::string folder;
  bool is_json = false;
};

void declare_status(options::Table& table, StatusSettings& settings) {
  table.summary("Show the progress of a crawl directory.");
  table.word(options::folder(settings.folder), "the crawl directory");
  table.flag("json", settings.is_json, "print one JSON object");
}

int run_status(StatusSettings& settings) {
  const auto kept = store::StoredCrawl::open(settings.folder);
  if (!kept) return job_error(kStatusCommand, kept.error());
  const int exit_code = print_status(*kept, settings.is_json);
  return std::max(exit_code, tell_archive_damage(kStatusCommand, *kept));
}

}  // namespace

constinit const Command status_command = command_of<declare_status, run_status>(
    kStatusCommand, "DIR [--json]", "show the progress of a crawl");

}  // namespace gossamer::cli

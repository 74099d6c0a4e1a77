#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/escape.h"
#include "base/json.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/crawl_report.h"
#include "cli/job_commands.h"
#include "cli/standard_output.h"
#include "store/kept_crawl.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kStatusCommand = "status";

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

int print_status(const store::KeptCrawl& kept, bool is_json) {
  const auto statistics = kept.statistics();
  const auto waiting = kept.waiting();
  if (!statistics || !waiting) {
    const Error& error = statistics ? waiting.error() : statistics.error();
    static_cast<void>(usage_error(kStatusCommand, error.to_string()));
    return kFileFailed;
  }
  const ArchiveSize archive = archive_size(kept.folder());
  if (is_json) {
    print_out("{}\n", base::JsonLine()
                          .text("state", kept.state())
                          .number("pages", statistics->pages)
                          .number("waiting", *waiting)
                          .number("answered", statistics->answered)
                          .number("failed", statistics->failed)
                          .number("bytes", statistics->bytes)
                          .number("wire_bytes", statistics->wire_bytes)
                          .number("archive_files", archive.files)
                          .number("archive_bytes", archive.bytes)
                          .finish());
    return kOk;
  }
  print_out("{}: {}, {} pages, {} URLs wait, {} files of archive with {} bytes\n",
            base::escape_for_terminal(kept.folder().path()), kept.state(),
            grouped(statistics->pages), grouped(*waiting), grouped(archive.files),
            grouped(archive.bytes));
  print_out("{}", crawl_counts(*statistics));
  return kOk;
}

}  // namespace

int run_status_command(const std::vector<std::string>& words) {
  std::string folder;
  bool is_json = false;
  Arguments arguments(kStatusCommand, "Say how far the crawl of a directory has come.");
  arguments.positional("DIR", folder, "the crawl directory");
  arguments.flag("--json", is_json, "one JSON object");
  if (const auto exit_code = arguments.parse(words)) return *exit_code;
  const auto kept = store::KeptCrawl::open(folder);
  if (!kept) return job_error(kStatusCommand, kept.error());
  return print_status(*kept, is_json);
}

}  // namespace gossamer::cli

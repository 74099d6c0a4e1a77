#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/escape.h"
#include "cli/commands.h"
#include "index/archive_indexer.h"
#include "index/search_reader.h"
#include "index/search_writer.h"
#include "store/job_folder.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kIndexCommand = "index";

struct IndexArguments {
  std::vector<std::string> paths;
  std::string output;
  bool is_rebuilt = false;
  bool is_checked = false;
};

void declare_index(options::Table& table, IndexArguments& arguments) {
  table.summary(
      "Build or update the search index of a crawl directory or of any archives. Pages that are in "
      "the index already are skipped.");
  table.words(options::files(arguments.paths), "a crawl directory, or WARC, ARC or WACZ files");
  table.option("o,output", options::file(arguments.output), "write the index to FILE").unset =
      "search.db beside the archives";
  table.flag("rebuild", arguments.is_rebuilt,
             "build a new index; it replaces the old one when it is complete");
  table.flag("check", arguments.is_checked, "then compare the index with all texts in it");
  table.footer("Search it with `gossamer search`. Manual: docs/search.md");
}

int index_error(const Error& error) {
  static_cast<void>(usage_error(kIndexCommand, base::escape_for_terminal(error.message())));
  return error == Errc::exists || error == Errc::not_found ? int{kUsage} : int{kFileFailed};
}

std::string index_path(const IndexArguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  namespace fs = std::filesystem;
  const fs::path first = arguments.paths.front();
  std::error_code ignored;
  const fs::path folder = fs::is_directory(first, ignored) ? first : first.parent_path();
  return (folder / index::kIndexName).string();
}

void tell_fault(const std::string& file, const std::string& reason) {
  static_cast<void>(
      usage_error(kIndexCommand, base::escape_for_terminal(fmt::format("{}: {}", file, reason))));
}

// Names the damaged files of a crawl directory, which an archive that is cut between two records
// does not show. Returns their number.
std::uint64_t tell_damage_of(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return 0;
  const auto damage = store::find_damage(path);
  if (!damage) return 0;  // files that cannot be read are reported when they are
  for (const std::string& each : damage->archive) tell_fault(path, each);
  return damage->archive.size();
}

Result<index::IndexCounts> fill(index::SearchWriter& writer, const IndexArguments& arguments,
                                const std::vector<std::string>& archives) {
  auto counts = index::index_archives(writer, archives, {.on_fault = tell_fault});
  if (!counts) return counts;
  for (const std::string& path : arguments.paths) counts->faults += tell_damage_of(path);
  if (arguments.is_checked) {
    if (auto checked = writer.check(); !checked) return fail(std::move(checked).error());
  }
  std::error_code ignored;
  if (arguments.is_rebuilt && counts->unreadable > 0 &&
      std::filesystem::exists(writer.path(), ignored)) {
    return fail(Errc::io_failed,
                fmt::format("{} was not replaced, because {} archives could not be read",
                            writer.path(), counts->unreadable));
  }
  if (auto done = writer.publish(); !done) return fail(std::move(done).error());
  return counts;
}

int tell(const index::IndexCounts& counts, const IndexArguments& arguments,
         const std::string& path) {
  terminal::print_out("{}: {} pages added, {} were there already.\n",
                      base::escape_for_terminal(path), counts.added, counts.known);
  if (counts.unresolved > 0) {
    terminal::print_out("{} records refer to pages that are in none of these archives.\n",
                        counts.unresolved);
  }
  if (arguments.is_checked) terminal::print_out("The index agrees with all its texts.\n");
  return counts.faults == 0 ? kOk : kFailed;
}

struct BuiltIndex {
  index::IndexCounts counts;
  bool is_replaced = false;
  std::size_t archives = 0;
  std::size_t elsewhere = 0;  // archives of the replaced index that were not read
};

Result<BuiltIndex> build(const IndexArguments& arguments, const std::string& path,
                         std::vector<std::string> archives, bool is_damaged) {
  auto writer = arguments.is_rebuilt || is_damaged ? index::SearchWriter::create(path)
                                                   : index::SearchWriter::open(path);
  if (!writer) return fail(std::move(writer).error());
  BuiltIndex built = {.is_replaced = is_damaged || writer->was_rebuilt()};
  // With --rebuild, the user names all archives.
  if (built.is_replaced) {
    index::add_former_archives(*writer, archives);
    built.elsewhere = writer->former_archives().elsewhere;
  }
  built.archives = archives.size();
  auto counts = fill(*writer, arguments, archives);
  if (!counts) return fail(std::move(counts).error());
  built.counts = *counts;
  return built;
}

int run_index(IndexArguments& arguments) {
  std::vector<std::string> archives;
  for (const std::string& path : arguments.paths) {
    auto found = index::find_archives(path);
    if (!found) return index_error(found.error());
    archives.insert(archives.end(), found->begin(), found->end());
  }
  const std::string path = index_path(arguments);
  auto built = build(arguments, path, archives, false);
  if (!built && built.error() == Errc::malformed) {
    // The damage shows only now. Everything is in the archives, so the index is built again.
    built = build(arguments, path, archives, true);
  }
  if (!built) return index_error(built.error());
  if (built->is_replaced) {
    terminal::print_err(
        "gossamer index: {} was damaged or outdated, so it was built again from {} archives\n",
        base::escape_for_terminal(path), built->archives);
  }
  if (built->elsewhere > 0) {
    terminal::print_err(
        "gossamer index: {} of its archives are in other folders; name them to index them again\n",
        built->elsewhere);
  }
  return tell(built->counts, arguments, path);
}

}  // namespace

constinit const Command index_command = command_of<declare_index, run_index>(
    kIndexCommand, "DIR|FILE... [--rebuild]", "build the search index of a crawl or of archives");

}  // namespace gossamer::cli

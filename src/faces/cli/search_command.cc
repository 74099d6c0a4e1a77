#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/escape.h"
#include "cli/commands.h"
#include "cli/search_output.h"
#include "index/search_reader.h"
#include "terminal/live_lines.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kSearchCommand = "search";

constexpr std::string_view kSearchFooter =
    "A query has words and \"exact phrases\". Results that lack a word say so; quote a word to\n"
    "require it. Also: -word, begin*, title:word, url:word, site:example.com, type:pdf, lang:de,\n"
    "after:2025, before:2026-01.\n"
    "Put a query that begins with - after --. Manual: docs/search.md";

struct SearchArguments {
  std::string folder;
  std::vector<std::string> words;
  index::SearchOptions options;
  bool is_json = false;
  bool is_csv = false;
  bool has_all = false;
};

constexpr std::array<options::Choice<index::SearchSort>, 4> kSorts = {
    {{"relevance", index::SearchSort::relevance},
     {"newest", index::SearchSort::newest},
     {"oldest", index::SearchSort::oldest},
     {"url", index::SearchSort::url}}};

void declare_search(options::Table& table, SearchArguments& arguments) {
  table.summary("Search the pages of a crawl directory or of archives.");
  table.word(options::folder(arguments.folder), "the folder with search.db, or the index itself");
  table.optional_words(options::texts(arguments.words, "QUERY"),
                       "what to search for; without it, all pages");
  table.option("limit", options::count(arguments.options.limit, 1), "show at most N results");
  table.option("offset", options::count(arguments.options.offset), "skip the first N results");
  table.option("sort", options::choice(kSorts, arguments.options.sort), "order of the results");
  table.flag("all", arguments.has_all, "show every capture: do not fold duplicates");
  table.flag("facets", arguments.options.has_facets,
             "count results by site, type, year and language");
  table.flag("explain", arguments.options.explains, "show how each score came about");
  table.flag("json", arguments.is_json, "print one JSON object per result, then a summary");
  table.flag("csv", arguments.is_csv, "print the results as CSV");
  table.footer(kSearchFooter);
}

int search_error(const Error& error) {
  static_cast<void>(usage_error(kSearchCommand, base::escape_for_terminal(error.message())));
  if (error == Errc::invalid_argument || error == Errc::not_found) return kUsage;
  return error == Errc::timed_out ? int{kFailed} : int{kFileFailed};
}

Result<index::SearchReader> open_index(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  std::string file = is_folder ? (fs::path(path) / index::kIndexName).string() : path;
  if (!is_folder && fs::is_symlink(file, ignored)) file = fs::canonical(file, ignored).string();
  auto reader = index::SearchReader::open(file);
  if (reader) return reader;
  std::string what = fmt::format("there is no search index {}", file);
  if (reader.error() == Errc::unsupported) {
    what = fmt::format("another version of Gossamer wrote {}", file);
  } else if (reader.error() == Errc::malformed) {
    what = fmt::format("{} is damaged, or not a search index", file);
  } else if (reader.error() != Errc::not_found) {
    return reader;
  }
  return fail(reader.error().code(),
              fmt::format("{}; run `gossamer index {}`", what, is_folder ? path : "DIR"));
}

void print_text(const SearchArguments& arguments, const index::SearchResults& results) {
  const char* const no_color = std::getenv("NO_COLOR");
  const bool has_color =
      terminal::LiveLines::can_be_on(STDOUT_FILENO) && (no_color == nullptr || *no_color == '\0');
  std::size_t number = arguments.options.offset;
  for (const index::Hit& hit : results.hits) {
    if (!terminal::print_out("{}\n", to_lines(hit, ++number, has_color))) return;
  }
  if (!results.suggestion.empty()) {
    terminal::print_out("Did you mean: {}\n", base::escape_for_terminal(results.suggestion));
  }
  if (arguments.options.has_facets) terminal::standard_output().write(to_lines(results.facets));
  if (!results.ignored_words.empty()) {
    terminal::print_out(
        "Words on most pages, which only affect the order: {}\n",
        base::escape_for_terminal(fmt::format("{}", fmt::join(results.ignored_words, ", "))));
  }
  terminal::standard_output().write(count_line(results));
}

int run_search(SearchArguments& arguments) {
  if (arguments.is_json && arguments.is_csv) {
    return usage_error(kSearchCommand, "--json and --csv cannot be used together");
  }
  const std::string text = fmt::format("{}", fmt::join(arguments.words, " "));
  const auto query = index::parse_query(text);
  if (!query) return search_error(query.error());
  auto reader = open_index(arguments.folder);
  if (!reader) return search_error(reader.error());
  arguments.options.folds_duplicates = !arguments.has_all;
  const auto results = reader->search(*query, arguments.options);
  if (!results) return search_error(results.error());
  if (arguments.is_json) {
    for (const index::Hit& hit : results->hits) terminal::print_out("{}\n", to_json(hit));
    terminal::print_out("{}\n", to_json(*results, arguments.options.has_facets));
  } else if (arguments.is_csv) {
    terminal::print_out("{}\n", kHitCsvHeader);
    for (const index::Hit& hit : results->hits) terminal::print_out("{}\n", to_csv(hit));
  } else {
    print_text(arguments, *results);
  }
  return results->hits.empty() ? kFailed : kOk;
}

}  // namespace

constinit const Command search_command = command_of<declare_search, run_search>(
    kSearchCommand, "DIR QUERY [--json]", "search the pages of a crawl or of archives");

}  // namespace gossamer::cli

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/escape.h"
#include "cli/commands.h"
#include "cli/crawl_arguments.h"
#include "cli/mirror_files.h"
#include "cli/root_list.h"
#include "store/job_folder.h"
#include "store/stored_crawl.h"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMirrorCommand = "mirror";
constexpr std::string_view kCrawlFolder = ".crawl";  // the crawl directory of a mirror
constexpr std::string_view kNewFolder = ".new";      // a copy that is not complete
constexpr std::string_view kOldFolder = ".old";      // the copy that a new one replaced

struct MirrorSettings {
  std::string url;
  std::string folder;
  std::vector<std::string> options;

  std::string inside(std::string_view name) const { return folder + "/" + std::string(name); }
};

Error system_failure(const std::string& path, const std::error_code& error) {
  return Error::from_errno(error.value(), "cannot replace " + path);
}

// Returns the name of a copy's folder: "example.com", "localhost+8080".
std::string folder_for(const url::Url& url) {
  std::string name(url.hostname());
  if (!url.port().empty()) name += "+" + std::string(url.port());
  std::erase_if(name, [](char c) { return c == '[' || c == ']' || c == '/'; });
  return name;
}

// Accepts a mirror or a folder that may become one. Fails with Errc::exists.
Result<void> check_folder(const MirrorSettings& arguments) {
  std::error_code error;
  if (!fs::exists(arguments.folder, error) || fs::is_empty(arguments.folder, error)) return {};
  if (fs::exists(arguments.inside(kCrawlFolder), error)) return {};
  return fail(
      Errc::exists,
      arguments.folder + " contains files that are not a mirror; use an empty or a new folder");
}

// Runs the crawl: a new one, or a refresh of an existing mirror. Returns its exit code, or nothing
// if the options are wrong.
std::optional<int> crawl_for_mirror(const MirrorSettings& arguments, int& exit_code) {
  const std::string job = arguments.inside(kCrawlFolder);
  std::vector<std::string> words = {"--job", job, "--assets", arguments.url};
  std::error_code error;
  if (fs::exists(job + "/job.toml", error)) words.emplace_back("--refresh");
  words.insert(words.end(), arguments.options.begin(), arguments.options.end());
  CrawlArguments crawl;
  if (const auto stop = read_crawl_arguments(words, world_of_this_process(), crawl)) {
    return stop;
  }
  crawl.output.command = kMirrorCommand;
  if (crawl.output.results_file.empty()) crawl.output.format = crawler::CrawlFormat::none;
  exit_code = run_crawl(std::move(crawl));
  return std::nullopt;
}

// Replaces the folders of the old copy with those of the new one. After a crash between two of
// them, each folder is either old or new; the next run replaces them all.
Result<void> replace_copy(const MirrorSettings& arguments) {
  std::error_code error;
  const std::string old = arguments.inside(kOldFolder);
  fs::remove_all(old, error);
  fs::create_directory(old, error);
  if (error) return fail(system_failure(old, error));
  for (const auto& entry : fs::directory_iterator(arguments.inside(kNewFolder), error)) {
    const std::string name = entry.path().filename();
    const std::string place = arguments.inside(name);
    std::error_code failure;
    if (fs::exists(place, failure)) fs::rename(place, old + "/" + name, failure);
    if (!failure) fs::rename(entry.path(), place, failure);
    if (failure) return fail(system_failure(place, failure));
  }
  if (error) return fail(system_failure(arguments.inside(kNewFolder), error));
  fs::remove_all(old, error);
  fs::remove_all(arguments.inside(kNewFolder), error);
  return {};
}

int copy_out(const MirrorSettings& arguments) {
  const auto kept = store::StoredCrawl::open(arguments.inside(kCrawlFolder));
  if (!kept) return usage_error(kMirrorCommand, kept.error().detail());
  std::error_code error;
  fs::remove_all(arguments.inside(kNewFolder), error);
  const int exported =
      write_mirror(kMirrorCommand, *kept, arguments.inside(kNewFolder), arguments.folder);
  // Without a page there is no new copy, and the old one is kept.
  const bool has_copy = fs::exists(arguments.inside(kNewFolder), error);
  if (exported == kUsage || exported == kFileFailed || !has_copy) return exported;
  const auto replaced = replace_copy(arguments);
  if (replaced) return exported;
  static_cast<void>(
      usage_error(kMirrorCommand, base::escape_for_terminal(replaced.error().message())));
  return kFileFailed;
}

void declare_mirror(options::Table& table, MirrorSettings& settings) {
  table.summary(
      "Make or update an offline copy of a site: its pages with their images, style sheets and\n"
      "scripts. Links lead to the copied files.");
  table.word(options::text(settings.url, "URL"), "the site");
  table.optional_word(options::folder(settings.folder), "the folder for the copy").unset =
      "the host of the URL";
  table.rest(options::texts(settings.options, "OPTION"), "options of `gossamer crawl`");
  table.footer(
      "Run it again to update the copy: only pages that changed are transferred.\n"
      "Write options of `gossamer crawl` after --: gossamer mirror URL -- --depth 3 --delay 1s\n"
      "`gossamer job` reads the crawl in DIR/.crawl.");
}

int run_mirror(MirrorSettings& arguments) {
  const auto url = parse_typed_url(arguments.url);
  if (!url) return usage_error(kMirrorCommand, url.error().detail());
  if (arguments.folder.empty()) arguments.folder = folder_for(*url);
  if (auto usable = check_folder(arguments); !usable) {
    return usage_error(kMirrorCommand, usable.error().detail());
  }
  int crawled = kOk;
  if (const auto stop = crawl_for_mirror(arguments, crawled)) return *stop;
  // A crawl that failed to start or was interrupted leaves the copy unchanged.
  if (crawled == kUsage || crawled == kFileFailed || crawled > kServerError) return crawled;
  return worse(crawled, copy_out(arguments));
}

}  // namespace

constinit const Command mirror_command = command_of<declare_mirror, run_mirror>(
    kMirrorCommand, "URL [DIR] [-- OPTION...]", "make or update an offline copy of a site");

}  // namespace gossamer::cli

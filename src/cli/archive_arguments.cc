#include "cli/archive_arguments.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/number.h"
#include "cli/arguments.h"
#include "cli/crawl_arguments.h"
#include "wire/text.h"

namespace gossamer::cli {
namespace {

// "operator: Example Library"
std::string take_about(const std::string& text, std::vector<http::Field>& into) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (colon == std::string::npos || !wire::is_token(name)) {
    return "takes a line such as 'operator: Example Library', not '" + text + "'";
  }
  into.push_back({name, std::string(base::trimmed(std::string_view(text).substr(colon + 1), " "))});
  return {};
}

// People give the name of the file that they want.
std::string without_extension(std::string name) {
  for (const std::string_view extension : {".gz", ".warc"}) {
    if (name.ends_with(extension)) name.resize(name.size() - extension.size());
  }
  return name;
}

}  // namespace

void declare_archive(Arguments& declared, run::ArchiveSettings& archive) {
  declared.group("What it keeps");
  declared.option("--warc-file", archive.file, "NAME",
                  "archive all that is fetched in NAME-00001.warc.gz and so on");
  declared.option("--warc-max-size", taker_of_size(archive.max_size), "BYTES",
                  "of one of these files [1G]");
  declared.flag("--warc-cdx", archive.has_index, "write the index NAME.cdxj at the end");
  declared.flag("--warc-dedup", archive.drops_copies, "store what came before only once");
  declared.flag("--warc-metadata", archive.lists_links, "store the links of each page, too");
  declared.repeated(
      "--warc-header", [&archive](const std::string& t) { return take_about(t, archive.about); },
      "'NAME: TEXT'", "say so at the beginning of each file: operator, description");
  declared.flag("--wacz", archive.has_package,
                "put archives, index and list of pages into NAME.wacz at the end");
}

Result<void> settle_archive(CrawlArguments& arguments) {
  run::ArchiveSettings& archive = arguments.crawl.archive;
  const run::JobSettings& job = arguments.crawl.job;
  if (archive.max_size == 0) return fail(Errc::invalid_argument, "--warc-max-size is at least 1");
  if (archive.is_wanted()) {
    archive.file = without_extension(std::move(archive.file));
    if (archive.file.empty() || archive.file.ends_with('/')) {
      return fail(Errc::invalid_argument, "--warc-file takes the name of a file without .warc.gz");
    }
    return {};
  }
  const bool has_one_in_job = !job.folder.empty() && job.has_archive;
  const bool is_meant = archive.has_index || archive.has_package || archive.drops_copies ||
                        archive.lists_links || !archive.about.empty();
  if (has_one_in_job || !is_meant) return {};
  return fail(Errc::invalid_argument, "say with --warc-file NAME what the archive is called");
}

}  // namespace gossamer::cli

#include "settings/archive_arguments.h"

#include <string_view>

#include "base/ascii.h"
#include "settings/crawl_arguments.h"
#include "wire/text.h"

namespace gossamer::settings {
namespace {

using options::Concern;
using options::Power;

// "operator: Example Library"
std::string take_about(const std::string& text, std::vector<http::Field>& into) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  if (colon == std::string::npos || !wire::is_token(name)) {
    return "expected a line such as 'operator: Example Library', not '" + text + "'";
  }
  into.push_back({name, std::string(base::trimmed(std::string_view(text).substr(colon + 1), " "))});
  return {};
}

}  // namespace

void declare_archive(options::Table& table, run::ArchiveSettings& archive) {
  table.group("Archive");
  table.option("warc-file", options::text(archive.file, "NAME"),
               "archive everything in NAME-00001.warc.gz, NAME-00002.warc.gz, ...", Concern::crawl,
               Power::write_files);
  table.option("warc-max-size", options::size(archive.max_size, 1),
               "start a new file after this size", Concern::crawl, Power::none);
  table.flag("warc-cdx", archive.has_index, "write the index NAME.cdxj at the end", Concern::crawl,
             Power::none);
  table.flag("warc-dedup", archive.drops_copies, "store a body that occurs several times only once",
             Concern::crawl, Power::none);
  table.flag("warc-metadata", archive.lists_links, "also store the links of each page",
             Concern::crawl, Power::none);
  const auto take = [&archive](const std::string& text) { return take_about(text, archive.about); };
  table.repeated("warc-header", options::custom("'NAME: TEXT'", take),
                 "add this field to the first record of each file", Concern::crawl, Power::none);
  table.flag("wacz", archive.has_package,
             "pack archives, index and page list into NAME.wacz at the end", Concern::crawl,
             Power::none);
}

void declare_search_index(options::Table& table, bool& builds_index) {
  table.flag("index", builds_index, "fill the search index while crawling; see gossamer search",
             Concern::crawl, Power::none);
}

}  // namespace gossamer::settings

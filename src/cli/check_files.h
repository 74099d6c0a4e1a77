#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "check/ledger.h"
#include "check/reader.h"
#include "url/url.h"

namespace gossamer::cli {

// The URL of a file or folder; of a folder it ends in a slash. Fails with Errc::io_failed.
Result<url::Url> file_url(const std::string& path);

// Files whose links are checked: what they say goes into the ledger, links to other files are
// looked for on disk, and those to the web are handed out.
class CheckedFiles {
 public:
  // BOUND: a file that is larger is not read.
  static constexpr std::uint64_t kFileBytesMax = 64 * 1024 * 1024;

  // BORROWS: all.
  CheckedFiles(const check::FileRules& rules, check::Ledger& ledger)
      : rules_(rules), ledger_(ledger) {}

  // A file, or the Markdown and HTML files of a folder and of those in it (but for hidden ones and
  // node_modules). Fails with Errc::io_failed, and Errc::invalid_argument for a file that we
  // cannot make sense of.
  Result<void> take(const std::string& path);

  // After all were taken: looks for the files that are linked to. `matters` says whether a URL is
  // to be looked for at all.
  template <class Matters>
  void look_for_targets(Matters matters) {
    for (const std::string& href : targets_) {
      if (const auto url = url::Url::parse(href)) look_for(*url, matters(*url));
    }
  }

  // http and https, each once, in the order they were met.
  const std::vector<std::string>& web_links() const { return web_links_; }

 private:
  Result<void> take_folder(const std::string& path);
  Result<void> take_file(const std::string& path, bool is_named);
  void look_for(const url::Url& url, bool matters);
  // Reads what fragments may name, unless that has been done.
  void read_ids(const std::string& path, const url::Url& url);

  const check::FileRules& rules_;
  check::Ledger& ledger_;
  std::unordered_set<std::string> read_;  // URLs of files that were taken
  std::vector<std::string> targets_;      // URLs of files that are linked to, without fragment
  std::unordered_map<std::string, bool> known_targets_;  // whether a link names a place in it
  std::vector<std::string> web_links_;
  std::unordered_set<std::string> known_web_links_;
};

}  // namespace gossamer::cli

#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "check/link_book.h"
#include "check/reader.h"
#include "scope/url_pattern.h"
#include "url/url.h"

namespace gossamer::check {

// The URL of a file or folder; of a folder it ends in a slash. Fails with Errc::io_failed.
Result<url::Url> file_url(const std::string& path);

// Files whose links are checked: what they say goes into the book, links to other files are
// looked for on disk, and those to the web are handed out.
class CheckedFiles {
 public:
  // BOUND: a file that is larger is not read.
  static constexpr std::uint64_t kFileBytesMax = 64 * 1024 * 1024;

  // Links that match `excluded` are not checked. A request to stop ends take() with
  // Errc::cancelled, and look_for_targets(), after the present file. BORROWS: all but `stop`.
  CheckedFiles(const FileRules& rules, const crawler::UrlPatterns& excluded, LinkBook& book,
               bool checks_mail = false, std::stop_token stop = {})
      : rules_(rules),
        excluded_(excluded),
        book_(book),
        checks_mail_(checks_mail),
        stop_(std::move(stop)) {}

  // A file; or the Markdown, reStructuredText and HTML files of a folder and of those in it (except
  // hidden ones and node_modules); or "-", standard input, whose links are relative to the
  // working directory. Fails with Errc::io_failed, and Errc::invalid_argument for a file that is
  // not text and for a folder without any such file.
  Result<void> take(const std::string& path);

  // After all were taken: looks for the files that are linked to.
  void look_for_targets();

  // http and https, each once, in the order they were met.
  const std::vector<std::string>& web_links() const { return web_links_; }

 private:
  // What the links to a file name in it.
  struct NamedContent {
    bool has_place = false;
    bool has_text = false;
  };

  Result<void> take_folder(const std::string& path);
  Result<void> take_file(const std::string& path, bool is_named);
  Result<void> take_standard_input();
  void enter(const url::Url& url, const std::string& shown, DocumentType type,
             std::string_view content);
  void look_for(const url::Url& url);
  // Reads what fragments may name.
  void read_content(const std::string& path, const url::Url& url, Words words);

  const FileRules& rules_;
  const crawler::UrlPatterns& excluded_;
  LinkBook& book_;
  const bool checks_mail_;
  const std::stop_token stop_;
  std::unordered_set<std::string> read_;  // URLs of files that were taken
  std::vector<std::string> targets_;      // URLs of files that are linked to, without fragment
  std::unordered_map<std::string, NamedContent> known_targets_;
  std::vector<std::string> web_links_;
  std::unordered_set<std::string> known_web_links_;
};

}  // namespace gossamer::check

#include "check/checked_files.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "check/fragment.h"
#include "check/quoted_text.h"
#include "url/code_points.h"
#include "url/percent.h"

namespace gossamer::check {
namespace {

namespace fs = std::filesystem;

constexpr auto kIndexNames =
    std::to_array<std::string_view>({"index.html", "index.htm", "README.md", "index.md"});

std::string path_of(const url::Url& url) { return url::percent_decoded(url.pathname()); }

// GitHub's wikis store "Page name" as Page-name.md.
std::string wiki_path_of(std::string path) {
  const std::size_t name = path.rfind('/') + 1;
  std::replace(path.begin() + static_cast<std::ptrdiff_t>(name), path.end(), ' ', '-');
  return path;
}

// As people would call it from where they are.
std::string shown_path(const url::Url& url) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const std::string path = path_of(url);
  const std::string below = here.string() + "/";
  return path.starts_with(below) && path.size() > below.size() ? path.substr(below.size()) : path;
}

Result<std::string> content_of_stream(std::istream& file, const std::string& name) {
  std::string content;
  std::array<char, 64 * 1024> buffer;
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    content.append(buffer.data(), static_cast<std::size_t>(file.gcount()));
    if (content.size() > CheckedFiles::kFileBytesMax) {
      return fail(Errc::io_failed, name + " is larger than 64 MiB");
    }
  }
  if (!file.eof()) {
    const std::string reason = errno == 0 ? "" : std::string(": ") + std::strerror(errno);
    return fail(Errc::io_failed, "cannot read " + name + reason);
  }
  return content;
}

Result<std::string> content_of(const std::string& path) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  if (!error && size > CheckedFiles::kFileBytesMax) {
    return fail(Errc::io_failed, path + " is larger than 64 MiB");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  return content_of_stream(file, path);
}

// Each line is an address or a comment.
bool is_list_of_urls(std::string_view text) {
  bool has_url = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = base::trimmed(text.substr(0, end), " \t\r");
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const bool is_url = line.starts_with("http://") || line.starts_with("https://");
    if (!is_url || line.find_first_of(" \t") != std::string_view::npos) return false;
    has_url = true;
  }
  return has_url;
}

Answer answer(Answer::Kind kind, std::string cause, std::string detail) {
  return {.kind = kind,
          .status = std::nullopt,
          .cause = std::move(cause),
          .detail = std::move(detail),
          .next = {}};
}

bool is_read_in_folders(const std::string& name) {
  const DocumentType type = type_of_file(name, {});
  return type == DocumentType::markdown || type == DocumentType::html ||
         type == DocumentType::restructured_text;
}

// Why a folder cannot be searched; empty: it can.
std::string why_unreadable(const std::string& path) {
  if (access(path.c_str(), R_OK | X_OK) == 0) return {};
  return "cannot read " + path + ": " + std::strerror(errno);
}

}  // namespace

Result<url::Url> file_url(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  if (error) return fail(Errc::io_failed, path + " does not exist");
  std::string text = whole.string();
  if (fs::is_directory(whole, error) && !text.ends_with('/')) text += '/';
  std::string escaped = "file://";
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t plain = std::min(rest.find_first_of("%\\"), rest.size());
    url::percent_encode(rest.substr(0, plain), url::kPathSet, escaped);
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    escaped += rest[0] == '%' ? "%25" : "%5C";  // they would mean something else
    rest.remove_prefix(1);
  }
  return url::Url::parse(escaped);
}

Result<void> CheckedFiles::take(const std::string& path) {
  if (path == "-") return take_standard_input();
  std::error_code error;
  return fs::is_directory(path, error) ? take_folder(path) : take_file(path, true);
}

Result<void> CheckedFiles::take_folder(const std::string& path) {
  if (std::string problem = why_unreadable(path); !problem.empty()) {
    return fail(Errc::io_failed, std::move(problem));
  }
  std::error_code error;
  std::vector<std::string> found;
  fs::recursive_directory_iterator walk(path, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    const std::string name = walk->path().filename().string();
    const bool is_hidden = name.starts_with('.') || name == "node_modules";
    std::error_code ignored;
    if (walk->is_directory(ignored) && !walk->is_symlink(ignored)) {
      if (is_hidden) {
        walk.disable_recursion_pending();
      } else if (std::string problem = why_unreadable(walk->path()); !problem.empty()) {
        return fail(Errc::io_failed, std::move(problem));
      }
    }
    if (is_hidden || !is_read_in_folders(name) || !walk->is_regular_file(ignored)) continue;
    found.push_back(walk->path().string());
  }
  if (error) return fail(Errc::io_failed, "cannot read " + path + ": " + error.message());
  if (found.empty()) {
    return fail(Errc::invalid_argument,
                path + ": there is nothing to check: no Markdown, reStructuredText or HTML file");
  }
  std::ranges::sort(found);
  for (const std::string& file : found) {
    if (auto taken = take_file(file, false); !taken) return taken;
  }
  return {};
}

Result<void> CheckedFiles::take_file(const std::string& path, bool is_named) {
  if (stop_.stop_requested()) return fail(Errc::cancelled);
  auto url = file_url(path);
  if (!url) return fail(std::move(url).error());
  if (!read_.insert(url->href()).second) return {};
  auto content = content_of(path);
  if (!content) return fail(std::move(content).error());
  DocumentType type = type_of_file(path, content->substr(0, 1024));
  if (type == DocumentType::opaque && is_named && !content->empty()) {
    return fail(Errc::invalid_argument, path + " is not text");
  }
  enter(*url, path, type, *content);
  return {};
}

Result<void> CheckedFiles::take_standard_input() {
  auto folder = file_url(".");
  if (!folder) return fail(std::move(folder).error());
  auto url = url::Url::parse("-", &*folder);
  if (!url) return fail(std::move(url).error());
  if (!read_.insert(url->href()).second) return {};
  errno = 0;
  auto content = content_of_stream(std::cin, "standard input");
  if (!content) return fail(std::move(content).error());
  DocumentType type = type_of_file("-", content->substr(0, 1024));
  if (type == DocumentType::opaque && !content->empty()) {
    return fail(Errc::invalid_argument, "standard input is not text");
  }
  // "<https://a.example/>" is Markdown.
  const bool is_address = base::trimmed(*content, " \t\r\n").starts_with("<http");
  if (type == DocumentType::plain_text || is_address) {
    type = is_list_of_urls(*content) ? DocumentType::url_list : DocumentType::markdown;
  }
  enter(*url, "-", type, *content);
  return {};
}

void CheckedFiles::enter(const url::Url& url, const std::string& shown, DocumentType type,
                         std::string_view content) {
  // Files can be read again if a link quotes their text, and standard input cannot.
  const Words words = shown == "-" ? Words::kept : Words::dropped;
  const ReadDocument read = read_document(type, content, {}, rules_.markdown, words);
  const bool has_ids = type == DocumentType::html || type == DocumentType::markdown;
  if (has_ids) book_.add_ids(url, read.document.ids);
  if (type == DocumentType::html && words == Words::kept) {
    book_.add_words(url, read.document.words);
  }
  LinkUse use;
  use.is_excluded = [this](std::string_view text) { return excluded_.match_any(text); };
  use.checks_mail = checks_mail_;
  use.show = shown_path;
  use.on_file = [this](const url::Url& target) {
    const std::string href(target.without_fragment());
    const auto [known, is_new] = known_targets_.try_emplace(href);
    known->second.has_place |= !named_place(target).empty();
    known->second.has_text |= !quotations(target).empty();
    if (is_new) targets_.push_back(href);
  };
  use.on_web = [this](const url::Url& target) {
    if (known_web_links_.insert(target.href()).second) web_links_.push_back(target.href());
  };
  enter_document({.url = url, .shown = shown}, read, rules_, use, book_);
}

void CheckedFiles::look_for_targets() {
  for (const std::string& href : targets_) {
    if (stop_.stop_requested()) return;
    if (const auto url = url::Url::parse(href)) look_for(*url);
  }
}

void CheckedFiles::look_for(const url::Url& url) {
  using Kind = Answer::Kind;
  if (excluded_.match_any(url.href())) {
    return book_.answer(url, answer(Kind::unchecked, "excluded", "an exclude pattern matches"));
  }
  const NamedContent named = known_targets_[std::string(url.without_fragment())];
  std::string path = path_of(url);
  // Standard input is no file, and links to places in it are good all the same.
  if (read_.contains(std::string(url.without_fragment()))) {
    book_.answer(url, answer(Kind::good, {}, {}));
    if (named.has_text) read_content(path, url, Words::kept);
    return;
  }
  std::error_code error;
  fs::file_status status = fs::status(path, error);
  if (rules_.markdown.has_wikilinks && !fs::exists(status)) {
    path = wiki_path_of(path);
    status = fs::status(path, error);
  }
  if (path.find('\0') != std::string::npos || !fs::exists(status)) {
    return book_.answer(url, answer(Kind::broken, "no_file", "there is no such file"));
  }
  book_.answer(url, answer(Kind::good, {}, {}));
  if (!named.has_place && !named.has_text) return;
  const Words words = named.has_text ? Words::kept : Words::dropped;
  // Terminals and pipes would keep us waiting.
  if (fs::is_regular_file(status)) return read_content(path, url, words);
  if (!fs::is_directory(status)) return;
  for (const std::string_view name : kIndexNames) {
    const std::string index = (fs::path(path) / name).string();
    if (fs::is_regular_file(index, error)) return read_content(index, url, words);
  }
}

void CheckedFiles::read_content(const std::string& path, const url::Url& url, Words words) {
  const auto content = content_of(path);
  if (!content) return;
  const DocumentType type = type_of_file(path, content->substr(0, 1024));
  if (type != DocumentType::html && type != DocumentType::markdown) return;
  const Document document = read_document(type, *content, {}, {}, words).document;
  book_.add_ids(url, document.ids);
  if (type == DocumentType::html && words == Words::kept) book_.add_words(url, document.words);
}

}  // namespace gossamer::check

#include "bench/html/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace gossamer::bench {
namespace {

struct Source {
  std::string_view package;
  std::string_view folder;
};
constexpr Source kSources[] = {
    {"cppreference-doc-en-html", "/usr/share/cppreference/doc/html/en"},
    {"libboost1.81-doc", "/usr/share/doc/libboost1.81-doc"},
    {"python3.11-doc", "/usr/share/doc/python3.11/html"},
    {"postgresql-doc-15", "/usr/share/doc/postgresql-doc-15/html"},
};
constexpr std::size_t kBytesPerSource = std::size_t{40} << 20;

Corpus read_corpus(std::size_t bytes_per_source) {
  Corpus corpus;
  for (const Source& source : kSources) {
    std::size_t bytes = 0;
    for (const auto& file : html_files(source.folder)) {
      if (bytes >= bytes_per_source) break;
      std::string html = content_of(file);
      bytes += html.size();
      corpus.pages.push_back({file.string(), std::move(html)});
    }
    corpus.bytes += bytes;
    if (bytes == 0) {
      fmt::print(stderr, "no pages in {}: is the package {} installed?\n", source.folder,
                 source.package);
    }
  }
  if (corpus.bytes < (std::size_t{100} << 20) && bytes_per_source == kBytesPerSource) {
    fmt::print(stderr, "the corpus has only {} MB; the figures are meant for 100 MB and more\n",
               corpus.bytes >> 20);
  }
  return corpus;
}

}  // namespace

std::vector<std::filesystem::path> html_files(std::string_view folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; at != end; at.increment(error)) {
    if (at->path().extension() == ".html" && at->is_regular_file(error))
      files.push_back(at->path());
  }
  std::ranges::sort(files);
  return files;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

const Corpus& corpus(bool quick) {
  static const Corpus corpus = read_corpus(quick ? kBytesPerSource / 10 : kBytesPerSource);
  return corpus;
}

}  // namespace gossamer::bench

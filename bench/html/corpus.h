// Real pages to measure with: the HTML of Debian documentation packages.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::bench {

struct CorpusPage {
  std::string path;
  std::string html;
};

struct Corpus {
  std::vector<CorpusPage> pages;
  std::size_t bytes = 0;
};

// At least 100 MB if all packages are installed; with `quick`, a tenth. Prints missing packages on
// stderr, once. The first call reads the pages.
const Corpus& corpus(bool quick);

// The files below a folder that end in .html, sorted.
std::vector<std::filesystem::path> html_files(std::string_view folder);
std::string content_of(const std::filesystem::path& file);

}  // namespace gossamer::bench

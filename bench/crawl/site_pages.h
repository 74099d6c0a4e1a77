#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "async/endpoint.h"

namespace gossamer::bench {

// A request of a crawl, and its response.
struct SitePage {
  std::string path;  // as in a request
  int status = 0;
  std::uint64_t bytes = 0;
  bool is_html = false;
};

// A Debian documentation package.
struct Documentation {
  std::string_view package;
  std::string_view folder;
  std::string_view root;  // the path of its first page

  bool is_installed() const;
};

inline constexpr Documentation kDocumentations[] = {
    // Pages of 14 KB on average, about the compressed size of a page on the web.
    {"postgresql-doc-15", "/usr/share/doc/postgresql-doc-15/html", "/index.html"},
    // Pages of 35 KB with many links.
    {"cppreference-doc-en-html", "/usr/share/cppreference/doc/html", "/en/index.html"},
};

// The load of every contestant: fetch all pages of a site, `rounds` times, 64 concurrently.
struct PageLoad {
  static constexpr int kAtOnce = 64;

  async::Endpoint server;
  std::string folder;  // of the server
  std::string root;    // the path where a crawl starts
  std::vector<SitePage> pages;
  std::uint64_t rounds = 1;

  std::string site() const { return "http://" + server.to_string(); }
  std::uint64_t answers() const { return rounds * pages.size(); }
};

// Crawls the site and returns all fetched URLs, in the order of completion. Ends the program if
// there are none.
std::vector<SitePage> crawled_pages(const async::Endpoint& server, const std::string& root);

}  // namespace gossamer::bench

// How well known pages of manuals are found.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "base/check.h"
#include "bench/html/corpus.h"
#include "bench/index/benchmarks.h"
#include "bench/index/documents.h"
#include "bench/index/known_items.h"
#include "bench/support/temporary_folder.h"
#include "index/search_reader.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

constexpr double kKnownMissTarget = 0.2;  // MRR@10 of at least 0.8
constexpr Duration kKnownTimeMax = 60s;
constexpr std::string_view kManualsHost = "https://manuals.example/";

IndexedDocuments pages_of(const Manual& manual) {
  IndexedDocuments documents;
  // Some manuals have copies of their pages under other names, which nothing links to.
  std::set<std::string> known;
  if (!manual.index.empty()) {
    known.insert(content_of(fmt::format("{}/{}", manual.folder, manual.index)));
  }
  for (const auto& file : html_files(manual.folder)) {
    const std::string path = file.string().substr(manual.folder.size() + 1);
    std::string html = content_of(file);
    if (known.contains(html)) continue;
    const auto url = url::Url::parse(fmt::format("{}{}/{}", kManualsHost, manual.name, path));
    CHECK(url.has_value());
    documents.pages.push_back(
        {url->href(), index::read_page_text(index::TextKind::html, html, "", *url)});
    known.insert(std::move(html));
  }
  if (documents.pages.empty()) {
    fmt::print(stderr, "no pages in {}: is the package {} installed?\n", manual.folder,
               manual.package);
  }
  return documents;
}

std::size_t rank_of_page(index::SearchReader& reader, const KnownItem& item) {
  const auto query = index::parse_query(item.query);
  CHECK(query.has_value(), "{}", item.query);
  const auto found = reader.search(*query, {.limit = 10, .time_max = kKnownTimeMax});
  CHECK(found.has_value(), "{}", found.error().to_string());
  const std::string url = std::string(kManualsHost) + item.page;
  const auto hit =
      std::ranges::find(found->hits, url, [](const auto& one) { return one.page.url; });
  return hit == found->hits.end() ? 0 : static_cast<std::size_t>(hit - found->hits.begin()) + 1;
}

void find_known_items(const KnownItems& known, const Options& options, Report& report) {
  IndexedDocuments documents;
  for (const Manual& manual : known.manuals) {
    IndexedDocuments more = pages_of(manual);
    std::ranges::move(more.pages, std::back_inserter(documents.pages));
  }
  if (documents.pages.empty() || known.items.empty()) return;
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/search.db";
  fill_index(documents, path);
  auto reader = index::SearchReader::open(path);
  CHECK(reader.has_value());
  report.heading(fmt::format("{} queries for known pages among {}", known.items.size(),
                             documents.pages.size()));
  double sum = 0;
  for (const KnownItem& item : known.items) {
    const std::size_t rank = rank_of_page(*reader, item);
    if (rank > 0) sum += 1 / static_cast<double>(rank);
    if (rank != 1 && !options.json) fmt::print("  {:>2}  {} ({})\n", rank, item.query, item.page);
  }
  const double miss = 1 - sum / static_cast<double>(known.items.size());
  report.add({fmt::format("known/{}, 1 - MRR@10", known.name), miss, "", {}, kKnownMissTarget});
}

}  // namespace

void index_known_items(const Options& options, Report& report) {
  find_known_items(written_queries(), options, report);
  find_known_items(index_entries(), options, report);
}

}  // namespace gossamer::bench

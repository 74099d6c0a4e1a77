// Searching: how long queries take, and how well a page is found by its title.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/random.h"
#include "bench/index/benchmarks.h"
#include "bench/index/documents.h"
#include "bench/support/cpu.h"
#include "bench/support/temporary_folder.h"
#include "index/search_reader.h"
#include "index/words.h"

namespace gossamer::bench {
namespace {

constexpr std::uint64_t kSearchSeed = 20260101;
constexpr std::size_t kTitles = 600;
constexpr std::size_t kQueries = 300;
constexpr std::size_t kManyPages = 100'000;
constexpr double kMissTarget = 0.15;  // MRR@10 of at least 0.85
constexpr double kMedianTargetMs = 10;
constexpr double kSlowTargetMs = 150;
// Other programs may take the processor for long.
constexpr Duration kTimeMax = 60s;

struct TitledPage {
  std::string title;
  std::string url;
};

// Titles that only one page has, in an order of chance.
std::vector<TitledPage> unique_titles(const IndexedDocuments& documents) {
  std::map<std::string, std::vector<std::string>> pages;
  for (const IndexedDocument& page : documents.pages) {
    pages[page.text.title].push_back(page.url);
  }
  std::vector<TitledPage> titles;
  for (const auto& [title, urls] : pages) {
    if (urls.size() == 1) titles.push_back({title, urls.front()});
  }
  base::Random random(kSearchSeed);
  random.shuffle(titles);
  titles.resize(std::min(titles.size(), kTitles));
  return titles;
}

// The words of a text as a query: signs of queries in titles must not count.
std::string words_in(std::string_view text, std::size_t most) {
  std::string query;
  index::WordReader reader(text, index::WordReader::Mode::query);
  for (std::size_t i = 0; i < most && reader.next(); ++i) {
    if (!query.empty()) query += ' ';
    query += reader.word();
  }
  return query;
}

std::size_t rank_of(index::SearchReader& reader, const TitledPage& page) {
  const auto query = index::parse_query(words_in(page.title, index::kQueryTermsMax));
  CHECK(query.has_value());
  const auto found = reader.search(*query, {.limit = 10, .time_max = kTimeMax});
  CHECK(found.has_value(), "{}", found.error().to_string());
  for (std::size_t i = 0; i < found->hits.size(); ++i) {
    const index::Hit& hit = found->hits[i];
    const bool is_same =
        hit.page.url == page.url || std::ranges::any_of(hit.duplicates, [&](const auto& one) {
          return one.url == page.url && one.title == page.title;
        });
    if (is_same) return i + 1;
  }
  return 0;
}

double miss_of_titles(index::SearchReader& reader, const std::vector<TitledPage>& titles) {
  double sum = 0;
  for (const TitledPage& page : titles) {
    const std::size_t rank = rank_of(reader, page);
    if (rank > 0) sum += 1 / static_cast<double>(rank);
  }
  return 1 - sum / static_cast<double>(titles.size());
}

// Words of the texts of pages, with the frequencies that they have there.
std::string query_of(const IndexedDocuments& documents, base::Random& random, std::size_t words) {
  while (true) {
    const std::string& text = documents.pages[random.below(documents.pages.size())].text.main;
    if (text.size() < 200) continue;
    const std::size_t begin = text.find(' ', random.below(text.size() - 100));
    if (begin == std::string::npos) continue;
    std::string query = words_in(std::string_view(text).substr(begin), words);
    if (query.size() > 3 * words) return query;
  }
}

// Words of pages, as many from each band of frequency: in 1 to 9 pages, in 10 to 99, and so on.
std::vector<std::string> words_of_bands(const IndexedDocuments& documents, base::Random& random,
                                        std::size_t count) {
  std::map<std::string, std::size_t, std::less<>> pages_with;
  for (const IndexedDocument& page : documents.pages) {
    std::set<std::string, std::less<>> words;
    index::WordReader reader(page.text.main, index::WordReader::Mode::query);
    while (reader.next()) words.emplace(reader.word());
    for (const std::string& word : words) ++pages_with[word];
  }
  std::map<std::size_t, std::vector<std::string>> bands;
  for (const auto& [word, pages] : pages_with) {
    if (word.size() > 3) bands[std::to_string(pages).size()].push_back(word);
  }
  std::vector<std::string> words;
  while (words.size() < count) {
    for (const auto& [digits, band] : bands) words.push_back(band[random.below(band.size())]);
  }
  return words;
}

struct Times {
  double median_ms = 0;
  double slow_ms = 0;  // of a hundred, one takes longer
};

Times times_of(index::SearchReader& reader, const std::vector<std::string>& queries) {
  std::vector<double> times;
  for (const std::string& text : queries) {
    const auto query = index::parse_query(text);
    if (!query) continue;
    const double begin = process_cpu_ns();
    const auto found = reader.search(*query, {.time_max = kTimeMax});
    times.push_back((process_cpu_ns() - begin) / 1e6);
    CHECK(found.has_value(), "{}: {}", text, found.error().to_string());
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times[times.size() * 99 / 100]};
}

// Adds the times of queries of one word, two words, four words and a phrase.
void add_times(const Options& options, const IndexedDocuments& documents,
               index::SearchReader& reader, Report& report, std::string_view prefix) {
  base::Random random(kSearchSeed);
  const std::size_t count = options.quick ? kQueries / 10 : kQueries;
  const auto add = [&](std::string_view name, const std::vector<std::string>& queries) {
    const Times times = times_of(reader, queries);
    report.add(
        {fmt::format("{}/{}, p50", prefix, name), times.median_ms, "ms", {}, kMedianTargetMs});
    report.add({fmt::format("{}/{}, p99", prefix, name), times.slow_ms, "ms", {}, kSlowTargetMs});
  };
  add("word of each frequency", words_of_bands(documents, random, count));
  for (const auto& [name, words] :
       {std::pair("one word of a text", 1), std::pair("two words of a text", 2),
        std::pair("four words of a text", 4), std::pair("phrase", 3)}) {
    std::vector<std::string> queries;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string query = query_of(documents, random, static_cast<std::size_t>(words));
      queries.push_back(words == 3 ? '"' + query + '"' : query);
    }
    add(name, queries);
  }
}

}  // namespace

void index_searching(const Options& options, Report& report) {
  const IndexedDocuments& documents = indexed_documents(options.quick);
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/search.db";
  fill_index(documents, path);
  auto reader = index::SearchReader::open(path);
  CHECK(reader.has_value());
  const std::vector<TitledPage> titles = unique_titles(documents);
  report.heading(fmt::format("{} pages by their titles; {} queries with snippets of each kind",
                             titles.size(), kQueries));
  report.add({"search/1 - MRR@10", miss_of_titles(*reader, titles), "", {}, kMissTarget});
  add_times(options, documents, *reader, report, "search");
}

void index_searching_many(const Options& options, Report& report) {
  const IndexedDocuments& documents = indexed_documents(options.quick);
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/search.db";
  const std::size_t pages = options.quick ? kManyPages / 100 : kManyPages;
  const double begin = process_cpu_ns();
  fill_large_index(documents, pages, path);
  const double per_page = (process_cpu_ns() - begin) / 1000 / static_cast<double>(pages);
  auto reader = index::SearchReader::open(path);
  CHECK(reader.has_value());
  report.heading(fmt::format("{} pages; {} queries with snippets of each kind", pages, kQueries));
  report.add({"many/build", per_page, "us/page"});
  add_times(options, documents, *reader, report, "many");
}

}  // namespace gossamer::bench

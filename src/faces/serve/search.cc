#include "serve/search.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "async/monotonic.h"
#include "base/json.h"
#include "serve/api_parameters.h"
#include "warc/record.h"

namespace gossamer::serve {
namespace {

using base::JsonLine;

constexpr std::uint64_t kHitsShown = 20;
constexpr std::uint64_t kHitsShownMax = 100;
constexpr std::uint64_t kOffsetMax = 9'900;
constexpr std::size_t kFacetValues = 50;
constexpr std::size_t kReadersKept = 4;

std::optional<index::SearchSort> sort_named(std::string_view name) {
  if (name.empty() || name == "relevance") return index::SearchSort::relevance;
  if (name == "newest") return index::SearchSort::newest;
  if (name == "oldest") return index::SearchSort::oldest;
  if (name == "url") return index::SearchSort::url;
  return {};
}

// Identifies a file, whatever its name; zeros if there is none.
std::pair<std::uint64_t, std::uint64_t> file_at(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

// Divides a text into pieces that are highlighted or not.
std::string pieces_json(const index::MarkedText& marked) {
  JsonArray array;
  std::size_t at = 0;
  const auto add = [&](std::size_t end, bool is_marked) {
    if (end <= at) return;
    array.add(JsonLine()
                  .text("text", std::string_view(marked.text).substr(at, end - at))
                  .boolean("mark", is_marked)
                  .finish());
    at = end;
  };
  for (const index::Mark& mark : marked.marks) {
    add(std::min(mark.begin, marked.text.size()), false);
    add(std::min(mark.end, marked.text.size()), true);
  }
  add(marked.text.size(), false);
  return array.finish();
}

std::string explain_json(const std::vector<index::ScorePart>& parts) {
  if (parts.empty()) return "null";
  JsonArray array;
  for (const index::ScorePart& part : parts) {
    array.add(JsonLine().text("name", part.name).decimal("points", part.points, 3).finish());
  }
  return array.finish();
}

std::string hit_json(const index::Hit& hit, std::optional<std::uint32_t> archive) {
  JsonLine line;
  line.text("url", hit.page.url);
  add_text_or_null(line, "anchor", hit.anchor);
  add_text_or_null(line, "heading", hit.heading);
  line.raw("title", pieces_json(hit.title))
      .raw("snippet", pieces_json(hit.snippet))
      .text("site", hit.page.site)
      .text("type", hit.page.type);
  add_text_or_null(line, "lang", hit.page.language);
  line.text("captured", warc::timestamp14(hit.page.captured));
  if (archive) {
    line.number("archive", *archive);
  } else {
    line.null("archive");
  }
  return line.number("folded", hit.duplicates.size())
      .raw("missing", text_array(hit.missing_words))
      .decimal("score", hit.score, 3)
      .raw("explain", explain_json(hit.score_parts))
      .finish();
}

std::string facet_json(const std::vector<index::FacetValue>& values) {
  JsonArray array;
  for (const index::FacetValue& value : values) {
    array.add(JsonLine().text("value", value.value).number("count", value.pages).finish());
  }
  return array.finish();
}

void add_facet(std::vector<index::FacetValue>& sum, std::vector<index::FacetValue> more) {
  for (index::FacetValue& value : more) {
    const auto known = std::ranges::find(sum, value.value, &index::FacetValue::value);
    if (known == sum.end()) {
      sum.push_back(std::move(value));
    } else {
      known->pages += value.pages;
    }
  }
}

// The order of a list over several indexes.
bool comes_first(const index::Hit& a, const index::Hit& b, index::SearchSort sort,
                 bool are_complete_first) {
  if (are_complete_first && a.missing_words.empty() != b.missing_words.empty()) {
    return a.missing_words.empty();
  }
  switch (sort) {
    case index::SearchSort::relevance: return a.score > b.score;
    case index::SearchSort::newest: return a.page.captured > b.page.captured;
    case index::SearchSort::oldest: return a.page.captured < b.page.captured;
    case index::SearchSort::url: return a.page.url < b.page.url;
  }
  return false;
}

server::Response failure_response(const Error& error) {
  if (error == Errc::timed_out) {
    return server::error_response(503, "the search took too long; use rarer words");
  }
  return server::error_response(500, error.message());
}

constexpr std::string_view kNoIndex = "no archive has a search index; make one with gossamer index";

}  // namespace

std::string index_path_of(const captures::ServedArchive& archive) {
  if (archive.kind == captures::ServedArchive::Kind::job) {
    return archive.path + "/" + std::string(index::kIndexName);
  }
  // `gossamer index` writes it beside the archives.
  return std::filesystem::path(archive.path).parent_path() / index::kIndexName;
}

std::vector<Search::Source> Search::sources(std::optional<std::uint32_t> archive) const {
  std::vector<Source> all;
  collection_.read([&](const auto& archives, const auto&) {
    for (std::uint32_t i = 0; i < archives.size(); ++i) {
      if (archive && *archive != i) continue;
      std::string path = index_path_of(archives[i]);
      std::error_code failure;
      if (!std::filesystem::exists(path, failure)) continue;
      const auto known = std::ranges::find(all, path, &Source::path);
      if (known == all.end()) {
        all.push_back({std::move(path), i});
      } else {
        known->archive.reset();
      }
    }
    return 0;
  });
  if (archive) return all;
  for (const std::string& path : indexes_) {
    const bool is_new = std::ranges::find(all, path, &Source::path) == all.end();
    if (is_new) all.push_back({path, {}});
  }
  return all;
}

Result<Search::Reader> Search::take_reader(const std::string& path) {
  const auto file = file_at(path);
  {
    const std::scoped_lock lock(mutex_);
    std::vector<Reader>& idle = readers_[path];
    while (!idle.empty()) {
      Reader reader = std::move(idle.back());
      idle.pop_back();
      if (reader.file == file) return reader;
    }
  }
  auto opened = index::SearchReader::open(path);
  if (!opened) return fail(std::move(opened).error());
  return Reader{.reader = std::move(*opened), .file = file};
}

void Search::put_back(const std::string& path, Reader reader) {
  const std::scoped_lock lock(mutex_);
  std::vector<Reader>& idle = readers_[path];
  if (idle.size() < kReadersKept) idle.push_back(std::move(reader));
}

std::optional<std::uint32_t> Search::archive_of(const index::Capture& page) const {
  return collection_.read(
      [&page](const auto&, const captures::CaptureIndex& index) -> std::optional<std::uint32_t> {
        for (const captures::Capture* capture : index.captures_of(page.url)) {
          if (capture->at.seconds == page.captured.seconds) return capture->archive;
        }
        return {};
      });
}

std::vector<std::string> Search::failures_of_indexes() {
  std::vector<std::string> paths = collection_.read([](const auto& archives, const auto&) {
    std::vector<std::string> all;
    for (const captures::ServedArchive& archive : archives) all.push_back(index_path_of(archive));
    return all;
  });
  for (std::string& path : paths) {
    std::error_code failure;
    std::string why;
    if (std::filesystem::exists(path, failure)) {
      auto reader = take_reader(path);
      if (reader) put_back(path, std::move(*reader));
      if (!reader) why = "the search index cannot be read: " + reader.error().message();
    }
    path = std::move(why);
  }
  return paths;
}

Result<Search::Found> Search::find(const index::Query& query, const index::SearchOptions& options,
                                   std::optional<std::uint32_t> archive) {
  Found found;
  // Each index may have all of the hits that are wanted.
  index::SearchOptions each = options;
  each.offset = 0;
  each.limit = options.offset + options.limit;
  std::vector<std::pair<index::Hit, std::optional<std::uint32_t>>> hits;
  const Instant due = async::monotonic_now() + options.time_max;
  std::optional<Error> failure;
  bool are_complete_first = options.sort != index::SearchSort::relevance;
  for (const Source& source : sources(archive)) {
    each.time_max = due - async::monotonic_now();
    if (each.time_max <= Duration::zero()) return fail(Errc::timed_out);
    auto reader = take_reader(source.path);
    // A damaged index does not hide the others.
    auto results = reader ? reader->reader.search(query, each) : fail(std::move(reader).error());
    if (!results && results.error() == Errc::timed_out) return fail(std::move(results).error());
    if (!results) {
      failure = std::move(results).error();
      found.failures.push_back(failure->message());
      continue;
    }
    put_back(source.path, std::move(*reader));
    ++found.indexes;
    for (index::Hit& hit : results->hits) hits.emplace_back(std::move(hit), source.archive);
    found.results.total += results->total;
    found.results.complete += results->complete;
    are_complete_first = are_complete_first || results->are_complete_first;
    if (found.results.suggestion.empty()) found.results.suggestion = results->suggestion;
    add_facet(found.results.facets.sites, std::move(results->facets.sites));
    add_facet(found.results.facets.types, std::move(results->facets.types));
    add_facet(found.results.facets.years, std::move(results->facets.years));
    add_facet(found.results.facets.languages, std::move(results->facets.languages));
  }
  if (found.indexes == 0 && failure) return fail(std::move(*failure));
  std::ranges::sort(hits, [&](const auto& a, const auto& b) {
    return comes_first(a.first, b.first, options.sort, are_complete_first);
  });
  for (std::size_t i = options.offset; i < std::min(hits.size(), each.limit); ++i) {
    auto& [hit, of] = hits[i];
    found.archives.push_back(of ? of : archive_of(hit.page));
    found.results.hits.push_back(std::move(hit));
  }
  return found;
}

server::Response Search::answer_search(const server::Request& request) {
  ApiParameters parameters(request);
  const std::string text = parameters.text("q");
  const auto archive = parameters.archive(collection_);
  const auto sort = sort_named(parameters.text("sort"));
  index::SearchOptions options = {.limit = parameters.number("limit", kHitsShown, kHitsShownMax),
                                  .offset = parameters.number("offset", 0, kOffsetMax),
                                  .explains = parameters.number("explain", 0, 1) == 1};
  if (!sort) parameters.reject("sort must be relevance, newest, oldest or url");
  const auto query = index::parse_query(text);
  if (!query) parameters.reject(std::string(query.error().detail()));
  if (parameters.is_bad()) return parameters.rejection();
  options.sort = *sort;
  const Instant begin = async::monotonic_now();
  const auto found = find(*query, options, archive);
  if (!found) return failure_response(found.error());
  if (found->indexes == 0) return server::error_response(409, kNoIndex);
  const double ms =
      std::chrono::duration<double, std::milli>(async::monotonic_now() - begin).count();
  JsonArray hits;
  for (std::size_t i = 0; i < found->results.hits.size(); ++i) {
    hits.add(hit_json(found->results.hits[i], found->archives[i]));
  }
  JsonLine line;
  line.text("query", text).number("total", found->results.total);
  line.number("complete", found->results.complete).decimal("ms", ms, 1);
  add_text_or_null(line, "suggestion", found->results.suggestion);
  JsonArray failures;
  for (const std::string& each : found->failures) {
    std::string quoted;
    base::append_json_string(quoted, each);
    failures.add(quoted);
  }
  line.raw("failures", failures.finish());
  return server::json_response(200, line.raw("hits", hits.finish()).finish());
}

server::Response Search::answer_facets(const server::Request& request) {
  ApiParameters parameters(request);
  const auto archive = parameters.archive(collection_);
  const auto query = index::parse_query(parameters.text("q"));
  if (!query) parameters.reject(std::string(query.error().detail()));
  if (parameters.is_bad()) return parameters.rejection();
  auto found = find(
      *query,
      {.limit = 1, .has_facets = true, .has_suggestion = false, .facet_values_max = kFacetValues},
      archive);
  if (!found) return failure_response(found.error());
  if (found->indexes == 0) return server::error_response(409, kNoIndex);
  index::Facets& facets = found->results.facets;
  std::ranges::sort(facets.sites, std::greater(), &index::FacetValue::pages);
  std::ranges::sort(facets.types, std::greater(), &index::FacetValue::pages);
  std::ranges::sort(facets.years, std::greater(), &index::FacetValue::value);
  std::ranges::sort(facets.languages, std::greater(), &index::FacetValue::pages);
  return server::json_response(200, JsonLine()
                                        .raw("site", facet_json(facets.sites))
                                        .raw("type", facet_json(facets.types))
                                        .raw("year", facet_json(facets.years))
                                        .raw("lang", facet_json(facets.languages))
                                        .finish());
}

}  // namespace gossamer::serve

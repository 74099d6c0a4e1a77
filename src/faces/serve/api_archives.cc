#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/json.h"
#include "record/outcome.h"
#include "serve/api.h"
#include "serve/api_parameters.h"
#include "serve/replay.h"
#include "serve/search.h"
#include "url/url.h"
#include "warc/record.h"

namespace gossamer::serve {
namespace {

using base::JsonLine;

constexpr std::size_t kCapturesMax = 10'000;
constexpr std::uint64_t kPagesMax = 1000;
constexpr std::uint64_t kPagesDefault = 100;

// What the list of archives says about one, from its captures.
struct Extent {
  std::uint64_t urls = 0;
  std::uint64_t pages = 0;
  std::optional<WallTime> first;
  std::optional<WallTime> last;

  void add(WallTime at) {
    first = first ? std::min(*first, at) : at;
    last = last ? std::max(*last, at) : at;
  }
};

std::vector<Extent> extents_of(const captures::CaptureIndex& index, std::size_t archives) {
  std::vector<Extent> extents(archives);
  std::vector<bool> is_in(archives);
  for (const auto& [key, entry] : index.entries()) {
    is_in.assign(archives, false);
    for (const captures::Capture& capture : entry.captures) {
      Extent& extent = extents[capture.archive];
      extent.add(capture.at);
      if (is_in[capture.archive]) continue;
      is_in[capture.archive] = true;
      ++extent.urls;
      if (captures::is_page(index.type_name(capture.type), capture.status)) ++extent.pages;
    }
    if (entry.captures.empty() && entry.fetched) ++extents[entry.fetched->archive].urls;
  }
  return extents;
}

std::string capture_json(const captures::Capture& capture, const captures::CaptureIndex& index) {
  JsonLine line;
  line.text("captured", warc::timestamp14(capture.at)).number("status", capture.status);
  add_text_or_null(line, "type", index.type_name(capture.type));
  return line.number("bytes", capture.bytes)
      .number("archive", capture.archive)
      .text("url", capture.url)
      .boolean("revisit", capture.is_revisit)
      .finish();
}

// The filter of a list of pages.
struct PageFilter {
  std::optional<std::uint32_t> archive;
  std::string prefix;
  std::string contains;
  std::string type;
  std::string status;

  bool fits(const captures::UrlEntry& entry, const captures::EntryOf& known,
            const captures::CaptureIndex& index) const {
    if (known.is_empty() || !entry.url.starts_with(prefix)) return false;
    if (!contains.empty() && !entry.url.contains(contains) &&
        !(entry.fetched && entry.fetched->title.contains(contains))) {
      return false;
    }
    const captures::Capture* const last = known.last;
    if (!type.empty() &&
        (last == nullptr || captures::type_group(index.type_name(last->type)) != type)) {
      return false;
    }
    if (status.empty()) return true;
    if (status == "error") return known.outcome() == crawler::Outcome::error;
    const int code = last != nullptr ? last->status : known.fetched->status;
    return fmt::format("{}", code) == status;
  }
};

std::string page_json(const captures::UrlEntry& entry, const captures::EntryOf& known,
                      const captures::CaptureIndex& index) {
  const auto& [last, fetched] = known;
  JsonLine line;
  line.text("url", entry.url);
  add_text_or_null(line, "title", entry.fetched ? entry.fetched->title : std::string());
  const std::uint64_t status = last != nullptr ? last->status : fetched->status;
  if (status == 0) {
    line.null("status");
  } else {
    line.number("status", status);
  }
  add_text_or_null(line, "type", last != nullptr ? index.type_name(last->type) : "");
  line.number("bytes", last != nullptr ? last->bytes : 0);
  if (fetched != nullptr) {
    line.number("depth", fetched->depth);
  } else {
    line.null("depth");
  }
  add_time_or_null(line, "captured", last != nullptr ? std::optional(last->at) : std::nullopt);
  line.number("captures", entry.captures.size());
  line.number("archive", last != nullptr ? last->archive : fetched->archive);
  line.text("outcome", crawler::name(known.outcome()));
  add_text_or_null(line, "error", fetched != nullptr ? fetched->error : std::string());
  return line.finish();
}

}  // namespace

std::string archives_json(const captures::Collection& collection, Search& search,
                          const std::map<std::uint32_t, std::size_t>& crawls) {
  const std::vector<std::string> index_failures = search.failures_of_indexes();
  return collection.read([&](const auto& archives, const captures::CaptureIndex& index) {
    const std::vector<Extent> extents = extents_of(index, archives.size());
    JsonArray array;
    for (std::size_t i = 0; i < archives.size(); ++i) {
      const captures::ServedArchive& archive = archives[i];
      JsonLine line;
      line.number("archive", i).text("name", archive.name).text("kind", name(archive.kind));
      add_text_or_null(line, "state", archive.state);
      line.boolean("reading", !archive.has_been_read)
          .number("captures", archive.captures)
          .number("urls", extents[i].urls)
          .number("pages", extents[i].pages)
          .number("bytes", archive.bytes);
      add_time_or_null(line, "first", extents[i].first);
      add_time_or_null(line, "last", extents[i].last);
      line.raw("roots", text_array(archive.roots))
          .number("damage", archive.damage + archive.job_damage);
      std::error_code failure;
      line.boolean("searchable", std::filesystem::exists(index_path_of(archive), failure));
      const auto crawl = crawls.find(static_cast<std::uint32_t>(i));
      if (crawl == crawls.end()) {
        line.null("crawl");
      } else {
        line.number("crawl", crawl->second);
      }
      const bool is_known = archive.failure.empty() && i < index_failures.size();
      add_text_or_null(line, "error", is_known ? index_failures[i] : archive.failure);
      array.add(line.finish());
    }
    return array.finish();
  });
}

std::string view_json(const ViewState& state) {
  JsonLine line;
  line.text("url", state.url);
  const auto if_archived = [&state](WallTime time) {
    return state.is_archived ? std::optional(time) : std::nullopt;
  };
  add_time_or_null(line, "captured", if_archived(state.at));
  line.number("status", static_cast<std::uint64_t>(state.status))
      .boolean("archived", state.is_archived);
  add_time_or_null(line, "requested", state.requested);
  const std::int64_t off = state.requested ? state.at.seconds - state.requested->seconds : 0;
  line.number("seconds_off", state.is_archived ? static_cast<std::uint64_t>(std::llabs(off)) : 0)
      .number("archive", state.archive)
      .raw("misses", text_array(state.misses));
  add_time_or_null(line, "first", if_archived(state.first));
  add_time_or_null(line, "last", if_archived(state.last));
  return line.finish();
}

server::Response answer_captures(const captures::Collection& collection,
                                 const server::Request& request) {
  ApiParameters parameters(request);
  const std::string text = parameters.text("url");
  const auto at = parameters.time("at");
  const auto archive = parameters.archive(collection);
  const auto url = url::Url::parse(text);
  if (!url) parameters.reject("url must be a URL");
  if (parameters.is_bad()) return parameters.rejection();
  return collection.read([&](const auto&, const captures::CaptureIndex& index) {
    std::vector<const captures::Capture*> captures = index.captures_of(url->without_fragment());
    if (archive) std::erase_if(captures, [&](const auto* one) { return one->archive != *archive; });
    JsonArray array;
    for (std::size_t i = 0; i < std::min(captures.size(), kCapturesMax); ++i) {
      array.add(capture_json(*captures[i], index));
    }
    JsonLine line;
    line.text("url", url->without_fragment()).raw("captures", array.finish());
    line.number("total", captures.size());
    std::optional<WallTime> nearest;
    std::optional<WallTime> previous;
    std::optional<WallTime> next;
    std::int64_t off = 0;
    if (!captures.empty()) {
      const WallTime wanted = at.value_or(captures.back()->at);
      const std::size_t found = captures::nearest_capture(captures, wanted);
      nearest = captures[found]->at;
      off = std::llabs(nearest->seconds - wanted.seconds);
      if (found > 0) previous = captures[found - 1]->at;
      if (found + 1 < captures.size()) next = captures[found + 1]->at;
    }
    add_time_or_null(line, "nearest", nearest);
    line.number("seconds_off", static_cast<std::uint64_t>(off));
    add_time_or_null(line, "previous", previous);
    add_time_or_null(line, "next", next);
    return server::json_response(200, line.finish());
  });
}

server::Response answer_pages(const captures::Collection& collection,
                              const server::Request& request, const captures::WorkLimit& limit) {
  ApiParameters parameters(request);
  const PageFilter filter = {.archive = parameters.archive(collection),
                             .prefix = parameters.text("prefix"),
                             .contains = parameters.text("contains"),
                             .type = parameters.text("type"),
                             .status = parameters.text("status")};
  const std::string after = parameters.text("after");
  const std::uint64_t count_max = parameters.number("limit", kPagesDefault, kPagesMax);
  if (parameters.is_bad()) return parameters.rejection();
  return collection.read([&](const auto&, const captures::CaptureIndex& index) {
    JsonArray array;
    std::uint64_t count = 0;
    std::string last_key;
    bool has_more = false;
    for (auto at = index.entries().upper_bound(after); at != index.entries().end(); ++at) {
      if (limit.is_over()) return slow_response();
      const captures::EntryOf known(at->second, filter.archive);
      if (!filter.fits(at->second, known, index)) continue;
      has_more = count == count_max;
      if (has_more) break;
      array.add(page_json(at->second, known, index));
      last_key = at->first;
      ++count;
    }
    JsonLine line;
    line.raw("pages", array.finish());
    add_text_or_null(line, "next", has_more ? last_key : std::string());
    return server::json_response(200, line.finish());
  });
}

server::Response answer_missing(const captures::Collection& collection,
                                const server::Request& request, captures::PartsFrom parts_from,
                                const captures::WorkLimit& limit) {
  ApiParameters parameters(request);
  const std::string url = parameters.text("url");
  const auto at = parameters.time("at");
  if (url.empty()) parameters.reject("url is missing");
  if (parameters.is_bad()) return parameters.rejection();
  const auto found = captures::find_missing_parts(collection, url, at, parts_from, limit);
  if (limit.is_over()) return slow_response();
  if (!found) return server::error_response(404, found.error().detail());
  JsonArray array;
  for (const captures::MissingPart& part : found->missing) {
    array.add(
        JsonLine().text("url", part.url).text("kind", part.kind).text("from", part.from).finish());
  }
  return server::json_response(200, JsonLine()
                                        .text("url", found->url)
                                        .text("captured", warc::timestamp14(found->at))
                                        .number("parts", found->parts)
                                        .raw("missing", array.finish())
                                        .finish());
}

}  // namespace gossamer::serve

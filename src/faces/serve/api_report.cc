#include <algorithm>
#include <utility>

#include "base/version.h"
#include "engine/setup/options.h"
#include "report/collector.h"
#include "report/json_report.h"
#include "report/phrases.h"
#include "serve/api.h"
#include "serve/api_parameters.h"
#include "settings/random_salt.h"
#include "store/stored_crawl.h"

namespace gossamer::serve {
namespace {

// The parts of a report while its records arrive.
struct Gathering {
  report::Collector collector;
  crawler::Statistics totals = {};
  WallTime last = {};

  void add(const crawler::FetchRecord& record) {
    collector.add(record);
    last = std::max(last, record.ts);
  }
  std::string finish(report::Occasion occasion) && {
    const std::int64_t seconds = std::max<std::int64_t>(0, last.seconds - occasion.started.seconds);
    occasion.took = std::chrono::seconds(seconds);
    occasion.version = base::kVersion;
    return report::to_json(std::move(collector).finish(std::move(occasion), totals));
  }
};

Gathering gather_from(WallTime started) {
  return {.collector =
              report::Collector(crawler::Settings().identity, run::random_salt(), started)};
}

// Ends early if the limit is over.
Result<std::string> report_of_crawl(const captures::ServedArchive& archive,
                                    const captures::WorkLimit& limit) {
  const auto crawl = store::StoredCrawl::open(archive.path);
  if (!crawl) return fail(crawl.error().copy());
  auto totals = crawl->statistics();
  if (!totals) return fail(std::move(totals).error());
  // The beginning is not stored, but the first request is.
  std::optional<WallTime> started;
  auto looked = crawl->for_each_page([&](const crawler::FetchRecord& record) {
    started = started ? std::min(*started, record.ts) : record.ts;
    return !limit.is_over();
  });
  if (!looked) return fail(std::move(looked).error());
  Gathering gathering = gather_from(started.value_or(WallTime()));
  auto read = crawl->for_each_page([&](const crawler::FetchRecord& record) {
    gathering.add(record);
    return !limit.is_over();
  });
  if (!read) return fail(std::move(read).error());
  auto skipped = crawl->for_each_skip([&](const store::StoredSkip& skip) {
    gathering.collector.skip({.url = skip.url,
                              .reason = skip.reason,
                              .via = skip.via,
                              .depth = skip.depth,
                              .detail = skip.detail});
    return !limit.is_over();
  });
  if (!skipped) return fail(std::move(skipped).error());
  gathering.totals = std::move(*totals);
  return std::move(gathering).finish({.roots = archive.roots,
                                      .version = {},
                                      .started = started.value_or(WallTime()),
                                      .took = {},
                                      .end = report::end_named(crawl->end())});
}

std::string report_of_captures(const captures::CaptureIndex& index, std::uint32_t archive,
                               const captures::WorkLimit& limit) {
  std::optional<WallTime> started;
  for (const auto& [key, entry] : index.entries()) {
    for (const captures::Capture& capture : entry.captures) {
      if (capture.archive != archive) continue;
      started = started ? std::min(*started, capture.at) : capture.at;
    }
  }
  Gathering gathering = gather_from(started.value_or(WallTime()));
  for (const auto& [key, entry] : index.entries()) {
    if (limit.is_over()) break;
    for (const captures::Capture& capture : entry.captures) {
      if (capture.archive != archive) continue;
      crawler::FetchRecord record;
      record.ts = capture.at;
      record.url = capture.url;
      if (capture.status != 0) record.status = capture.status;
      record.mime = index.type_name(capture.type);
      record.bytes = capture.bytes;
      record.wire_bytes = capture.bytes;
      gathering.add(record);
      gathering.totals.add(record);
    }
  }
  return std::move(gathering).finish({.roots = {},
                                      .version = {},
                                      .started = started.value_or(WallTime()),
                                      .took = {},
                                      .end = crawler::EndReason::finished});
}

}  // namespace

server::Response answer_report(const captures::Collection& collection,
                               const server::Request& request, const captures::WorkLimit& limit) {
  ApiParameters parameters(request);
  const std::uint32_t number = parameters.archive(collection).value_or(0);
  if (parameters.is_bad()) return parameters.rejection();
  const auto served = collection.read([number](const auto& archives, const auto&) {
    return number < archives.size() ? std::optional(archives[number]) : std::nullopt;
  });
  if (!served) return server::error_response(404, "no archive is served");
  const captures::ServedArchive& archive = *served;
  if (archive.kind != captures::ServedArchive::Kind::job) {
    const std::string report =
        collection.read([&](const auto&, const captures::CaptureIndex& index) {
          return report_of_captures(index, number, limit);
        });
    return limit.is_over() ? slow_response() : server::json_response(200, report);
  }
  const auto report = report_of_crawl(archive, limit);
  if (limit.is_over()) return slow_response();
  if (!report) return server::error_response(500, report.error().message());
  return server::json_response(200, *report);
}

}  // namespace gossamer::serve

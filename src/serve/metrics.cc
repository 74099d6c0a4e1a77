#include "serve/metrics.h"

#include <fmt/format.h>

#include "serve/collection.h"
#include "serve/http_server.h"

namespace gossamer::serve {
namespace {

std::string label_text(Metrics::Label label) {
  std::string text = fmt::format("{}=\"", label.name);
  for (const char c : label.value) {
    if (c == '\\' || c == '"') text.push_back('\\');
    if (c == '\n') {
      text += "\\n";
    } else {
      text.push_back(c);
    }
  }
  return text + '"';
}

}  // namespace

void Metrics::add(Kind kind, std::string_view name, std::string_view help, std::uint64_t value,
                  Label first, Label second) {
  std::string labels;
  if (!first.name.empty()) labels = label_text(first);
  if (!second.name.empty()) labels += "," + label_text(second);
  Family& family = families_[std::string(name)];
  family.kind = kind;
  family.help = help;
  family.values[labels] += value;
}

std::string Metrics::text() const {
  std::string text;
  for (const auto& [name, family] : families_) {
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, family.help, name,
                        family.kind == Kind::counter ? "counter" : "gauge");
    for (const auto& [labels, value] : family.values) {
      text += labels.empty() ? fmt::format("{} {}\n", name, value)
                             : fmt::format("{}{{{}}} {}\n", name, labels, value);
    }
  }
  return text;
}

void add_server(Metrics& metrics, const HttpServer& server) {
  metrics.add(Metrics::Kind::gauge, "gossamer_serve_connections", "Open connections.",
              server.connections());
  for (const auto& [status, count] : server.answers()) {
    metrics.add(Metrics::Kind::counter, "gossamer_serve_requests_total", "Answers by status.",
                count, {"code", fmt::format("{}", status)});
  }
}

void add_archives(Metrics& metrics, const Collection& collection) {
  collection.read([&metrics](const auto& archives, const auto&) {
    for (const ServedArchive& archive : archives) {
      metrics.add(Metrics::Kind::gauge, "gossamer_archive_captures", "Captures of an archive.",
                  archive.captures, {"archive", archive.name});
    }
    return 0;
  });
}

void add_crawl(Metrics& metrics, std::string_view name, const run::CrawlStatus& status) {
  using enum Metrics::Kind;
  const Metrics::Label crawl = {"crawl", name};
  metrics.add(counter, "gossamer_crawl_pages_total", "Fetched URLs.", status.pages, crawl);
  metrics.add(counter, "gossamer_crawl_bytes_total", "Bytes received.", status.wire_bytes, crawl);
  metrics.add(gauge, "gossamer_crawl_in_flight", "Requests in flight.", status.in_flight, crawl);
  metrics.add(gauge, "gossamer_crawl_waiting", "Queued URLs.", status.waiting, crawl);
  metrics.add(gauge, "gossamer_crawl_hosts", "Hosts met.", status.hosts, crawl);
  for (const auto& [cause, count] : status.errors) {
    metrics.add(counter, "gossamer_crawl_errors_total", "Failed fetches by cause.", count, crawl,
                {"cause", cause});
  }
}

}  // namespace gossamer::serve

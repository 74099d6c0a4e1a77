// Requests to the server, as many as it can answer on one core: a static file next to nginx, then
// searches and replayed pages. wrk sends them. The figures are the time per answer.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "bench/index/documents.h"
#include "bench/serve/benchmarks.h"
#include "bench/serve/serve_process.h"
#include "bench/servers/servers.h"
#include "bench/servers/wrk.h"
#include "bench/support/samples.h"
#include "bench/support/temporary_folder.h"
#include "serve/static_files.h"

namespace gossamer::bench {
namespace {

constexpr std::string_view kFile = "/app.js";
constexpr const char* kConnections = "-c16";

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    if (c == '<') html += "&lt;";
    if (c == '&') html += "&amp;";
    if (c != '<' && c != '&') html += c;
  }
  return html;
}

// The documents as an archive, each with a link to the next one.
std::string archive_of(const IndexedDocuments& documents) {
  std::string archive;
  for (std::size_t i = 0; i < documents.pages.size(); ++i) {
    const IndexedDocument& page = documents.pages[i];
    const IndexedDocument& next = documents.pages[(i + 1) % documents.pages.size()];
    const std::string block = fmt::format(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        "<!doctype html><title>{}</title><p>{}<p><a href=\"{}\">next</a>",
        i, escaped(page.text.main), next.url);
    archive += fmt::format(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\n"
        "WARC-Date: 2026-01-31T12:00:00Z\r\nWARC-Record-ID: <urn:uuid:{}>\r\n"
        "Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
        page.url, i, block.size(), block);
  }
  return archive;
}

double us_each(const FetchCost& cost) { return cost.wall_us / cost.answers; }

}  // namespace

void served_requests(const Options& options, Report& report) {
  if (!Nginx::is_installed() || !wrk_is_installed()) {
    std::fputs("serve: nginx and wrk are not installed\n", stderr);
    return;
  }
  const IndexedDocuments& documents = indexed_documents(options.quick);
  if (documents.pages.empty()) return;
  const TemporaryFolder folder;
  folder.write("a.warc", archive_of(documents));
  fill_index(documents, folder.path() + "/search.db");
  const base::EmbeddedFile* const file = serve::find_static_file(kFile);
  const TemporaryFolder root;
  root.write(kFile.substr(1), file->bytes);
  const Nginx nginx(root.path());
  const ServeProcess server(folder.path() + "/a.warc", folder.path());

  const std::string token = "Authorization: Bearer " + server.token();
  const auto search = [&](std::string_view words) {
    return std::vector<std::string>{kConnections, "-H", token,
                                    fmt::format("{}/api/v1/search?q={}", server.origin(), words)};
  };
  const std::string page = documents.pages[documents.pages.size() / 2].url;
  server.wait_for(page);
  const std::vector<std::pair<std::string, std::vector<std::string>>> contestants = {
      {"nginx",
       {kConnections, fmt::format("http://{}{}", nginx.endpoints().front().to_string(), kFile)}},
      {"static file", {kConnections, server.origin() + std::string(kFile)}},
      {"search, a rare word", search("tablespace")},
      {"search, two words", search("index+scan")},
      {"replayed page", {kConnections, fmt::format("{}/latest/{}", server.replay(), page)}},
  };
  const auto samples = in_turns(options.quick ? 1 : 3, contestants.size(), [&](std::size_t which) {
    return us_each(run_wrk(contestants[which].second, options.quick ? 1 : 5));
  });
  report.heading(fmt::format("Answers of one core, {} pages in the archive, 16 connections",
                             documents.pages.size()));
  const double floor = median(samples[0]);
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    Figure figure = {
        .name = "serve/" + contestants[i].first, .value = median(samples[i]), .unit = "us"};
    if (i == 1) figure.floor = floor;
    report.add(std::move(figure));
  }
}

}  // namespace gossamer::bench

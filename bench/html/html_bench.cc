// Links and text of real pages, compared with libxml2's SAX parser, which only counts href and src.
#include <fmt/format.h>
#include <libxml/HTMLparser.h>

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "bench/html/benchmarks.h"
#include "bench/html/corpus.h"
#include "html/page_reader.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

constexpr std::size_t kWholePage = std::size_t{1} << 30;

// Counts, so that no work is optimised away and contestants can be compared.
class CountingConsumer final : public html::PageConsumer {
 public:
  void link(const html::Link& link) override {
    ++links;
    url_bytes += link.url.size();
  }
  void anchor_text(std::string_view text) override { text_bytes += text.size(); }
  void text(std::string_view piece) override { text_bytes += piece.size(); }

  std::size_t links = 0;
  std::size_t url_bytes = 0;
  std::size_t text_bytes = 0;
};

// Resolves, normalises and fingerprints every link, as a crawler does to recognise seen pages.
class ResolvingConsumer final : public html::PageConsumer {
 public:
  void begin_page(std::string_view address) {
    if (base_.assign(address) != url::UrlFailure::none) base_ = {};
  }
  void link(const html::Link& link) override {
    if (url_.assign(link.url, &base_) != url::UrlFailure::none) return;
    fingerprint ^= identity_.fingerprint(url_);
    ++links;
  }

  std::size_t links = 0;
  std::uint64_t fingerprint = 0;

 private:
  url::Url base_;
  url::Url url_;
  url::CrawlIdentity identity_;
};

void feed(html::PageReader& reader, std::string_view page, std::size_t piece_bytes) {
  for (std::size_t at = 0; at < page.size(); at += piece_bytes) {
    reader.feed(page.substr(at, piece_bytes));
  }
  reader.finish();
}

void read_pages(const Corpus& pages, const html::PageOptions& options, std::size_t piece_bytes,
                CountingConsumer& consumer) {
  for (const CorpusPage& page : pages.pages) {
    html::PageReader reader(options, consumer);
    feed(reader, page.html, piece_bytes);
  }
}

void resolve_links(const Corpus& pages, ResolvingConsumer& consumer) {
  for (const CorpusPage& page : pages.pages) {
    consumer.begin_page("https://docs.example.org" + page.path);
    html::PageReader reader({.link_options = {.anchor_text = false}}, consumer);
    feed(reader, page.html, kWholePage);
  }
}

// libxml2: SAX events, href and src of any element counted.
void count_links(void* user, const xmlChar* /*name*/, const xmlChar** attributes) {
  if (attributes == nullptr) return;
  auto& links = *static_cast<std::size_t*>(user);
  for (; attributes[0] != nullptr; attributes += 2) {
    const std::string_view name(reinterpret_cast<const char*>(attributes[0]));
    if (name == "href" || name == "src") ++links;
  }
}

std::size_t libxml2_links(const Corpus& pages) {
  std::size_t links = 0;
  htmlSAXHandler sax = {};
  sax.startElement = count_links;
  for (const CorpusPage& page : pages.pages) {
    htmlParserCtxtPtr context =
        htmlCreatePushParserCtxt(&sax, &links, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8);
    htmlParseChunk(context, page.html.data(), static_cast<int>(page.html.size()), 1);
    htmlFreeParserCtxt(context);
  }
  return links;
}

// Nanoseconds of processor time per kilobyte of page.
template <class Work>
double ns_per_kb(const Corpus& pages, Work work) {
  const double begin = process_cpu_ns();
  work();
  return (process_cpu_ns() - begin) / (static_cast<double>(pages.bytes) / 1000);
}

struct Contestant {
  std::string_view name;
  double times_faster;  // than libxml2; 0: no target
  std::move_only_function<void()> run;
};

}  // namespace

void link_extraction(const Options& options, Report& report) {
  const Corpus& pages = corpus(options.quick);
  if (pages.pages.empty()) return;
  const html::PageOptions plain = {.link_options = {.anchor_text = false}};
  CountingConsumer found;
  CountingConsumer counted;
  ResolvingConsumer resolved;
  std::size_t libxml2_count = 0;
  std::vector<Contestant> contestants;
  contestants.push_back(
      {"links/libxml2 SAX, href and src only", 0, [&] { libxml2_count = libxml2_links(pages); }});
  contestants.push_back({"links/found and classified", 12, [&] {
                           found = {};
                           read_pages(pages, plain, kWholePage, found);
                         }});
  contestants.push_back(
      {"links/the same in 4 KB pieces", 0, [&] { read_pages(pages, plain, 4096, counted); }});
  contestants.push_back(
      {"links/with anchor texts", 0, [&] { read_pages(pages, {}, kWholePage, counted); }});
  contestants.push_back({"links/resolved, normalised, fingerprinted", 8, [&] {
                           resolved = {};
                           resolve_links(pages, resolved);
                         }});
  const auto samples = in_turns(options.quick ? 1 : 5, contestants.size(), [&](std::size_t i) {
    return ns_per_kb(pages, [&] { contestants[i].run(); });
  });
  report.heading(fmt::format(
      "{} links of {} pages, {} MB; href and src by libxml2: {} (1 GB/s is 1,000 ns/KB)",
      found.links, pages.pages.size(), pages.bytes / 1000000, libxml2_count));
  const double libxml2 = median(samples[0]);
  const double whole = median(samples[1]);
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    const double value = median(samples[i]);
    Figure figure = {.name = std::string(contestants[i].name), .value = value, .unit = "ns/KB"};
    if (i > 0) figure.floor = libxml2;
    if (contestants[i].times_faster > 0) figure.target = libxml2 / contestants[i].times_faster;
    if (i == 2) figure.target = whole * 1.1;
    report.add(figure);
  }
}

void visible_text(const Options& options, Report& report) {
  const Corpus& pages = corpus(options.quick);
  if (pages.pages.empty()) return;
  CountingConsumer counted;
  const html::PageOptions text = {.links = false, .text = true};
  const html::PageOptions all = {.links = true, .facts = true, .text = true};
  const auto samples = in_turns(options.quick ? 1 : 5, 2, [&](std::size_t i) {
    return ns_per_kb(pages, [&] { read_pages(pages, i == 0 ? text : all, kWholePage, counted); });
  });
  report.heading("visible text (200 MB/s are 5,000 ns/KB)");
  const double value = median(samples[0]);
  report.add({.name = "text/visible text", .value = value, .unit = "ns/KB", .target = 1e6 / 200});
  const double together = median(samples[1]);
  report.add({.name = "text/with links and facts", .value = together, .unit = "ns/KB"});
}

}  // namespace gossamer::bench

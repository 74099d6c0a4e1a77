// Contents of real pages: fields by selectors, main text, Markdown. The time of the tree is part of
// each row, and a row of its own.
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "bench/html/benchmarks.h"
#include "bench/html/content_peers.h"
#include "bench/html/corpus.h"
#include "content/content_text.h"
#include "content/extractor.h"
#include "content/main_content.h"
#include "content/markdown.h"
#include "dom/parse.h"

namespace gossamer::bench {
namespace {

constexpr std::size_t kTextBytesMax = std::size_t{16} * 1024 * 1024;

// Return a number, so that nothing can be optimised away.
std::size_t trees_alone(const Corpus& pages) {
  std::size_t nodes = 0;
  for (const CorpusPage& page : pages.pages) nodes += dom::parse(page.html).node_count();
  return nodes;
}

std::size_t fields_by_selectors(const Corpus& pages) {
  const auto extractor = content::Extractor::compile(
      std::vector<std::string>{"title=h1; first=p; links[]=li > a[href]@href; code[]=pre.cpp"});
  std::size_t values = 0;
  for (const CorpusPage& page : pages.pages) {
    const dom::Document document = dom::parse(page.html);
    for (const auto& field : extractor->extract(document, {}).fields) values += field.values.size();
  }
  return values;
}

std::size_t main_texts(const Corpus& pages) {
  std::size_t bytes = 0;
  for (const CorpusPage& page : pages.pages) {
    const dom::Document document = dom::parse(page.html);
    bytes += content::to_text(content::find_main_content(document), kTextBytesMax).size();
  }
  return bytes;
}

std::size_t markdown_texts(const Corpus& pages) {
  std::size_t bytes = 0;
  for (const CorpusPage& page : pages.pages) {
    const dom::Document document = dom::parse(page.html);
    bytes += content::to_markdown(content::find_main_content(document), document, {}).size();
  }
  return bytes;
}

struct ContentContestant {
  std::string_view name;
  std::size_t (*run)(const Corpus& pages);
};

constexpr ContentContestant kContentContestants[] = {
    {"content/tree alone", trees_alone},
    {"content/four fields by selectors", fields_by_selectors},
    {"content/main text", main_texts},
    {"content/main text as Markdown", markdown_texts},
};

// The peers beside ours, on the same sample: how many times as long they take.
void add_peers(const Options& options, const Corpus& pages, Report& report) {
  const Corpus sample = sample_of(pages, options.quick ? 30 : 300);
  const std::size_t rounds = options.quick ? 1 : 3;
  const auto us_per_page = [&sample](double nanoseconds) {
    return nanoseconds / 1000 / static_cast<double>(sample.pages.size());
  };
  report.heading(fmt::format("contents of {} of these pages, {} KB, beside others",
                             sample.pages.size(), sample.bytes / 1000));
  for (const ContentPeer& peer : content_peers()) {
    const auto ours = in_turns(rounds, 1, [&](std::size_t) {
      const double begin = process_cpu_ns();
      static_cast<void>(peer.finds_main_text ? main_texts(sample) : fields_by_selectors(sample));
      return process_cpu_ns() - begin;
    });
    const auto theirs = measure_peer(peer, sample, rounds);
    if (!theirs) continue;
    report.add({.name = "content/" + peer.name + ", per page",
                .value = us_per_page(*theirs),
                .unit = "us",
                .floor = us_per_page(median(ours[0]))});
  }
}

}  // namespace

void page_contents(const Options& options, Report& report) {
  const Corpus& pages = corpus(options.quick);
  if (pages.pages.empty()) return;
  const std::size_t count = std::size(kContentContestants);
  std::vector<std::size_t> results(count);
  const auto samples = in_turns(options.quick ? 1 : 3, count, [&](std::size_t i) {
    const double begin = process_cpu_ns();
    results[i] = kContentContestants[i].run(pages);
    return (process_cpu_ns() - begin) / (static_cast<double>(pages.bytes) / 1000);
  });
  report.heading(fmt::format("contents of {} pages, {} MB; {} bytes of main text",
                             pages.pages.size(), pages.bytes / 1000000, results[2]));
  for (std::size_t i = 0; i < count; ++i) {
    const double value = median(samples[i]);
    report.add({.name = std::string(kContentContestants[i].name), .value = value, .unit = "ns/KB"});
    const double page_bytes =
        static_cast<double>(pages.bytes) / static_cast<double>(pages.pages.size());
    report.add({.name = std::string(kContentContestants[i].name) + ", per page",
                .value = value * page_bytes / 1e6,
                .unit = "us"});
  }
  add_peers(options, pages, report);
}

}  // namespace gossamer::bench

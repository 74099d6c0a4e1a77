// Trees of real pages, beside the trees of libxml2 and gumbo. A contestant makes one tree per page
// and frees it.
#include <fmt/format.h>
#include <libxml/HTMLparser.h>
#ifdef GOSSAMER_BENCH_GUMBO
#include <gumbo.h>
#endif

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "bench/html/benchmarks.h"
#include "bench/html/corpus.h"
#include "dom/parse.h"

namespace gossamer::bench {
namespace {

// Return how many nodes there are, so that nothing can be optimised away.
std::size_t our_trees(const Corpus& pages) {
  std::size_t nodes = 0;
  for (const CorpusPage& page : pages.pages) nodes += dom::parse(page.html).node_count();
  return nodes;
}

std::size_t libxml2_trees(const Corpus& pages) {
  std::size_t trees = 0;
  for (const CorpusPage& page : pages.pages) {
    constexpr int kOptions = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                             HTML_PARSE_NONET | HTML_PARSE_COMPACT;
    const htmlDocPtr tree = htmlReadMemory(page.html.data(), static_cast<int>(page.html.size()),
                                           nullptr, "UTF-8", kOptions);
    trees += tree == nullptr ? 0 : 1;
    xmlFreeDoc(tree);
  }
  return trees;
}

#ifdef GOSSAMER_BENCH_GUMBO
std::size_t gumbo_trees(const Corpus& pages) {
  std::size_t trees = 0;
  for (const CorpusPage& page : pages.pages) {
    GumboOutput* const tree =
        gumbo_parse_with_options(&kGumboDefaultOptions, page.html.data(), page.html.size());
    trees += tree == nullptr ? 0 : 1;
    gumbo_destroy_output(&kGumboDefaultOptions, tree);
  }
  return trees;
}
#endif

struct TreeContestant {
  std::string_view name;
  std::size_t (*run)(const Corpus& pages);
};

constexpr TreeContestant kTreeContestants[] = {
    {"tree/libxml2, htmlReadMemory", libxml2_trees},
    {"tree/ours", our_trees},
#ifdef GOSSAMER_BENCH_GUMBO
    {"tree/gumbo", gumbo_trees},
#endif
};
constexpr double kTimesFasterThanLibxml2 = 5;

}  // namespace

void page_trees(const Options& options, Report& report) {
  const Corpus& pages = corpus(options.quick);
  if (pages.pages.empty()) return;
  std::vector<std::size_t> counts(std::size(kTreeContestants));
  const auto samples = in_turns(options.quick ? 1 : 5, counts.size(), [&](std::size_t i) {
    const double begin = process_cpu_ns();
    counts[i] = kTreeContestants[i].run(pages);
    return (process_cpu_ns() - begin) / (static_cast<double>(pages.bytes) / 1000);
  });
  report.heading(fmt::format("trees of {} pages, {} MB: {} nodes (1 GB/s is 1,000 ns/KB)",
                             pages.pages.size(), pages.bytes / 1000000, counts[1]));
  const double libxml2 = median(samples[0]);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double value = median(samples[i]);
    Figure figure = {
        .name = std::string(kTreeContestants[i].name), .value = value, .unit = "ns/KB"};
    if (i == 1) {
      figure.floor = libxml2;
      figure.target = libxml2 / kTimesFasterThanLibxml2;
    }
    report.add(figure);
  }
}

}  // namespace gossamer::bench

// Measures a link from its text in a page to its fingerprint: parsed, resolved, normalised.
// Compared with libcurl's URL API and Boost.URL, if the build has them (GOSSAMER_BENCH_CURL,
// GOSSAMER_BENCH_BOOST_URL).
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#ifdef GOSSAMER_BENCH_CURL
#include <curl/curl.h>
#endif
#ifdef GOSSAMER_BENCH_BOOST_URL
#include <boost/url.hpp>
#endif

#include "base/hash.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "bench/html/benchmarks.h"
#include "bench/html/corpus.h"
#include "html/page_reader.h"
#include "url/crawl_identity.h"
#include "url/surt.h"
#include "url/url.h"

namespace {
// The number of allocations. One thread measures, so it need not be atomic.
std::uint64_t allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace gossamer::bench {
namespace {

constexpr double kLinksPerSecondMin = 3e6;

// The links of one page; each ends with a zero, as libcurl requires.
struct PageLinks {
  std::string address;
  std::vector<std::string> links;
};

class LinkCollector final : public html::PageConsumer {
 public:
  explicit LinkCollector(std::vector<std::string>& links) : links_(links) {}
  void link(const html::Link& link) override { links_.emplace_back(link.url); }

 private:
  std::vector<std::string>& links_;
};

struct Links {
  std::vector<PageLinks> pages;
  std::size_t count = 0;
};

Links collect_links(bool quick) {
  Links all;
  for (const CorpusPage& page : corpus(quick).pages) {
    PageLinks found = {.address = "https://docs.example.org" + page.path, .links = {}};
    LinkCollector collector(found.links);
    html::PageReader reader({.link_options = {.anchor_text = false}}, collector);
    reader.feed(page.html);
    reader.finish();
    all.count += found.links.size();
    all.pages.push_back(std::move(found));
  }
  return all;
}

// The result of all contestants, so that no work is optimised away.
struct Outcome {
  std::uint64_t fingerprints = 0;
  std::size_t refused = 0;
};

template <bool kNormalise>
Outcome with_gossamer(const Links& links) {
  Outcome outcome;
  url::Url base;
  url::Url link;
  url::CrawlIdentity identity;
  for (const PageLinks& page : links.pages) {
    if (base.assign(page.address) != url::UrlFailure::none) continue;
    for (const std::string& text : page.links) {
      if (link.assign(text, &base) != url::UrlFailure::none) {
        ++outcome.refused;
      } else if constexpr (kNormalise) {
        outcome.fingerprints ^= identity.fingerprint(link);
      } else {
        outcome.fingerprints ^= link.href().size();
      }
    }
  }
  return outcome;
}

// The minimum: copies the text of the page and the link once and hashes it.
Outcome copied_and_hashed(const Links& links) {
  Outcome outcome;
  std::string whole;
  for (const PageLinks& page : links.pages) {
    const std::string_view folder(page.address.data(), page.address.rfind('/') + 1);
    for (const std::string& text : page.links) {
      whole.assign(folder);
      whole.append(text);
      outcome.fingerprints ^= base::hash64(whole);
    }
  }
  return outcome;
}

#ifdef GOSSAMER_BENCH_CURL
Outcome with_libcurl(const Links& links) {
  Outcome outcome;
  for (const PageLinks& page : links.pages) {
    CURLU* const base = curl_url();
    if (curl_url_set(base, CURLUPART_URL, page.address.c_str(), 0) != CURLUE_OK) continue;
    for (const std::string& text : page.links) {
      CURLU* const link = curl_url_dup(base);
      char* whole = nullptr;
      if (curl_url_set(link, CURLUPART_URL, text.c_str(), CURLU_URLENCODE) != CURLUE_OK ||
          curl_url_set(link, CURLUPART_FRAGMENT, nullptr, 0) != CURLUE_OK ||
          curl_url_get(link, CURLUPART_URL, &whole, CURLU_NO_DEFAULT_PORT) != CURLUE_OK) {
        ++outcome.refused;
      } else {
        outcome.fingerprints ^= base::hash64(std::string_view(whole));
      }
      curl_free(whole);
      curl_url_cleanup(link);
    }
    curl_url_cleanup(base);
  }
  return outcome;
}
#endif

#ifdef GOSSAMER_BENCH_BOOST_URL
Outcome with_boost_url(const Links& links) {
  Outcome outcome;
  boost::urls::url whole;
  for (const PageLinks& page : links.pages) {
    const auto base = boost::urls::parse_uri(page.address);
    if (!base) continue;
    for (const std::string& text : page.links) {
      const auto reference = boost::urls::parse_uri_reference(text);
      if (!reference || !boost::urls::resolve(*base, *reference, whole)) {
        ++outcome.refused;
        continue;
      }
      whole.normalize();
      whole.remove_fragment();
      outcome.fingerprints ^= base::hash64(std::string_view(whole.buffer()));
    }
  }
  return outcome;
}
#endif

struct UrlContestant {
  std::string name;
  Outcome (*run)(const Links& links);
  Outcome outcome = {};
};

std::vector<UrlContestant> contestants() {
  std::vector<UrlContestant> all = {
      {"url/copied and hashed, nothing more", copied_and_hashed},
      {"url/parse, resolve, normalise, fingerprint", with_gossamer<true>},
      {"url/parse and resolve", with_gossamer<false>},
  };
#ifdef GOSSAMER_BENCH_CURL
  all.push_back({"url/libcurl", with_libcurl});
#else
  std::fputs("bench_html was built without libcurl: not measured\n", stderr);
#endif
#ifdef GOSSAMER_BENCH_BOOST_URL
  all.push_back({"url/Boost.URL", with_boost_url});
#else
  std::fputs("bench_html was built without Boost.URL: not measured\n", stderr);
#endif
  return all;
}

double allocations_per_link(const Links& links) {
  with_gossamer<true>(links);
  const std::uint64_t before = allocations;
  with_gossamer<true>(links);
  return static_cast<double>(allocations - before) / static_cast<double>(links.count);
}

}  // namespace

void url_parsing(const Options& options, Report& report) {
  const Links links = collect_links(options.quick);
  if (links.count == 0) return;
  const auto count = static_cast<double>(links.count);
  std::vector<UrlContestant> all = contestants();
  const auto samples = in_turns(options.quick ? 1 : 5, all.size(), [&](std::size_t i) {
    const double begin = process_cpu_ns();
    all[i].outcome = all[i].run(links);
    return (process_cpu_ns() - begin) / count;
  });
  std::string heading = fmt::format("{} links of {} pages", links.count, links.pages.size());
  for (std::size_t i = 1; i < all.size(); ++i) {
    heading += fmt::format("; {} refused by {}", all[i].outcome.refused, all[i].name);
  }
  report.heading(heading);
  const double floor = median(samples[0]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Figure figure = {.name = all[i].name, .value = median(samples[i]), .unit = "ns"};
    if (i > 0) figure.floor = floor;
    if (i == 1) figure.target = 1e9 / kLinksPerSecondMin;
    report.add(figure);
  }
  report.add({.name = "url/allocations per link that is dropped",
              .value = allocations_per_link(links),
              .unit = "each",
              .target = 0.001});
}

}  // namespace gossamer::bench

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "bench/crawl/contestants.h"
#include "bench/support/cpu.h"
#include "html/page_reader.h"
#include "url/crawl_identity.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

struct Document {
  std::string address;
  std::string html;
};

class FingerprintingConsumer final : public html::PageConsumer {
 public:
  void begin_page(const std::string& address) {
    CHECK(base_.assign(address) == url::UrlFailure::none);
  }
  void link(const html::Link& link) override {
    if (link_.assign(link.url, &base_) != url::UrlFailure::none) return;
    fingerprints_ ^= identity_.fingerprint(link_);
    ++links_;
  }
  std::uint64_t links() const { return links_; }

 private:
  url::Url base_;
  url::Url link_;
  url::CrawlIdentity identity_;
  std::uint64_t links_ = 0;
  std::uint64_t fingerprints_ = 0;  // so that no work is optimised away
};

// The file that the server uses for a path.
std::string file_of(const PageLoad& load, const SitePage& page) {
  url::Url url;
  CHECK(url.assign(load.site() + page.path) == url::UrlFailure::none);
  std::string file = load.folder;
  const std::string_view path = url.pathname();
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '%' && i + 2 < path.size()) {
      file.push_back(static_cast<char>(std::stoi(std::string(path.substr(i + 1, 2)), nullptr, 16)));
      i += 2;
    } else {
      file.push_back(path[i]);
    }
  }
  return file.ends_with('/') ? file + "index.html" : file;
}

std::vector<Document> read_documents(const PageLoad& load) {
  std::vector<Document> documents;
  for (const SitePage& page : load.pages) {
    if (!page.is_html) continue;
    std::ifstream stream(file_of(load, page), std::ios::binary);
    std::string html{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    CHECK(html.size() == page.bytes, "{}: {} bytes of {}", page.path, html.size(), page.bytes);
    documents.push_back({load.site() + page.path, std::move(html)});
  }
  return documents;
}

void read_all(const std::vector<Document>& documents, FingerprintingConsumer& consumer) {
  for (const Document& document : documents) {
    consumer.begin_page(document.address);
    html::PageReader reader({.link_options = {.anchor_text = false}}, consumer);
    reader.feed(document.html);
    reader.finish();
  }
}

}  // namespace

FetchCost extract_links(const PageLoad& load) {
  const std::vector<Document> documents = read_documents(load);
  FingerprintingConsumer consumer;
  read_all(documents, consumer);  // not counted
  const CpuTime cpu = process_cpu_time();
  const double wall = wall_ns();
  for (std::uint64_t i = 0; i < load.rounds; ++i) read_all(documents, consumer);
  CHECK(consumer.links() > 0);
  return {.answers = static_cast<double>(load.answers()),
          .cpu = process_cpu_time() - cpu,
          .wall_us = (wall_ns() - wall) / 1000};
}

}  // namespace gossamer::bench

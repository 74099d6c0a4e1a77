#include "bench/index/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "base/check.h"
#include "base/random.h"
#include "bench/html/corpus.h"
#include "bench/support/cpu.h"
#include "content/text_sketch.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

struct DocumentationSource {
  std::string_view package;
  std::string_view folder;
};
constexpr DocumentationSource kIndexedPackages[] = {
    {"postgresql-doc-15", "/usr/share/doc/postgresql-doc-15/html"},
    {"python3.11-doc", "/usr/share/doc/python3.11/html"},
    {"cppreference-doc-en-html", "/usr/share/cppreference/doc/html/en"},
};

IndexedDocuments read_documents(std::size_t step) {
  IndexedDocuments documents;
  for (const DocumentationSource& source : kIndexedPackages) {
    const auto files = html_files(source.folder);
    if (files.empty()) {
      fmt::print(stderr, "no pages in {}: is the package {} installed?\n", source.folder,
                 source.package);
    }
    for (std::size_t i = 0; i < files.size(); i += step) {
      const std::string html = content_of(files[i]);
      const auto url = url::Url::parse(fmt::format("https://{}.example{}", source.package,
                                                   files[i].string().substr(source.folder.size())));
      CHECK(url.has_value());
      const double begin = process_cpu_ns();
      auto text = index::read_page_text(index::TextKind::html, html, "utf-8", *url);
      documents.read_cpu_ns += process_cpu_ns() - begin;
      documents.html_bytes += static_cast<double>(html.size());
      documents.pages.push_back({url->href(), std::move(text)});
      documents.text_bytes += documents.pages.back().text_bytes();
    }
  }
  return documents;
}

}  // namespace

const IndexedDocuments& indexed_documents(bool quick) {
  static const IndexedDocuments documents = read_documents(quick ? 10 : 1);
  return documents;
}

namespace {

class IndexFilling {
 public:
  explicit IndexFilling(const std::string& path) : writer_(created(path)) {}

  void add(const std::string& url, const index::PageText& text) {
    const index::PageOrigin origin = {
        url, {1'767'225'600, 0}, "text/html", {"docs.warc.gz", ""}, offset_++};
    const auto added = writer_.add(origin, text);
    CHECK(added.has_value(), "{}", added.error().to_string());
    if (writer_.is_batch_full()) CHECK(writer_.commit().has_value());
  }
  void finish() { CHECK(writer_.publish().has_value()); }

 private:
  static index::SearchWriter created(const std::string& path) {
    auto writer = index::SearchWriter::create(path);
    CHECK(writer.has_value(), "{}", writer.error().to_string());
    return std::move(*writer);
  }

  index::SearchWriter writer_;
  std::uint64_t offset_ = 0;
};

constexpr std::uint64_t kPartsSeed = 20260102;
constexpr std::size_t kPartsPerPage = 4;
constexpr std::size_t kPartBytes = 1500;

// Returns up to kPartBytes of a page, from the begin of a line.
std::string_view part_of(const IndexedDocuments& documents, base::Random& random) {
  const std::string_view text = documents.pages[random.below(documents.pages.size())].text.main;
  if (text.size() <= kPartBytes) return text;
  const std::size_t begin = text.find('\n', random.below(text.size() - kPartBytes));
  return text.substr(std::min(begin, text.size() - kPartBytes), kPartBytes);
}

}  // namespace

void fill_index(const IndexedDocuments& documents, const std::string& path) {
  IndexFilling filling(path);
  for (const IndexedDocument& page : documents.pages) filling.add(page.url, page.text);
  filling.finish();
}

void fill_large_index(const IndexedDocuments& documents, std::size_t pages,
                      const std::string& path) {
  IndexFilling filling(path);
  base::Random random(kPartsSeed);
  for (std::size_t i = 0; i < pages; ++i) {
    const IndexedDocument& like = documents.pages[random.below(documents.pages.size())];
    index::PageText text = {.title = fmt::format("{} {}", like.text.title, i),
                            .language = like.text.language};
    for (std::size_t part = 0; part < kPartsPerPage; ++part) {
      text.main.append(part_of(documents, random)).append("\n");
    }
    text.sketch = content::text_sketch(text.main);
    filling.add(fmt::format("https://site{}.example/pages/{}.html", i % 100, i), text);
  }
  filling.finish();
}

}  // namespace gossamer::bench

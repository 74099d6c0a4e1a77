#include "bench/index/documents.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "base/check.h"
#include "bench/support/cpu.h"
#include "bench/html/corpus.h"
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

void fill_index(const IndexedDocuments& documents, const std::string& path) {
  auto writer = index::SearchWriter::create(path);
  CHECK(writer.has_value(), "{}", writer.error().to_string());
  std::uint64_t offset = 0;
  for (const IndexedDocument& page : documents.pages) {
    const index::PageOrigin origin = {
        page.url, {1'767'225'600, 0}, "text/html", {"docs.warc.gz", ""}, offset++};
    const auto added = writer->add(origin, page.text);
    CHECK(added.has_value(), "{}", added.error().to_string());
    if (writer->is_batch_full()) CHECK(writer->commit().has_value());
  }
  CHECK(writer->commit().has_value());
}

}  // namespace gossamer::bench

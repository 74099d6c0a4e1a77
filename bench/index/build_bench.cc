// Building an index: the time per page, compared with FTS5 as it comes and with Xapian.
#include <fmt/format.h>

#include <filesystem>

#include "bench/index/benchmarks.h"
#include "bench/index/documents.h"
#include "bench/index/plain_index.h"
#include "bench/index/xapian_peer.h"
#include "bench/support/cpu.h"
#include "bench/support/samples.h"
#include "bench/support/temporary_folder.h"

namespace gossamer::bench {
namespace {

// 3,000 pages per second of a processor.
constexpr double kBuildTargetUs = 333;

double ratio_of_file(const std::string& path, const IndexedDocuments& documents) {
  return static_cast<double>(std::filesystem::file_size(path)) /
         static_cast<double>(documents.text_bytes);
}

}  // namespace

void index_building(const Options& options, Report& report) {
  const IndexedDocuments& documents = indexed_documents(options.quick);
  const auto per_page = [&documents](double nanoseconds) {
    return nanoseconds / 1000 / static_cast<double>(documents.pages.size());
  };
  report.heading(
      fmt::format("Index of {} pages, {:.1f} MB of text, {:.1f} MB of HTML", documents.pages.size(),
                  static_cast<double>(documents.text_bytes) / 1e6, documents.html_bytes / 1e6));
  const TemporaryFolder folder;
  const std::string ours = folder.path() + "/search.db";
  const std::string plain = folder.path() + "/plain.db";
  const auto samples = in_turns(options.quick ? 1 : 3, 2, [&](std::size_t which) {
    std::filesystem::remove(plain);
    const double begin = process_cpu_ns();
    which == 0 ? fill_index(documents, ours) : fill_plain_index(documents, plain);
    return process_cpu_ns() - begin;
  });
  const double floor = per_page(median(samples[1]));
  report.add({"build/texts of pages", per_page(documents.read_cpu_ns), "us/page"});
  report.add({"build/search.db", per_page(median(samples[0])), "us/page", floor, kBuildTargetUs});
  if (const auto xapian = xapian_cpu_ns(documents, folder.path())) {
    report.add({"build/Xapian", per_page(*xapian), "us/page", floor});
  }
  report.add({"build/size of search.db", ratio_of_file(ours, documents), "of text",
              ratio_of_file(plain, documents)});
}

}  // namespace gossamer::bench

#include "run/crawl_driver.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "async/descriptor_limit.h"

namespace gossamer::run {
namespace {

// Of a crawl directory, beside the files of its tables: the position of their log, the folder that
// has it, the folders of tables, archive and large bodies, and one to list a folder.
constexpr std::uint64_t kJobDescriptors = 6;

}  // namespace

Result<CrawlDriver> make_driver(CrawlSettings& settings) {
  const async::DescriptorLimit limit = async::raise_descriptor_limit();
  auto driver = async::make_driver(settings.driver);
  if (!driver) return fail(std::move(driver).error());
  CrawlDriver made = {.driver = nullptr,
                      .advice = async::advice_for_connections(
                          settings.concurrency * settings.threads, limit, **driver)};
  const std::uint64_t all = async::connections_possible(limit, **driver);
  const std::uint64_t others = settings.job.folder.empty() ? 0 : std::min(all, kJobDescriptors);
  const std::uint64_t possible = std::max<std::uint64_t>(1, (all - others) / settings.threads);
  if (!made.advice.empty()) settings.concurrency = static_cast<std::uint32_t>(possible);
  std::size_t& connections = settings.web.client.pool.connections_max;
  connections = std::min<std::size_t>(connections, possible);
  made.driver = std::move(*driver);
  return made;
}

}  // namespace gossamer::run

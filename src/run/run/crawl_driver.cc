#include "run/crawl_driver.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "async/descriptor_limit.h"

namespace gossamer::run {

Result<CrawlDriver> make_driver(CrawlSettings& settings) {
  const async::DescriptorLimit limit = async::raise_descriptor_limit();
  auto driver = async::make_driver(settings.driver);
  if (!driver) return fail(std::move(driver).error());
  CrawlDriver made = {.driver = nullptr,
                      .advice = async::advice_for_connections(
                          settings.concurrency * settings.threads, limit, **driver)};
  const std::uint64_t possible =
      std::max<std::uint64_t>(1, async::connections_possible(limit, **driver) / settings.threads);
  if (!made.advice.empty()) settings.concurrency = static_cast<std::uint32_t>(possible);
  std::size_t& connections = settings.web.client.pool.connections_max;
  connections = std::min<std::size_t>(connections, possible);
  made.driver = std::move(*driver);
  return made;
}

}  // namespace gossamer::run

#include "bench/crawl/quick_fetches.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/check.h"
#include "base/hash.h"
#include "url/url.h"

namespace gossamer::bench {
namespace {

constexpr std::string_view kQuickPath = "/quick/";
constexpr Duration kPatience = 30s;

double quantile(std::vector<double> samples, double part) {
  if (samples.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(samples.size() - 1));
  std::ranges::nth_element(samples, samples.begin() + at);
  return samples[static_cast<std::size_t>(at)];
}

}  // namespace

std::string NotingSink::expect(Instant due) {
  due_.push_back(due);
  return fmt::format("{}{}", kQuickPath, due_.size() - 1);
}

async::Task<Result<void>> NotingSink::put(crawler::Page page) {
  if (page.record.status != 200 || !page.record.error.empty()) co_return {};
  ++answered_;
  const std::string_view url = page.record.url;
  const std::size_t at = url.find(kQuickPath);
  if (at == url.npos) co_return {};
  std::size_t number = 0;
  std::from_chars(url.data() + at + kQuickPath.size(), url.data() + url.size(), number);
  const Duration late = async::Loop::current().now() - due_.at(number);
  latencies_ms_.push_back(std::chrono::duration<double, std::milli>(late).count());
  co_return {};
}

async::Task<Result<QuickCost>> fetch_quickly(const std::vector<async::Endpoint>& hosts,
                                             crawler::Frontier& frontier, NotingSink& sink,
                                             std::uint64_t per_second, std::uint64_t seconds) {
  async::Loop& loop = async::Loop::current();
  const Instant begun = loop.now();
  const std::uint64_t fetches = per_second * seconds;
  url::Url url;
  for (std::uint64_t i = 0; i < fetches; ++i) {
    const Instant due = begun + Duration(1s) * i / per_second;
    if (auto slept = co_await async::sleep_until(due); !slept) {
      co_return fail(std::move(slept).error());
    }
    const std::string text =
        fmt::format("http://{}{}", hosts[i % hosts.size()].to_string(), sink.expect(due));
    CHECK(url.assign(text) == url::UrlFailure::none);
    frontier.discover(url, base::hash64(url.href()), {});
  }
  const Instant patience_ends = loop.now() + kPatience;
  while (sink.latencies_ms().size() < fetches && loop.now() < patience_ends) {
    if (auto slept = co_await async::sleep(1ms); !slept) co_return fail(std::move(slept).error());
  }
  const double took_s = std::chrono::duration<double>(loop.now() - begun).count();
  const auto answered = static_cast<double>(sink.latencies_ms().size());
  co_return QuickCost{.per_second = answered / took_s,
                      .median_ms = quantile(sink.latencies_ms(), 0.5),
                      .p99_ms = quantile(sink.latencies_ms(), 0.99),
                      .missing = static_cast<double>(fetches) - answered};
}

}  // namespace gossamer::bench

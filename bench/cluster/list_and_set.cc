#include <fmt/format.h>

#include <string>

#include "async/loop.h"
#include "base/hash.h"
#include "bench/cluster/page_costs.h"
#include "bench/support/child_process.h"

namespace gossamer::bench {
namespace {

using async::Task;

Task<PageCosts> use_list_and_set(redis::Node node, int links, std::uint64_t pages) {
  BenchClient client(node);
  co_await client.open(1);
  static_cast<void>(co_await client.ask({"LPUSH", "queue", "/"}));
  std::uint64_t next = 1;
  PageCosts begin = co_await times_so_far(client);
  begin.add(*client);
  for (std::uint64_t page = 0; page < pages; ++page) {
    static_cast<void>(co_await client.ask({"RPOP", "queue"}));
    for (int i = 0; i < links; ++i) {
      const std::uint64_t number = next++;
      // A fingerprint of scrapy has 40 digits.
      const std::string fingerprint =
          fmt::format("{:016x}{:024x}", base::hash64(std::to_string(number)), number);
      static_cast<void>(co_await client.ask({"SADD", "seen", fingerprint}));
      static_cast<void>(co_await client.ask(
          {"LPUSH", "queue", fmt::format("/collections/objects/{:x}/view.html", number)}));
    }
  }
  PageCosts end = co_await times_so_far(client);
  end.add(*client);
  co_await client.close();
  co_return per_page(begin, end, pages);
}

}  // namespace

PageCosts crawl_with_list_and_set(int links, std::uint64_t pages) {
  return measure_in_child([&] {
    const RedisMaster master(true);
    async::Loop loop;
    return loop.run(use_list_and_set(master.node(), links, pages));
  });
}

}  // namespace gossamer::bench

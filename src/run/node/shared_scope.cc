#include "node/shared_scope.h"

#include <utility>

#include "async/loop.h"
#include "base/time.h"
#include "cluster/root_places.h"

namespace gossamer::node {
namespace {

constexpr Duration kPatience = 20s;

}  // namespace

bool SharedScope::add(const std::string& place) {
  return places_.size() < cluster::kRootPlacesMax && places_.insert(place).second;
}

void SharedScope::widen(const url::Url& root) {
  std::string place(root.without_fragment());
  if (add(place)) unsent_.push_back(std::move(place));
}

async::Task<Result<std::vector<std::string>>> SharedScope::exchange() {
  const Instant deadline = base::add_saturating(async::Loop::current().now(), kPatience);
  if (!unsent_.empty()) {
    const std::vector<std::string> sending = std::exchange(unsent_, {});
    auto added = co_await cluster::add_root_places(client_, crawl_, sending, deadline);
    if (!added) {
      unsent_.insert(unsent_.end(), sending.begin(), sending.end());
      co_return fail(std::move(added).error());
    }
  }
  auto places = co_await cluster::root_places(client_, crawl_, deadline);
  if (!places) co_return fail(std::move(places).error());
  std::vector<std::string> others;
  for (std::string& place : *places) {
    if (add(place)) others.push_back(std::move(place));
  }
  co_return others;
}

}  // namespace gossamer::node

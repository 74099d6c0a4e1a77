#include "node/host_state.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/packing.h"
#include "store/packed_cookie.h"

namespace gossamer::node {
namespace {

using crawler::StoredCount;

constexpr std::uint64_t kStateFormat = 1;
// BOUND: items of one kind.
constexpr std::size_t kItemsMax = 4096;
constexpr std::size_t kCountBytesMax = 16;

// BOUND: an origin's robots.txt in the state of a host. A longer one is fetched again.
constexpr std::size_t kRulesBytesMax = std::size_t{16} * 1024;
constexpr std::size_t kRulesMax = 8;

enum PaceFlag : std::uint64_t { kIsOwn = 1, kHasAnswered = 2 };

void put_pace(store::Packer& out, const crawler::PaceMemory& pace) {
  for (const Duration each : {pace.last_took, pace.crawl_delay, pace.backoff, pace.throttle}) {
    out.signed_number(each.count());
  }
  out.number(pace.failures);
  out.number(pace.refusals);
  out.number((pace.is_own ? kIsOwn : 0) | (pace.has_answered ? kHasAnswered : 0));
}

crawler::PaceMemory take_pace(store::Unpacker& in) {
  crawler::PaceMemory pace;
  for (Duration* each : {&pace.last_took, &pace.crawl_delay, &pace.backoff, &pace.throttle}) {
    // Not longer than a day, so that no sum overflows.
    *each = std::clamp(Duration(in.signed_number()), Duration::zero(), Duration(24h));
  }
  pace.failures = static_cast<std::uint16_t>(std::min<std::uint64_t>(in.number(), 0xFFFF));
  pace.refusals = static_cast<std::uint16_t>(std::min<std::uint64_t>(in.number(), 0xFFFF));
  const std::uint64_t flags = in.number();
  pace.is_own = (flags & kIsOwn) != 0;
  pace.has_answered = (flags & kHasAnswered) != 0;
  return pace;
}

// Writes the parts that fit, each as a text, so that a part is there as a whole or not at all.
class BoundedList {
 public:
  explicit BoundedList(std::size_t bytes_max) : bytes_left_(bytes_max) {}

  void add(store::Packer item) {
    if (count_ == kItemsMax || item.size() + 4 > bytes_left_) return;
    bytes_left_ -= item.size() + 4;
    ++count_;
    items_.text(std::move(item).take());
  }
  std::size_t bytes_left() const { return bytes_left_; }
  void finish(store::Packer& out) && {
    out.number(count_);
    out.text(std::move(items_).take());
  }

 private:
  std::size_t bytes_left_;
  std::uint64_t count_ = 0;
  store::Packer items_;
};

template <class Take>
bool take_list(store::Unpacker& in, Take take) {
  const std::uint64_t count = in.number();
  store::Unpacker items(in.text());
  if (!in.is_good() || count > kItemsMax) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    store::Unpacker item(items.text());
    if (!items.is_good()) return false;
    take(item);
    if (!item.is_good()) return false;
  }
  return items.is_at_end();
}

bool is_known(std::uint64_t what) {
  return what >= static_cast<std::uint64_t>(crawler::Counted::host_urls) &&
         what <= static_cast<std::uint64_t>(crawler::Counted::unlinking_pages);
}

}  // namespace

void HostState::put_rules(Rules found) {
  std::erase_if(rules, [&](const Rules& each) { return each.origin == found.origin; });
  if (found.source.size() > kRulesBytesMax || rules.size() >= kRulesMax) return;
  rules.push_back(std::move(found));
}

const HostState::Rules* HostState::rules_of(std::string_view origin) const {
  const auto found = std::ranges::find(rules, origin, &Rules::origin);
  return found == rules.end() ? nullptr : &*found;
}

std::string pack_state(const HostState& state) {
  store::Packer out;
  out.number(kStateFormat);
  put_pace(out, state.pace);
  std::vector<StoredCount> highest = state.counts;
  std::ranges::sort(highest, std::ranges::greater(), &StoredCount::count);
  // Without the pace and the numbers around the list.
  BoundedList counts(std::min(kStateBytesMax - 256, kItemsMax * kCountBytesMax));
  for (const StoredCount& each : highest) {
    store::Packer item;
    item.number(static_cast<std::uint64_t>(each.what));
    item.number(each.count);
    item.fixed64(each.key);
    counts.add(std::move(item));
  }
  std::move(counts).finish(out);
  out.number(std::min(state.unheard_by.size(), kUnheardMax));
  for (std::size_t i = 0; i < state.unheard_by.size() && i < kUnheardMax; ++i) {
    out.fixed64(state.unheard_by[i]);
  }
  return std::move(out).take();
}

std::optional<HostState> unpack_state(std::string_view text) {
  store::Unpacker in(text);
  HostState state;
  if (in.number() != kStateFormat) return std::nullopt;
  state.pace = take_pace(in);
  const bool is_good = take_list(in, [&state](store::Unpacker& item) {
    const std::uint64_t what = item.number();
    StoredCount count = {.what = static_cast<crawler::Counted>(what),
                         .count = static_cast<std::uint32_t>(item.number())};
    count.key = item.fixed64();
    if (is_known(what)) state.counts.push_back(count);
  });
  const std::uint64_t unheard = std::min<std::uint64_t>(in.number(), kUnheardMax);
  for (std::uint64_t i = 0; i < unheard; ++i) state.unheard_by.push_back(in.fixed64());
  return is_good && in.is_good() ? std::optional(std::move(state)) : std::nullopt;
}

std::string pack_kept(const HostState& state) {
  store::Packer out;
  out.number(kStateFormat);
  BoundedList cookies(kStateBytesMax / 2);
  for (const wire::Cookie& each : state.cookies) {
    store::Packer item;
    store::pack_cookie(item, each);
    cookies.add(std::move(item));
  }
  // The rest, without the numbers around the lists.
  BoundedList rules(kStateBytesMax / 2 - 256 + cookies.bytes_left());
  for (const HostState::Rules& each : state.rules) {
    store::Packer item;
    item.text(each.origin);
    item.text(each.source);
    item.signed_number(each.good_until.seconds);
    rules.add(std::move(item));
  }
  std::move(cookies).finish(out);
  std::move(rules).finish(out);
  return std::move(out).take();
}

void unpack_kept(std::string_view text, HostState& state) {
  store::Unpacker in(text);
  if (in.number() != kStateFormat) return;
  std::vector<wire::Cookie> cookies;
  std::vector<HostState::Rules> all_rules;
  bool is_good = take_list(
      in, [&cookies](store::Unpacker& item) { cookies.push_back(store::unpack_cookie(item)); });
  is_good = is_good && take_list(in, [&all_rules](store::Unpacker& item) {
              HostState::Rules& rules = all_rules.emplace_back();
              rules.origin = item.text();
              rules.source = item.text();
              rules.good_until = {.seconds = item.signed_number(), .nanoseconds = 0};
            });
  if (!is_good || !in.is_good()) return;
  state.cookies = std::move(cookies);
  state.rules = std::move(all_rules);
}

}  // namespace gossamer::node

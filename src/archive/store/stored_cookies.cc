#include "store/stored_cookies.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/packing.h"
#include "store/packed_cookie.h"

namespace gossamer::store {
namespace {

// In Table::origins.
constexpr char kCookieRow = 'k';

// No part contains a zero byte: cookies with control characters are rejected.
std::string key_of(const wire::Cookie& cookie) {
  std::string key(1, kCookieRow);
  key.append(cookie.domain).push_back('\0');
  key.append(cookie.path).push_back('\0');
  key.append(cookie.name).push_back(cookie.host_only ? '1' : '0');
  return key;
}

std::string pack(const wire::Cookie& cookie, std::uint64_t number) {
  Packer row;
  row.number(number);
  pack_cookie(row, cookie);
  return std::move(row).take();
}

struct NumberedCookie {
  std::uint64_t number = 0;
  wire::Cookie cookie;
};

std::optional<NumberedCookie> unpack(std::string_view value) {
  Unpacker row(value);
  NumberedCookie kept;
  kept.number = row.number();
  kept.cookie = unpack_cookie(row);
  return row.is_good() ? std::optional(std::move(kept)) : std::nullopt;
}

}  // namespace

void StoredCookies::keep(wire::CookieJar& jar, crawler::SiteShare share, WallTime now) {
  const Journal::Lock lock = journal_.lock();
  std::vector<NumberedCookie> own;
  const auto take = [&](std::string_view key, std::string_view value) {
    if (key.front() != kCookieRow) return false;
    auto kept = unpack(value);
    if (!kept) return true;
    next_number_ = std::max(next_number_, kept->number + 1);
    if (!share.has(crawler::site_number(kept->cookie.domain))) return true;
    if (wire::is_expired(kept->cookie, now)) {
      journal_.pending().remove(Table::origins, std::string(key));
    } else {
      numbers_.insert_or_assign(std::string(key), kept->number);
      own.push_back(*std::move(kept));
    }
    return true;
  };
  auto read = journal_.tables().scan(Table::origins, std::string(1, kCookieRow), take);
  if (!read) journal_.fail_with(std::move(read).error());
  // Ordered by creation, since they are sent in that order.
  std::ranges::sort(own, {}, &NumberedCookie::number);
  for (NumberedCookie& kept : own) jar.put(std::move(kept.cookie), now);
  // Every jar has the user's cookies, but only the loop that sends a cookie may change it.
  jar.on_change([this, share](const wire::Cookie& cookie, bool is_there) {
    if (share.has(crawler::site_number(cookie.domain))) note(cookie, is_there);
  });
}

void StoredCookies::note(const wire::Cookie& cookie, bool is_there) {
  const Journal::Lock lock = journal_.lock();
  std::string key = key_of(cookie);
  if (!is_there) {
    numbers_.erase(key);
    journal_.pending().remove(Table::origins, std::move(key));
    return;
  }
  const auto [known, is_new] = numbers_.try_emplace(key, next_number_);
  if (is_new) ++next_number_;
  journal_.pending().put(Table::origins, std::move(key), pack(cookie, known->second));
}

}  // namespace gossamer::store

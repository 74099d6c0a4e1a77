#include "engine/page/part_cache.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/number.h"
#include "wire/text.h"

namespace gossamer::crawler {
namespace {

constexpr std::size_t kEntriesPerBytesMax = 8;
constexpr std::size_t kEntryBytes = 1024;         // of an entry beside its texts
constexpr std::uint64_t kAgeSecondsMax = 86'400;  // a crawl that runs for weeks sees new versions

using http::Field;

bool is_named(const Field& field, std::string_view name) {
  return base::equals_ignoring_case(field.name, name);
}

std::string_view value_of(const std::vector<Field>& fields, std::string_view name) {
  const auto found =
      std::ranges::find_if(fields, [&](const Field& f) { return is_named(f, name); });
  return found == fields.end() ? std::string_view() : std::string_view(found->value);
}

// Returns whether `test` is true of an element of a list in a field, in lower case.
template <class Test>
bool any_element(const std::vector<Field>& fields, std::string_view name, Test test) {
  bool is_found = false;
  for (const Field& field : fields) {
    if (!is_named(field, name)) continue;
    wire::for_each_in_list(field.value, [&](std::string_view element) {
      is_found = test(base::lower_case(element)) || is_found;
    });
  }
  return is_found;
}

bool is_of_a_page(std::string_view type) {
  const std::string mime = base::lower_case(wire::trim_blanks(type.substr(0, type.find(';'))));
  return mime == "text/css" || mime.ends_with("javascript") || mime.ends_with("ecmascript") ||
         mime.starts_with("font/") || mime.starts_with("image/") || mime.contains("font-");
}

// The bytes do not depend on these: we decode them, and all requests accept the same.
bool varies(const render::PartAnswer& answer) {
  return any_element(answer.fields, "Vary", [](const std::string& name) {
    return name != "accept-encoding" && name != "accept" && name != "origin";
  });
}

bool is_plain(const http::Request& request) {
  constexpr std::array kPrivate = {std::string_view("Authorization"), std::string_view("Range")};
  return request.method == "GET" && std::ranges::none_of(kPrivate, [&](std::string_view name) {
           return !value_of(request.fields, name).empty();
         });
}

std::size_t bytes_of(std::string_view key, const render::PartAnswer& answer) {
  std::size_t bytes = kEntryBytes + key.size() + answer.body.size();
  for (const Field& field : answer.fields) {
    bytes += sizeof(Field) + field.name.size() + field.value.size();
  }
  return bytes;
}

}  // namespace

Duration age_max_of(const render::PartAnswer& answer) noexcept {
  if (answer.status != 200 || varies(answer)) return Duration::zero();
  if (!value_of(answer.fields, "Set-Cookie").empty()) return Duration::zero();
  std::optional<std::uint64_t> seconds;
  const bool is_never =
      any_element(answer.fields, "Cache-Control", [&](const std::string& directive) {
        constexpr std::string_view kMaxAge = "max-age=";
        if (directive.starts_with(kMaxAge)) {
          std::uint64_t number = 0;
          const std::string_view text = std::string_view(directive).substr(kMaxAge.size());
          seconds = base::parse_number(text, number) ? number : 0;
        }
        return directive == "no-store" || directive == "no-cache";
      });
  if (is_never) return Duration::zero();
  if (seconds) return std::chrono::seconds(std::min(*seconds, kAgeSecondsMax));
  return is_of_a_page(value_of(answer.fields, "Content-Type")) ? kPartAge : Duration::zero();
}

// The answer may name the origin that may read it.
std::string PartCache::key_of(const http::Request& request) {
  return request.method + ' ' + std::string(request.url.href()) + ' ' +
         std::string(value_of(request.fields, "Origin"));
}

std::shared_ptr<const render::PartAnswer> PartCache::find(const http::Request& request,
                                                          Instant now) {
  if (!is_plain(request)) return nullptr;
  const auto found = by_key_.find(key_of(request));
  if (found == by_key_.end()) return nullptr;
  const Entries::iterator entry = found->second;
  if (now >= entry->good_until) {
    drop(entry);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return entry->answer;
}

void PartCache::put(const http::Request& request, const render::PartAnswer& answer, Instant now) {
  const Duration age_max = is_plain(request) ? age_max_of(answer) : Duration::zero();
  if (age_max <= Duration::zero()) return;
  std::string key = key_of(request);
  const std::size_t bytes = bytes_of(key, answer);
  if (bytes > bytes_max_ / kEntriesPerBytesMax) return;
  if (const auto old = by_key_.find(key); old != by_key_.end()) drop(old->second);
  while (bytes_ + bytes > bytes_max_) drop(std::prev(entries_.end()));
  entries_.push_front({.key = std::move(key),
                       .answer = std::make_shared<const render::PartAnswer>(answer),
                       .good_until = base::add_saturating(now, age_max)});
  by_key_[entries_.front().key] = entries_.begin();
  bytes_ += bytes;
}

void PartCache::drop(Entries::iterator entry) {
  bytes_ -= bytes_of(entry->key, *entry->answer);
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

}  // namespace gossamer::crawler

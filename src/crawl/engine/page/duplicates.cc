#include "engine/page/duplicates.h"

#include "base/hash.h"

namespace gossamer::crawler {

std::optional<std::string_view> Duplicates::put(std::uint64_t digest, std::uint64_t bytes,
                                                std::string_view url) {
  if (bytes == 0) return std::nullopt;
  const bool is_full = urls_.size() + url.size() >= kTextBytesMax;
  const auto owner = first_.put({.high = digest, .low = bytes}, is_full ? ~0ULL : urls_.size());
  if (!owner) {
    if (!is_full) urls_.append(url).push_back('\n');
    return std::nullopt;
  }
  if (*owner == ~0ULL) return std::nullopt;
  const std::string_view rest = std::string_view(urls_).substr(*owner);
  const std::string_view first = rest.substr(0, rest.find('\n'));
  if (first == url) return std::nullopt;
  return first;
}

std::uint64_t SoftNotFound::key(std::string_view origin, std::uint64_t digest) noexcept {
  return base::hash64(origin, digest);
}

bool SoftNotFound::counts_copy(std::string_view origin, std::uint64_t digest) {
  if (copies_.size() >= kEntriesMax) copies_.clear();
  return ++copies_[key(origin, digest)] == kCopiesBeforeProbe;
}

void SoftNotFound::learn(std::string_view origin, std::uint64_t digest) {
  if (known_.size() < kEntriesMax) known_.insert(key(origin, digest));
}

bool SoftNotFound::is_soft_404(std::string_view origin, std::uint64_t digest) const {
  return known_.contains(key(origin, digest));
}

}  // namespace gossamer::crawler

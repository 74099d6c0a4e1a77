// Where links led that were met before. Pages of one folder of a site have most of their links in
// common, spelled alike: what the first of them led to need not be worked out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "url/url.h"

namespace gossamer::crawler {

// Fingerprints of URLs that the frontier knows, by what the link says before its fragment, which
// makes no other page, and the folder it is resolved in; those of a mere fragment by the page.
// Forgets: a link takes the place of another one.
// BOUND: kSlots links, 16 bytes each.
class LinkMemo {
 public:
  static constexpr std::size_t kSlots = 8192;

  // `salt` makes the places of links unlike those of any other crawl.
  explicit LinkMemo(std::uint64_t salt) : salt_(salt), slots_(kSlots) {}

  // The links that follow are resolved against `base`; `encoding` tells ways to write a query
  // apart.
  void begin(const url::Url& base, std::uint64_t encoding) noexcept;

  // The URL of a link, if it is known to have been found at this depth or nearer.
  // REQUIRES: begin() was called.
  std::optional<std::uint64_t> find(std::string_view link, std::uint16_t depth) noexcept;
  // For the link that was looked for last, and not found; if it is one to be kept.
  bool can_put() const noexcept { return key_ != 0; }
  void put(std::uint64_t fingerprint, std::uint16_t depth) noexcept;

 private:
  std::uint64_t key_of(std::string_view link) const noexcept;

  // The upper bits of the key, of which the lower ones say where it is; below them the depth.
  struct Slot {
    std::uint64_t key_and_depth = 0;
    std::uint64_t fingerprint = 0;
  };
  static constexpr std::uint64_t kDepthMask = 0xFFFF;

  std::uint64_t salt_;
  std::uint64_t seed_ = 0;      // of the folder
  std::uint64_t page_key_ = 0;  // of a link to the page itself
  bool is_of_web_ = false;      // else nothing is kept of this page
  std::uint64_t key_ = 0;       // of the last link; 0: it is none to be kept
  std::vector<Slot> slots_;
};

}  // namespace gossamer::crawler

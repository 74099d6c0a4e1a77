// Remembers the URLs of links. The pages of one folder share most of their links with the same
// spelling, so a link need not be resolved again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "url/url.h"

namespace gossamer::crawler {

// Fingerprints of URLs that the frontier knows, by the text of the link without its fragment and by
// the base folder; a link that is only a fragment by its page. A new link may replace another one.
// BOUND: kSlots links, 16 bytes each.
class LinkMemo {
 public:
  static constexpr std::size_t kSlots = 8192;

  // `salt` makes the slots of links unpredictable.
  explicit LinkMemo(std::uint64_t salt) : salt_(salt), slots_(kSlots) {}

  // The following links are resolved against `base`. `encoding` matters because it changes queries.
  void begin(const url::Url& base, std::uint64_t encoding) noexcept;

  // Returns the URL of a link if it was found at this depth or a lower one.
  // REQUIRES: begin() was called.
  std::optional<std::uint64_t> find(std::string_view link, std::uint16_t depth) noexcept;
  // Stores the link of the last find() that failed, if it can be stored.
  bool can_put() const noexcept { return key_ != 0; }
  void put(std::uint64_t fingerprint, std::uint16_t depth) noexcept;

 private:
  std::uint64_t key_of(std::string_view link) const noexcept;

  // The upper bits of the key, then the depth; the lower bits of the key select the slot.
  struct Slot {
    std::uint64_t key_and_depth = 0;
    std::uint64_t fingerprint = 0;
  };
  static constexpr std::uint64_t kDepthMask = 0xFFFF;

  std::uint64_t salt_;
  std::uint64_t seed_ = 0;      // of the folder
  std::uint64_t page_key_ = 0;  // the key of a link to the page itself
  bool is_of_web_ = false;      // else nothing of this page is stored
  std::uint64_t key_ = 0;       // of the last link; 0: it cannot be stored
  std::vector<Slot> slots_;
};

}  // namespace gossamer::crawler

// What the frames of the dashboard show. A frame with a page of another origin does not tell its
// address, so the replay server remembers it by the name of the view (docs/serve.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "serve/replay.h"

namespace gossamer::serve {

struct ViewState {
  std::string url;
  bool is_archived = false;
  int status = 0;
  std::uint32_t archive = 0;
  WallTime at = {};                        // of the capture
  std::optional<WallTime> requested = {};  // empty: the last
  WallTime first = {};                     // of the page and its parts
  WallTime last = {};
  std::vector<std::string> misses = {};
};

// BOUND: kViewsMax views; the one that was used longest ago is dropped.
class Views {
 public:
  static constexpr std::size_t kViewsMax = 64;
  static constexpr std::size_t kMissesMax = 100;

  // `is_document`: the frame shows it now; else it is a part of what the frame shows.
  void note(const ReplayAddress& address, const Replayed& replayed, bool is_document);
  const ViewState* find(std::string_view view) const;

 private:
  struct Entry {
    ViewState state;
    std::uint64_t used = 0;
  };
  std::map<std::string, Entry, std::less<>> entries_;
  std::uint64_t uses_ = 0;
};

}  // namespace gossamer::serve

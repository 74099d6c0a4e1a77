#include "serve/views.h"

#include <algorithm>

namespace gossamer::serve {

void Views::note(const ReplayAddress& address, const Replayed& replayed, bool is_document) {
  if (address.view.empty()) return;
  if (!is_document) {
    const auto found = entries_.find(address.view);
    if (found == entries_.end()) return;
    ViewState& state = found->second.state;
    if (replayed.is_archived) {
      state.first = std::min(state.first, replayed.at);
      state.last = std::max(state.last, replayed.at);
    } else if (state.misses.size() < kMissesMax) {
      state.misses.push_back(address.url);
    }
    return;
  }
  if (!entries_.contains(address.view) && entries_.size() == kViewsMax) {
    entries_.erase(std::ranges::min_element(entries_, {},
                                            [](const auto& entry) { return entry.second.used; }));
  }
  entries_[address.view] = {
      .state = {.url = replayed.is_archived ? replayed.url : address.url,
                .is_archived = replayed.is_archived,
                .status = replayed.is_archived ? replayed.status : replayed.response.status,
                .archive = replayed.archive,
                .at = replayed.at,
                .requested = address.at,
                .first = replayed.at,
                .last = replayed.at},
      .used = ++uses_};
}

const ViewState* Views::find(std::string_view view) const {
  const auto found = entries_.find(view);
  return found == entries_.end() ? nullptr : &found->second.state;
}

}  // namespace gossamer::serve

#include "bench/http/get_load.h"

#include <algorithm>
#include <filesystem>

namespace gossamer::bench {

std::vector<ServedPage> Documentation::pages() const {
  namespace fs = std::filesystem;
  std::vector<ServedPage> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; at != end; at.increment(error)) {
    if (at->path().extension() != ".html" || !at->is_regular_file(error)) continue;
    found.push_back({at->path().string().substr(folder.size()),
                     static_cast<std::size_t>(at->file_size(error))});
  }
  std::ranges::sort(found, {}, &ServedPage::path);
  return found;
}

}  // namespace gossamer::bench

// The text of a page in the index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/schema.h"
#include "index/sections.h"

namespace gossamer::index {

struct StoredText {
  std::string text;  // the main text, then the rest (split_text())
  std::size_t main_bytes = 0;
  std::vector<Section> sections;  // none in an index of an earlier version
};

// Fails with Errc::not_found, and with Errc::malformed if the index is damaged.
Result<StoredText> read_stored_text(IndexDatabase& index, std::int64_t id);

}  // namespace gossamer::index

// Reads XML with expat, with a little more tolerance, to compare our scanner with it.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "robots/sitemap_elements.h"

namespace gossamer::robots {

// It differs from a plain parser in two ways:
// - An ampersand that does not start a reference is treated as one that should have been escaped.
// - No entity is ever expanded. A text that refers to an entity of a DTD is dropped. A DTD that
//   declares attributes is rejected.
class ExpatReader {
 public:
  // BORROWS: the elements, which receive the content. With `is_utf8` the declared encoding is
  // ignored.
  ExpatReader(SitemapElements& elements, bool is_utf8);
  ~ExpatReader();

  // Accepts pieces of any size.
  void feed(std::string_view bytes);
  // Ends the document, which may be truncated.
  void finish();

  std::optional<Error>& trouble();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gossamer::robots

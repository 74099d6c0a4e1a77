// XML as expat reads it, made a little more forgiving.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "robots/sitemap_elements.h"

namespace gossamer::robots {

// Two things differ from a plain parser:
// - An ampersand that starts no reference is taken for one that should have been escaped.
// - No entity is ever expanded. A text that refers to one of a DTD is dropped. A DTD that declares
//   attributes is refused.
class ExpatReader {
 public:
  // BORROWS: the elements, which get what is found. With `is_utf8` the encoding that the document
  // declares does not count.
  ExpatReader(SitemapElements& elements, bool is_utf8);
  ~ExpatReader();

  // Any sizes.
  void feed(std::string_view bytes);
  // The end of the document, which may come too early.
  void finish();

  std::optional<Error>& trouble();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gossamer::robots

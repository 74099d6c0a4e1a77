// The links of a page as URLs, one after the other.
#pragma once

#include <cstddef>
#include <optional>

#include "html/encoding/encoder.h"
#include "html/encoding/encoding.h"
#include "html/link_list.h"
#include "url/url.h"

namespace gossamer::html {

class ResolvedLinks {
 public:
  // Without an encoding, queries are in UTF-8. BORROWS: the list.
  ResolvedLinks(const LinkList& links, const url::Url& document, std::optional<Encoding> encoding,
                std::size_t base_bytes_max = kBaseBytesMax);

  // Resolves the next link. Returns false at the end.
  bool next();
  // REQUIRES, for these: next() returned true. BORROWS: until the next call.
  const LinkList::Entry& entry() const noexcept { return entry_; }
  const url::Url* url() const noexcept { return is_url_ ? &url_ : nullptr; }

  const url::Url& base() const noexcept { return base_; }

 private:
  const LinkList& links_;
  const url::Url base_;
  std::optional<Encoder> encoder_;
  std::size_t next_ = 0;
  LinkList::Entry entry_;
  url::Url url_;
  bool is_url_ = false;
};

}  // namespace gossamer::html

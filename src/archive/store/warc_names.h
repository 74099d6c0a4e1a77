#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gossamer::store {

// Makes safe file names for extracted payloads: a folder for the host and a file in it, whatever
// the URL contains. A name has no slash, does not begin with a dot, is not too long for file
// systems, and is unique even if case does not matter.
class PayloadNames {
 public:
  struct Name {
    std::string folder;
    std::string file;
  };

  // `mime` decides the extension if the URL has none.
  Name name_for(std::string_view url, std::string_view mime);

 private:
  // Names in lower case, with the number to try next, since an archive may have very many captures
  // of one URL.
  std::unordered_map<std::string, std::uint64_t> taken_;
};

}  // namespace gossamer::store

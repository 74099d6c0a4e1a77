#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gossamer::store {

// Names for what is taken out of archives: a folder for the host and a file in it, whatever the
// address tries. No name has a slash, begins with a dot, is longer than file systems bear, or is
// given twice, also where upper and lower case are the same.
class PayloadNames {
 public:
  struct Name {
    std::string folder;
    std::string file;
  };

  // `mime` decides the extension where the address has none.
  Name name_for(std::string_view url, std::string_view mime);

 private:
  // In lower case; with the number that the next one of that name tries first, since an archive may
  // have very many captures of one address.
  std::unordered_map<std::string, std::uint64_t> taken_;
};

}  // namespace gossamer::store

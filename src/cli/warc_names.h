#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace gossamer::cli {

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
  std::unordered_set<std::string> taken_;  // in lower case
};

}  // namespace gossamer::cli

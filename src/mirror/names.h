#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "url/url.h"

namespace gossamer::mirror {

// Names for the files of a copy: "a.example+8080/news/index.html", whatever the address tries.
//
// A name has at least a folder (the host) and a file, apart by "/". No part of it is empty, begins
// or ends with a dot, is longer than kPartBytesMax, or is a device of Windows (con, nul.txt); there
// are only letters and visible signs of all scripts (UTF-8) and -_.~=+@% in it. None is given
// twice, also where upper and lower case are the same, and none is the folder of another. Only
// clashes and names that are too long have a hash.
class Names {
 public:
  static constexpr std::size_t kPartBytesMax = 120;
  // BOUND: of a name. What is deeper stands in one folder, named after a hash.
  static constexpr std::size_t kBytesMax = 900;

  // `mime` decides the extension where that of the address would mislead a browser, which has
  // nothing else to go by, and where it is that of a program on the server (.php). The same URL
  // gets another name each time.
  std::string name_for(const url::Url& url, std::string_view mime);

 private:
  enum class Use : std::uint8_t { file, folder };

  std::string take_folders(std::string_view host, std::string_view path);
  std::string take_folder(const std::string& parent, std::string_view part);

  std::unordered_map<std::string, Use> taken_;  // in lower case
};

}  // namespace gossamer::mirror

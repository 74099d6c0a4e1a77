#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "url/url.h"

namespace gossamer::mirror {

// Gives names to the files of a copy: "a.example+8080/news/index.html". They are safe, whatever the
// URL contains.
//
// A name has at least a folder (the host) and a file, separated by "/". No part of it is empty,
// begins or ends with a dot, is longer than kPartBytesMax, or is a Windows device (con, nul.txt).
// It contains only letters and visible signs of all scripts (UTF-8) and -_.~=+@%. No name is given
// twice, not even in another case, and no file has the name of a folder. Only clashes and names
// that are too long contain a hash.
class Names {
 public:
  static constexpr std::size_t kPartBytesMax = 120;
  // BOUND: the length of a name. Deeper paths go into one folder, named after a hash.
  static constexpr std::size_t kBytesMax = 900;

  // `mime` decides the extension if that of the URL would mislead a browser, which has no other
  // clue, and if it is that of a server program (.php). Each call returns a new name, even for the
  // same URL.
  std::string name_for(const url::Url& url, std::string_view mime);

 private:
  enum class Use : std::uint8_t { file, folder };

  std::string take_folders(std::string_view host, std::string_view path);
  std::string take_folder(const std::string& parent, std::string_view part);

  std::unordered_map<std::string, Use> taken_;  // in lower case
};

}  // namespace gossamer::mirror

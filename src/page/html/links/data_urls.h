// Finds links in the data that a page has for its scripts: JSON, or an object of JavaScript.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::html {

// Returns whether a script is data of a framework that builds pages: self.__next_f, __NUXT__ and
// the like.
bool is_page_data(std::string_view script) noexcept;

// BOUND: the links of one text.
inline constexpr std::size_t kDataUrlsMax = 1000;

// Returns the values of members that lead readers somewhere ("href", "url", "path"), if they are
// absolute URLs or absolute paths, and not files of other kinds than pages. Texts that contain data
// are read, too, down to kDataDepthMax. Members may refer to their values as Nuxt does. Each is
// there once. Time is linear.
std::vector<std::string> data_urls(std::string_view data);
inline constexpr int kDataDepthMax = 3;

}  // namespace gossamer::html

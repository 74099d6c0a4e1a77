// Parts of URLs that servers and advertisers use to recognise a visitor. They do not name the page.
#pragma once

#include <string_view>

namespace gossamer::url {

// Takes the name and value of one part of a query, undecoded. Case does not matter.
bool is_session_parameter(std::string_view name, std::string_view value) noexcept;
bool is_tracking_parameter(std::string_view name) noexcept;

// Returns whether a path segment is only an ASP.NET session: "(S(4hqa0555fwsecu455xqckv45))".
bool is_session_segment(std::string_view segment) noexcept;

// Returns false if no segment of this path is a session or ends with one.
bool may_have_session(std::string_view path) noexcept;

// Returns the segment without ";jsessionid=..." and the like.
std::string_view without_session_suffix(std::string_view segment) noexcept;

}  // namespace gossamer::url

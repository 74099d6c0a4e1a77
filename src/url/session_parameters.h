// What servers and advertisers put into URLs to know a visitor again. It does not name the page.
#pragma once

#include <string_view>

namespace gossamer::url {

// The name and value of one part of a query, as they stand there. Case does not matter.
bool is_session_parameter(std::string_view name, std::string_view value) noexcept;
bool is_tracking_parameter(std::string_view name) noexcept;

// A path segment that is nothing but a session of ASP.NET: "(S(4hqa0555fwsecu455xqckv45))".
bool is_session_segment(std::string_view segment) noexcept;

// False: no segment of this path is a session, or ends with one.
bool may_have_session(std::string_view path) noexcept;

// How much of a segment is left without ";jsessionid=..." and the like.
std::string_view without_session_suffix(std::string_view segment) noexcept;

}  // namespace gossamer::url

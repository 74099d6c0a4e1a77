// Names of authors, as pages write them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::content {

// "By ", "Written by: ": what is before the name of an author. Returns the bytes of it, with
// the white space after it; 0: the text does not begin with one.
std::size_t author_label_bytes(std::string_view text);

// Returns the name without a label before it and a date or a title of a site after it.
std::string author_name(std::string_view text);

// Returns whether it may be the name of an author. "View more posts", "admin" and a URL are not.
bool is_author_name(std::string_view name);
// The same for a text that does not say what it is: it must look like the name of a person.
bool is_name_of_person(std::string_view name);

}  // namespace gossamer::content

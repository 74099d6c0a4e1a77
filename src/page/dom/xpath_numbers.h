// Numbers and texts of XPath.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::dom {

// Returns the length of the number at the beginning of a text, without a sign; 0: there is none.
std::size_t xpath_number_length(std::string_view text) noexcept;
// Reads a number with white space around it and a minus before it. NaN for everything else.
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-number
double to_xpath_number(std::string_view text) noexcept;
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-string
std::string to_xpath_text(double number);
// Rounds to the nearest integer, and halves up.
double round_xpath(double number) noexcept;

// These count characters of UTF-8.
std::size_t xpath_length(std::string_view text) noexcept;
std::string xpath_substring(std::string_view text, double begin, double length);
std::string xpath_translate(std::string_view text, std::string_view from, std::string_view to);
std::string xpath_normalized(std::string_view text);

}  // namespace gossamer::dom

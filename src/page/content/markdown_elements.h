// What single elements of a page mean in Markdown.
#pragma once

#include <optional>
#include <string_view>

#include "dom/node.h"

namespace gossamer::content {

// Returns whether its class has this word.
bool has_class(const dom::Node& element, std::string_view word);

// <code>, <tt>, <kbd> and <samp>.
bool is_code_element(const dom::Node& node);

// Returns the language that the class of an element names; empty: none.
std::string_view code_language(const dom::Node& element);

// A sign beside a heading or a term that links to this place, such as a pilcrow or "#".
bool is_permalink(const dom::Node& node);

// Returns whether the box of a task is checked; nothing: the item of a list is no task.
std::optional<bool> task_of(const dom::Node& item);

// Numbers of lines beside code.
bool is_line_numbers(const dom::Node& node);

// Elements that hold no text for readers.
bool is_never_shown(const dom::Node& node);

}  // namespace gossamer::content

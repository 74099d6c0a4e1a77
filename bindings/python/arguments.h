// Settings that come from Python.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bindings/python/object.h"
#include "settings/crawl_keywords.h"

namespace gossamer::python {

// What a call names: URLs or files, and settings.
struct Arguments {
  std::vector<std::string> words;
  std::vector<settings::CrawlKeyword> keywords;
};

// Reads the bytes of a str. A path may have bytes that are not UTF-8, which Python keeps as lone
// surrogates. Returns false after a Python exception.
bool read_text(PyObject* text, std::string& into);

// Reads a list of str, and a dict of names to bool or list of str. Returns nothing after a Python
// exception.
std::optional<Arguments> read_arguments(PyObject* words, PyObject* settings);

// Sets the exception for settings that are wrong.
void set_settings_error(const Error& error);

}  // namespace gossamer::python

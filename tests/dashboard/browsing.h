// For tests: the pages of `gossamer serve` in a browser.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/support/browser.h"
#include "tests/support/command_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"

namespace gossamer::dashboard {

using support::Browser;
using Json = Browser::Json;

inline std::string source(const std::string& name) {
  return support::source_path("tests/dashboard/") + name;
}

// The first line that a program printed into a file; empty, and the test fails, if there is none.
inline std::string first_line(const std::string& file) {
  support::wait_until([&] { return support::has(support::file_content(file), "\n"); });
  const auto lines = support::lines_of(support::file_content(file));
  return lines.empty() ? std::string() : lines.front();
}

inline std::string js_string(const std::string& text) { return Json(text).dump(); }

// Leads to another view, as a click on a link does.
inline void go(Browser& browser, const std::string& hash) {
  browser.evaluate("void (location.hash = " + js_string(hash) + ")");
}

// The text of the first element that a selector finds.
inline std::string text_of(Browser& browser, const std::string& selector) {
  return browser.evaluate("document.querySelector(" + js_string(selector) + ")?.textContent ?? ''")
      .get<std::string>();
}

inline bool wait_for_text(Browser& browser, const std::string& text) {
  return browser.wait_until("document.body.innerText.includes(" + js_string(text) + ")");
}

inline void press_button(Browser& browser, const std::string& text) {
  browser.evaluate(
      "Array.from(document.querySelectorAll('button')).find((button) =>"
      " button.textContent === " +
      js_string(text) + ").click()");
}

// Set GOSSAMER_SCREENSHOTS to a folder to see the pages.
inline void save_picture(Browser& browser, const std::string& name) {
  const char* const folder = std::getenv("GOSSAMER_SCREENSHOTS");
  if (folder != nullptr) browser.save_screenshot(std::string(folder) + "/" + name + ".png");
}

}  // namespace gossamer::dashboard

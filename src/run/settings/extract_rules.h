// The rules of `extract` and `extract-file`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "options/value.h"

namespace gossamer::settings {

// Takes rules of fields: "title=h1; next=a.next@href".
options::Value extract_value(std::vector<std::string>& into);
inline constexpr std::string_view kExtractFileHelp = "read the fields from a TOML file";

// Takes a selector of the elements that are rows: ".card".
options::Value items_value(std::string& into);
inline constexpr std::string_view kItemsHelp =
    "make each element that matches SELECTOR a row with its own fields";

// Reads a TOML file and appends its rules. Its table [extract] has a line for each field: title =
// "h1"; a selector in brackets collects all matches: tags = [".tag"]. Fails with
// Errc::invalid_argument.
Result<void> read_extract_file(const std::string& path, std::vector<std::string>& rules);

}  // namespace gossamer::settings

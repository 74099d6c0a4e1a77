#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/driver.h"
#include "base/result.h"
#include "http/credential_store.h"
#include "http/request.h"
#include "options/table.h"
#include "run/machine/web_access.h"

namespace gossamer::cli {

// The options of `gossamer fetch`.
struct FetchArguments {
  std::vector<std::string> urls;
  std::string method;  // empty: the other options decide
  std::optional<std::string> data;
  bool is_head_only = false;
  std::string user;  // NAME:PASSWORD
  bool uses_netrc = false;
  std::string netrc_file;
  std::vector<http::Field> fields;  // of -H, in order
  run::WebOptions web;
  async::DriverKind driver = async::DriverKind::automatic;
  std::vector<http::Request> requests;  // made by complete_fetch()
  bool shows_head = false;
  bool shows_json = false;
  bool is_raw = false;  // bodies are not decompressed
  bool follows_redirects = false;
  bool is_silent = false;  // no messages about failures
  std::string output_file;
  bool renders = false;         // prints what a browser makes of the page
  std::string render_with;      // the address of a browser of the user; empty: one of ours
  std::string render_wait_for;  // a selector of what a rendered page must have
  std::uint32_t render_scrolls = 0;
  std::string screenshot_file;
  std::string pdf_file;
  std::string cookie_file;
  std::uint64_t parallel = 1;
  std::uint64_t decoded_bytes_max = 0;
  http::CredentialStore credentials;

  bool has_pictures() const { return !screenshot_file.empty() || !pdf_file.empty(); }
  bool is_rendered() const { return renders || has_pictures(); }
};

// BORROWS: the arguments, until they are parsed.
void declare_fetch(options::Table& table, FetchArguments& arguments);
// Combines the parsed options. Fails with an error for the user.
Result<void> complete_fetch(const options::Table& table, FetchArguments& arguments);

}  // namespace gossamer::cli

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/web_arguments.h"
#include "http/credential_store.h"
#include "http/request.h"

namespace gossamer::cli {

// What `gossamer fetch` was asked for, checked.
struct FetchArguments : public WebArguments {
  std::vector<http::Request> requests;
  bool shows_head = false;
  bool shows_json = false;
  bool is_raw = false;  // content codings stay
  bool follows_redirects = false;
  bool is_silent = false;  // no messages about failures
  std::string output_file;
  std::string cookie_file;
  std::uint64_t parallel = 1;
  std::uint64_t decoded_bytes_max = 0;
  http::CredentialStore credentials;
};

// The exit code instead, if there is nothing more to do.
std::optional<int> read_fetch_arguments(const std::vector<std::string>& words,
                                        FetchArguments& arguments);

}  // namespace gossamer::cli

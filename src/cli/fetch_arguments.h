#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/driver.h"
#include "cli/web_access.h"
#include "http/credential_store.h"
#include "http/request.h"

namespace gossamer::cli {

// What `gossamer fetch` was asked for, checked.
struct FetchArguments {
  std::vector<http::Request> requests;
  bool shows_head = false;
  bool shows_json = false;
  bool is_raw = false;  // content codings stay
  std::string output_file;
  std::string cookie_file;
  std::uint64_t parallel = 1;
  std::uint64_t decoded_bytes_max = 0;
  async::DriverKind driver = async::DriverKind::automatic;
  WebOptions web;
  http::CredentialStore credentials;
};

// The exit code instead, if there is nothing more to do.
std::optional<int> read_fetch_arguments(const std::vector<std::string>& words,
                                        FetchArguments& arguments);

}  // namespace gossamer::cli

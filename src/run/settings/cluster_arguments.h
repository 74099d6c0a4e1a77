#pragma once

#include <string>

#include "base/result.h"
#include "options/table.h"

namespace gossamer::settings {

struct CrawlArguments;

// The environment variable with the password of Redis.
inline constexpr const char* kRedisPasswordVariable = "GOSSAMER_REDIS_PASSWORD";

// Reads the password of Redis from the file or, if it is empty, from the environment. Fails with
// Errc::invalid_argument.
Result<std::string> read_redis_password(const std::string& file);

// `cluster` and the options of the connection to Redis.
void declare_shared_crawl(options::Table& table, CrawlArguments& arguments);
// Reads the password. Fails with Errc::invalid_argument.
Result<void> complete_shared_crawl(CrawlArguments& arguments);

}  // namespace gossamer::settings

// The options of every command that visits sites: speed, limits, identity and network.
#pragma once

#include <array>

#include "base/result.h"
#include "options/table.h"
#include "scope/scope_options.h"
#include "settings/crawl_arguments.h"

namespace gossamer::settings {

inline constexpr std::array<options::Choice<crawler::ScopeKind>, 5> kScopes = {{
    {"page", crawler::ScopeKind::page},
    {"prefix", crawler::ScopeKind::prefix},
    {"host", crawler::ScopeKind::host},
    {"domain", crawler::ScopeKind::domain},
    {"any", crawler::ScopeKind::any},
}};

inline constexpr std::array<options::Choice<crawler::RenderMode>, 3> kRenderModes = {{
    {"never", crawler::RenderMode::never},
    {"auto", crawler::RenderMode::automatic},
    {"always", crawler::RenderMode::always},
}};

// BORROWS, for all of them: the settings, until the command line is parsed.
void declare_politeness(options::Table& table, run::CrawlSettings& settings);
void declare_limits(options::Table& table, run::CrawlSettings& settings);
void declare_network_and_identity(options::Table& table, CrawlArguments& arguments);

// Combines the parsed options: cookies, proxies. Fails with Errc::invalid_argument.
Result<void> complete_visits(const options::Table& table, CrawlArguments& arguments);

}  // namespace gossamer::settings

#pragma once

#include "options/table.h"
#include "run/identity.h"

namespace gossamer::cli {

// --user, --password-env, --netrc, --netrc-file, --login-url, --login-field, --login-check,
// --follow-logout. BORROWS: the settings, until they are parsed.
void declare_logins(options::Table& table, run::IdentitySettings& settings);

// The keys of [host."NAME"] tables: the options of `command` that apply to one host, and
// `password`.
// BORROWS: the settings.
options::Table::HostKeys host_keys(const options::CommandTable& command,
                                   run::IdentitySettings& settings);

}  // namespace gossamer::cli

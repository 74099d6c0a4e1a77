#include "cli/cluster_client.h"

#include <utility>

#include "base/escape.h"
#include "cli/command.h"
#include "settings/cluster_arguments.h"

namespace gossamer::cli {
void declare_cluster(options::Table& table, ClusterArguments& arguments) {
  table.word(options::text(arguments.url, "URL"),
             "redis://HOST:PORT,HOST:PORT/NAME; rediss:// uses TLS");
  table.option("password-file", options::file(arguments.password_file),
               "read the password of Redis from FILE");
  table.option("cacert,ca-certificate", options::file(arguments.tls.ca_file),
               "also trust the certificates in FILE (PEM)");
  table.option("cert", options::file(arguments.tls.client_certificate_file),
               "use this client certificate (PEM)");
  table.option("key", options::file(arguments.tls.client_key_file),
               "use this key for --cert (PEM)");
}

Result<run::ClusterSettings> cluster_settings(const ClusterArguments& arguments) {
  auto password = settings::read_redis_password(arguments.password_file);
  if (!password) return fail(std::move(password).error());
  return run::ClusterSettings{
      .url = arguments.url, .password = std::move(*password), .tls = arguments.tls};
}

Result<void> with_cluster(const ClusterArguments& arguments, run::ClusterWork& work) {
  const auto settings = cluster_settings(arguments);
  if (!settings) return fail(settings.error().copy());
  return run::with_cluster(*settings, work);
}

int cluster_failed(std::string_view command, const Error& error) {
  static_cast<void>(usage_error(command, base::escape_for_terminal(error.message())));
  if (error == Errc::denied) return kAuthenticationFailed;
  return error == Errc::not_found ? int{kFailed} : exit_code_for(error);
}

}  // namespace gossamer::cli

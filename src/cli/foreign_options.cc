#include "cli/foreign_options.h"

#include <array>

namespace gossamer::cli {
namespace {

constexpr auto kForeign = std::to_array<options::ForeignOption>({
    {"--wait", "use --delay"},
    {"-w", "use --delay"},
    {"--random-wait", "pauses follow the response time; see --delay"},
    {"--limit-rate", "--rate limits requests per second; there is no limit of bytes per second"},
    {"--no-check-certificate", "use --insecure"},
    {"--spider", "use `gossamer check` to find broken links"},
    {"-r", "crawl always follows links"},
    {"--recursive", "crawl always follows links"},
    {"-np", "use --scope prefix"},
    {"--no-parent", "use --scope prefix"},
    {"-m", "use `gossamer mirror URL` for an offline copy"},
    {"--mirror", "use `gossamer mirror URL` for an offline copy"},
    {"-K", "`gossamer mirror URL` makes links lead to files"},
    {"--convert-links", "`gossamer mirror URL` makes links lead to files"},
    {"-p", "use --assets"},
    {"--page-requisites", "use --assets"},
    {"-A", "use --include REGEX"},
    {"--accept", "use --include REGEX"},
    {"-R", "use --exclude REGEX or --skip-extensions"},
    {"--reject", "use --exclude REGEX or --skip-extensions"},
    {"-X", "use --exclude REGEX"},
    {"--exclude-directories", "use --exclude REGEX"},
    {"-D", "use --scope domain"},
    {"--domains", "use --scope domain"},
    {"--span-hosts", "use --scope any"},
    {"-N", "use --job DIR with --refresh"},
    {"--timestamping", "use --job DIR with --refresh"},
    {"-c", "use --job DIR; the same command resumes the crawl"},
    {"--continue", "use --job DIR; the same command resumes the crawl"},
    {"-nc", "use --job DIR; stored pages are not fetched again"},
    {"--no-clobber", "use --job DIR; stored pages are not fetched again"},
    {"-P", "use `gossamer mirror URL DIR`"},
    {"--directory-prefix", "use `gossamer mirror URL DIR`"},
    {"-e", "for robots=off use --no-robots"},
    {"--execute", "for robots=off use --no-robots"},
    {"--tries", "use --max-tries"},
    {"--retry", "use --max-tries"},
    {"--http-user", "use --user"},
    {"--http-password", "use --password-env or --netrc"},
    {"--password", "use --password-env or --netrc"},
    {"--post-data", "use `gossamer fetch -d DATA URL` for a single request"},
    {"--delete-after", "crawl saves no pages unless you use --job or --warc-file"},
    {"-Q", "use --quota"},
    {"-O", "use -o FILE for the results, or `gossamer fetch URL -o FILE` for one page"},
    {"--output-document", "use `gossamer fetch URL -o FILE` for one page"},
    {"--sockets", "use --concurrency"},
    {"--max-depth", "use --depth"},
});

}  // namespace

std::span<const options::ForeignOption> foreign_crawl_options() { return kForeign; }

}  // namespace gossamer::cli

#include "store/stored_payloads.h"

#include <gtest/gtest.h>
#include <tests/support/simulated_tables.h>

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "store/journal.h"
#include "warc/digest.h"

namespace gossamer::store {
namespace {

warc::Digest digest_for(std::string_view payload) {
  return warc::digest_of(warc::DigestAlgorithm::sha1, as_bytes(payload));
}

warc::Original original_at(std::string_view uri) {
  return {.record_id = "<urn:uuid:1>",
          .target_uri = std::string(uri),
          .date = {.seconds = -5, .nanoseconds = 7}};
}

// Empty: it is not known.
std::string uri_of(KnownPayloads& payloads, std::string_view payload) {
  const auto found = payloads.find(digest_for(payload));
  EXPECT_TRUE(found);
  return found && *found ? (*found)->target_uri : "";
}

TEST(StoredPayloads, AreKnownAtOnceAndStoredOnlyAfterTheArchiveIsSynced) {
  SimulatedTables tables;
  Journal journal(tables, Durability::group);
  StoredPayloads payloads(journal);
  ASSERT_TRUE(payloads.add(digest_for("a"), original_at("http://h/a")));
  EXPECT_EQ(uri_of(payloads, "a"), "http://h/a");
  EXPECT_EQ(uri_of(payloads, "b"), "");
  journal.commit();
  Journal early(tables, Durability::group);
  StoredPayloads before(early);
  EXPECT_EQ(uri_of(before, "a"), "") << "a power cut could lose its record";
  payloads.synced();
  EXPECT_EQ(uri_of(payloads, "a"), "http://h/a") << "until the commit";
  journal.commit();
  Journal later(tables, Durability::group);
  StoredPayloads after(later);
  EXPECT_EQ(uri_of(after, "a"), "http://h/a");
}

TEST(StoredPayloads, DoNotWaitForASyncIfNothingNeedsToBeDurable) {
  SimulatedTables tables;
  Journal journal(tables, Durability::none);
  StoredPayloads payloads(journal);
  ASSERT_TRUE(payloads.add(digest_for("a"), original_at("http://h/a")));
  journal.commit();
  Journal later(tables, Durability::none);
  StoredPayloads after(later);
  EXPECT_EQ(uri_of(after, "a"), "http://h/a");
}

TEST(StoredPayloads, AreReadAsTheyWereWritten) {
  const warc::Original original = original_at("http://h/a");
  const auto read = unpack_original(pack_original(original));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->record_id, original.record_id);
  EXPECT_EQ(read->target_uri, original.target_uri);
  EXPECT_EQ(read->date, original.date);
  EXPECT_EQ(unpack_original("").error(), Errc::malformed);
  const std::string row = pack_original(original);
  EXPECT_EQ(unpack_original(row.substr(0, row.size() - 1)).error(), Errc::malformed);
}

}  // namespace
}  // namespace gossamer::store

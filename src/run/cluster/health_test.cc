#include "cluster/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gossamer::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Health sound() {
  return {.is_cluster = true,
          .slots_covered = 16384,
          .masters = {{.name = "a:1",
                       .info = {{"redis_version", "7.0.15"},
                                {"used_memory", "1000"},
                                {"maxmemory", "100000"},
                                {"maxmemory_policy", "noeviction"},
                                {"aof_enabled", "1"}},
                       .configuration = {{"set-max-intset-entries", "512"},
                                         {"cluster-require-full-coverage", "no"}},
                       .replicas = 1}}};
}

std::vector<std::string> texts(const Health& health) {
  std::vector<std::string> all;
  for (const Finding& finding : judge(health)) {
    all.push_back((finding.weight == Finding::Weight::fatal ? "fatal: " : "warning: ") +
                  finding.server + ": " + finding.text);
  }
  return all;
}

TEST(Health, ASoundClusterHasNoFindings) { EXPECT_THAT(texts(sound()), IsEmpty()); }

TEST(Health, EvictionAndOldServersAreFatal) {
  Health health = sound();
  health.masters[0].info["maxmemory_policy"] = "allkeys-lru";
  health.masters[0].info["redis_version"] = "6.2.1";
  health.slots_covered = 16000;
  EXPECT_THAT(texts(health), ElementsAre(HasSubstr("fatal: : 384 of 16384 slots"),
                                         HasSubstr("fatal: a:1: Redis 6.2.1"),
                                         HasSubstr("fatal: a:1: maxmemory-policy allkeys-lru")));
}

TEST(Health, LossesAfterAFaultAreWarnings) {
  Health health = sound();
  health.masters[0].replicas = 0;
  health.masters[0].info["aof_enabled"] = "0";
  health.masters[0].info["maxmemory"] = "0";
  health.masters[0].configuration["cluster-require-full-coverage"] = "yes";
  EXPECT_THAT(texts(health),
              ElementsAre(HasSubstr("appendonly"), HasSubstr("cluster-require-full-coverage"),
                          HasSubstr("no maxmemory"), HasSubstr("no replica")));
}

TEST(Health, MemoryAndClocksAreJudged) {
  Health health = sound();
  health.masters[0].info["used_memory"] = "90000";
  health.masters[0].clock_offset = -2s;
  health.masters[0].configuration["set-max-intset-entries"] = "64";
  EXPECT_THAT(texts(health),
              ElementsAre(HasSubstr("fatal: a:1: its clock differs by -2 s"),
                          HasSubstr("set-max-intset-entries 64"), HasSubstr("nearly full")));
}

TEST(Health, ReplicasAreJudgedLikeMasters) {
  Health health = sound();
  health.replicas = {health.masters[0]};
  health.replicas[0].name = "b:2";
  health.replicas[0].replicas = 0;
  EXPECT_THAT(texts(health), IsEmpty());
  health.replicas[0].info["maxmemory"] = "50000";
  health.replicas[0].info["maxmemory_policy"] = "volatile-lru";
  health.silent_replicas = {"c:3"};
  EXPECT_THAT(texts(health), ElementsAre(HasSubstr("fatal: b:2: maxmemory-policy volatile-lru"),
                                         HasSubstr("b:2: this replica has less memory"),
                                         HasSubstr("c:3: this replica does not answer")));
}

TEST(Health, AHiddenConfigurationIsNotJudged) {
  Health health = sound();
  health.masters[0].configuration.clear();
  EXPECT_THAT(texts(health), IsEmpty());
}

TEST(Health, InfoIsRead) {
  const auto info = parse_info("# Server\r\nredis_version:7.0.15\r\n\r\na:b:c\r\nbroken\r\nz:");
  EXPECT_EQ(info.size(), 3u);
  EXPECT_EQ(info.at("redis_version"), "7.0.15");
  EXPECT_EQ(info.at("a"), "b:c");
}

TEST(Health, LongValuesOfInfoAreCut) {
  const std::string huge(200'000, '7');
  const auto info = parse_info("redis_version:" + huge + "\r\n" + huge + ":1\r\n");
  EXPECT_EQ(info.at("redis_version").size(), kInfoValueMax);
  for (const auto& [name, text] : info) EXPECT_LE(name.size(), kInfoValueMax);
}

}  // namespace
}  // namespace gossamer::cluster

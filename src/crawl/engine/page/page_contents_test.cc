#include "engine/page/page_contents.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "content/extractor.h"
#include "tests/simulated/world.h"

namespace gossamer::crawler {
namespace {

constexpr std::string_view kArticle =
    "<html lang=en><title>T</title><h1>Heading</h1><article><p>One two three, four five six, seven "
    "eight nine ten eleven twelve.</p></article>";

FetchRecord contents_of(std::string_view body, const Settings& settings) {
  sim::World world(sim::calm_options());
  PageContents contents(settings);
  PageReading reading;
  contents.prepare(reading);
  reading.begin(BodyKind::html, "utf-8", "gossamer");
  reading.feed(as_bytes(body));
  reading.finish();
  FetchRecord record;
  const url::Url url = url::Url::parse("http://a.example/").value();
  world.run(contents.read(url, reading, record));
  return record;
}

TEST(PageContents, AreOnlyThoseThatAreWanted) {
  for (int wanted = 0; wanted < 5; ++wanted) {
    Settings settings;
    if (wanted == 0) settings.extract = {"heading=h1"};
    settings.keeps_text = wanted == 1;
    settings.keeps_markdown = wanted == 2;
    settings.keeps_metadata = wanted == 3;
    settings.finds_similar = wanted == 4;
    EXPECT_TRUE(PageContents(settings).is_wanted());
    const FetchRecord record = contents_of(kArticle, settings);
    EXPECT_EQ(!record.extracted.empty(), wanted == 0) << wanted;
    EXPECT_EQ(!record.text.empty(), wanted == 1) << wanted;
    EXPECT_EQ(!record.markdown.empty(), wanted == 2) << wanted;
    EXPECT_EQ(record.metadata != nullptr, wanted == 3) << wanted;
    EXPECT_EQ(record.sketch != nullptr, wanted == 4) << wanted;
    EXPECT_FALSE(record.is_extract_truncated) << wanted;
  }
  EXPECT_FALSE(PageContents(Settings()).is_wanted());
}

TEST(PageContents, SayThatTheyAreTruncated) {
  std::string words = "<article><h1>";
  while (words.size() < content::kExtractBytesMax + 100'000) words += "caf\xC3\xA9 and more, ";
  for (int wanted = 0; wanted < 4; ++wanted) {
    Settings settings;
    if (wanted == 0) settings.extract = {"heading=h1"};
    settings.keeps_text = wanted == 1;
    settings.keeps_markdown = wanted == 2;
    settings.keeps_metadata = wanted == 3;
    const FetchRecord record = contents_of(words + "</h1><p>" + words, settings);
    EXPECT_TRUE(record.is_extract_truncated) << wanted;
    EXPECT_LE(record.text.size(), content::kExtractBytesMax);
    EXPECT_LE(record.markdown.size(), content::kExtractBytesMax);
  }
}

}  // namespace
}  // namespace gossamer::crawler

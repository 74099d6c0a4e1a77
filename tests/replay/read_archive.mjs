// Reads WARC files with warcio.js and prints a line of JSON for each record: what it is, where it
// stands, and whether its digests are those of its bytes.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";

const { WARCParser } = createRequire(process.argv[2] + "/")("warcio");
const kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function base32(bytes) {
  let text = "";
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; count -= 5) text += kDigits[(bits >> (count - 5)) & 31];
    bits &= (1 << count) - 1;
  }
  return text;
}

function digestOf(bytes) {
  return "sha1:" + base32(createHash("sha1").update(bytes).digest());
}

// A record names its protocols in several fields.
function protocolsOf(record) {
  const all = [...record.warcHeaders.headers].filter(
    ([name]) => name.toLowerCase() === "warc-protocol",
  );
  return all.map(([, value]) => value).join(" ");
}

async function* recordsOf(file, options) {
  const parser = new WARCParser(createReadStream(file), options);
  for await (const record of parser) yield [record, parser];
}

// The same file twice: as blocks, and as what was transferred in them.
for (const file of process.argv.slice(3)) {
  const lines = [];
  for await (const [record, parser] of recordsOf(file, { parseHttp: false })) {
    const block = await record.readFully(false);
    lines.push({
      type: record.warcType,
      url: record.warcTargetURI,
      offset: parser.offset,
      block_bytes: block.length,
      block: record.warcHeader("WARC-Block-Digest") === digestOf(block),
    });
    lines.at(-1).length = parser.recordLength;
  }
  let at = 0;
  for await (const [record] of recordsOf(file, {})) {
    const line = lines[at++];
    if (record.warcType !== "response") {
      await record.readFully(false);
      continue;
    }
    record.httpHeaders.headers.delete("Content-Encoding"); // only the transfer is undone
    const payload = await record.readFully(true);
    line.status = record.httpHeaders.statusCode;
    line.protocols = protocolsOf(record);
    line.cipher = record.warcHeader("WARC-Cipher-Suite");
    line.payload = record.warcHeader("WARC-Payload-Digest") === digestOf(payload);
  }
  for (const line of lines) console.log(JSON.stringify(line));
  if (at !== lines.length) throw new Error(`${file}: ${lines.length} records, then ${at}`);
}

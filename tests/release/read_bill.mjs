// Compares a list of libraries with the schema of CycloneDX: FILE
import { readFile } from "node:fs/promises";
import * as cyclonedx from "@cyclonedx/cyclonedx-library";

const validator = new cyclonedx.Validation.JsonStrictValidator(cyclonedx.Spec.Version.v1dot5);
const problems = await validator.validate(await readFile(process.argv[2], "utf8"));
if (problems !== null) {
  console.error(problems);
  process.exit(1);
}

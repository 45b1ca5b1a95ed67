// Tests that need something the machine may lack say so, instead of passing by in silence.

const said = new Set<string>();

/** For `skipIf`: true where `present` is false, after printing `skipped: reason`, once in each test file. */
export function skipUnless(present: boolean, reason: string): boolean {
  if (!present && !said.has(reason)) {
    said.add(reason);
    process.stderr.write(`skipped: ${reason}\n`);
  }
  return !present;
}

/** For what `scripts/install-test-tools.sh` installs: where TECHNE_TEST_TOOLS is `required` (.ci/run), its absence fails. */
export function skipUnlessTool(present: boolean, reason: string): boolean {
  if (!present && process.env['TECHNE_TEST_TOOLS'] === 'required')
    throw new Error(`needed by these tests: ${reason}`);
  return skipUnless(present, reason);
}

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

// Programs that would take a machine down, each in a process of its own that must survive it.
//
// Time is measured by bench/starlark/bombs.mjs; here the timeout only guards against hanging.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const folder = new URL('../bench/starlark/', import.meta.url);
const child = fileURLToPath(new URL('bomb-child.mjs', folder));
const { bombs } = (await import(new URL('bomb-list.mjs', folder).href)) as {
  bombs: { readonly [name: string]: unknown };
};

const hangMs = 120_000;
/** A part of the default, where nothing but the step limit ends a bomb: the way it ends is the same. */
const maxSteps = 4_000_000;
const maxRssMb = 256;

interface Ended {
  readonly code: string;
  readonly right: boolean;
  readonly rssMb: number;
  readonly alive: boolean;
}

describe.concurrent('a bomb', () => {
  it.each(Object.keys(bombs))(
    'ends in a typed failure: %s',
    async (name) => {
      const { stdout } = await promisify(execFile)(process.execPath, [child, name, String(maxSteps)], {
        timeout: hangMs,
        killSignal: 'SIGKILL',
      });
      const { code, right, rssMb, alive } = JSON.parse(stdout) as Ended;
      expect({ code, right, alive, small: rssMb < maxRssMb ? true : rssMb }).toEqual({
        code,
        right: true,
        alive: true,
        small: true,
      });
    },
    hangMs + 10_000,
  );
});

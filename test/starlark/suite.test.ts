// The language, as programs that say themselves what they expect. See `star-file.ts` for the form.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareFaults, runChunk, suiteFolder } from './run-chunk.ts';
import { readStarFile } from './star-file.ts';

const names = readdirSync(suiteFolder).filter((name) => name.endsWith('.star'));
const chunksOf = (name: string) => readStarFile(readFileSync(join(suiteFolder, name), 'utf8'), name);

describe('the language suite', () => {
  it.each(names)('%s does what it expects', (name) => {
    const wrong = chunksOf(name).flatMap((chunk) =>
      compareFaults(chunk.expected, runChunk(chunk, name).faults, name),
    );
    expect(wrong).toEqual([]);
  });

  it('what-people-try.star is answered with a hint each time', () => {
    const silent = chunksOf('what-people-try.star').flatMap((chunk) =>
      runChunk(chunk, 'what-people-try.star').faults.filter((fault) => fault.hint === null),
    );
    expect(silent.map((fault) => `${fault.lines.join(',')}: ${fault.message}`)).toEqual([]);
  });

  // A run that is stopped all the time, and one that is written down and read back at each stop, ends the same way
  // after the same number of steps.
  it.each(names)('%s does the same in slices, and out of snapshots', (name) => {
    for (const chunk of chunksOf(name)) {
      const whole = runChunk(chunk, name);
      if (whole.steps === null) continue;
      const sliceSteps = Math.max(1, Math.floor(whole.steps / 40));
      expect([chunk.line, runChunk(chunk, name, 'slices', sliceSteps)]).toEqual([chunk.line, whole]);
      expect([chunk.line, runChunk(chunk, name, 'restored', sliceSteps)]).toEqual([chunk.line, whole]);
    }
  });
});

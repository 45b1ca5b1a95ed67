// What watching costs.  node bench/watch.mjs [COUNT …]
//
// Time and memory until the watch is in place, how long until an edit and a branch switch are seen, the reload
// alone, and closing. Plain generated skills: the numbers are about folders, not about what is in them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { sayMachine, inside } from './measure.mjs';

const counts = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'techne-bench-watch-'));
try {
  const program = join(folder, 'watch-once.mjs');
  await build({
    input: fileURLToPath(new URL('once/watch-once.ts', import.meta.url)),
    platform: 'node',
    logLevel: 'silent',
    output: { file: program, format: 'esm', codeSplitting: false },
  });
  sayMachine();
  for (const count of counts.length > 0 ? counts : [1000, 10_000]) {
    const root = join(folder, String(count));
    for (let n = 0; n < count; n += 1) {
      mkdirSync(join(root, `skill-${n}`, 'scripts'), { recursive: true });
      writeFileSync(
        join(root, `skill-${n}`, 'SKILL.md'),
        `---\nname: skill-${n}\ndescription: Use when you need ${n}.\n---\n${'Text. '.repeat(500)}\n`,
      );
    }
    console.log(`\n${count} skills, each with a scripts folder`);
    inside(program, [root, join(folder, `${count}.index`), 'quiet']);
    inside(program, [root, join(folder, `${count}.index`)], { stdio: ['ignore', 'pipe', 'inherit'] });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

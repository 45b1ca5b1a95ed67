// One run that was made, written under many names, a minute apart: for lists of thousands.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { cli } from './open.mjs';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
function ulid(at, number) {
  let text = '';
  for (let left = at, digit = 0; digit < 10; digit += 1, left = Math.floor(left / 32))
    text = alphabet[left % 32] + text;
  let tail = '';
  for (let left = number, digit = 0; digit < 16; digit += 1, left = Math.floor(left / 32))
    tail = alphabet[left % 32] + tail;
  return text + tail;
}
/** A journal under another name, at another time: each line is bound to its run by a chain of sums. */
function segmentOf(lines, run, epoch, by) {
  let chain = crc32(`techne journal 1 ${run} ${epoch}\n`);
  return lines
    .map((line) => {
      const [, seq, batch, json] = /^(\d+) (\d+) \d+ [0-9a-f]{8} (.*)$/.exec(line);
      const entry = JSON.parse(json);
      entry.at += by;
      if (entry.run !== undefined) entry.run = run;
      const text = JSON.stringify(entry);
      const numbers = `${seq} ${batch} ${Buffer.byteLength(text)} `;
      chain = crc32(text, crc32(numbers, chain));
      return `${numbers}${chain.toString(16).padStart(8, '0')} ${text}\n`;
    })
    .join('');
}

/** Runs the skill once with a text, and writes its journal so often in all. */
export function writeRuns(world, skill, many) {
  // In a terminal a run has one segment; where a server drives it, each names the end of the one before.
  execFileSync(process.execPath, [cli, 'run', skill, 'text=abc'], {
    cwd: world.workspace,
    env: { PATH: process.env.PATH, HOME: world.home, NO_COLOR: '1' },
  });
  const folder = join(world.home, '.techne/runs');
  const [run] = readdirSync(folder);
  const segments = readdirSync(join(folder, run))
    .filter((name) => /^journal\.\d+$/.test(name))
    .map((name) => ({
      name,
      lines: readFileSync(join(folder, run, name), 'utf8')
        .trimEnd()
        .split('\n'),
    }));
  const now = Date.now();
  for (let at = 1; at < many; at += 1) {
    const name = ulid(now - at * 60_000, at);
    mkdirSync(join(folder, name));
    for (const { name: file, lines } of segments)
      writeFileSync(join(folder, name, file), segmentOf(lines, name, Number(file.slice(8)), -at * 60_000));
  }
}

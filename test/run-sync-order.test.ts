// What kill -9 cannot show: that the disk has it before something is done. Looked at with strace.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allActs } from './crash/runs/crash-program.ts';
import { childProgram } from './support/child-program.ts';
import { skipUnlessTool } from './support/skip-unless.ts';
import type { SystemCall } from './support/system-calls.ts';
import { parseSystemCalls, writtenText } from './support/system-calls.ts';

const works = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;

describe.skipIf(
  skipUnlessTool(
    works,
    'strace is not installed, or may not trace here: the order of syncs is not looked at',
  ),
)('a run under strace', () => {
  let folder: string;
  let calls: readonly SystemCall[] = [];
  const journalWrites = (): readonly SystemCall[] =>
    calls.filter(({ name, args }) => name === 'pwrite64' && /<[^>]*\/journal\.1>/.test(args));

  beforeAll(async () => {
    const program = await childProgram('drive-run');
    folder = mkdtempSync(join(tmpdir(), 'techne-strace-'));
    const [log, output] = [join(folder, 'world.log'), join(folder, 'strace.out')];
    writeFileSync(log, '');
    const traced = [
      '-f',
      '-qq',
      '-y',
      '-s',
      '200000',
      '-e',
      'trace=pwrite64,write,fdatasync,fsync,rename,execve',
      '-o',
      output,
    ];
    const { stdout, stderr } = spawnSync(
      'strace',
      [...traced, process.execPath, program.path, JSON.stringify({ folder, log })],
      {
        encoding: 'utf8',
        env: { ...process.env, UV_USE_IO_URING: '0' },
      },
    );
    program.close();
    if (stderr !== '' || !stdout.includes('"status":"completed"')) throw new Error(stderr + stdout);
    calls = parseSystemCalls(readFileSync(output, 'utf8'));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** How the start of an act is written. */
  const startOf = (act: string): string => {
    const [first = '', ...rest] = act.split(' ');
    const isPart = first === 'turn' || first === 'tool';
    return isPart
      ? `"kind":"${first}","hash":"HASH","request":{"value":{"prompt":"${rest.join(' ')}"}}`
      : `"argv":${JSON.stringify(act.split(' '))}`;
  };
  const isWriteOf = (call: SystemCall, act: string): boolean => {
    const text = writtenText(call).replaceAll(/"hash":"[^"]+"/g, '"hash":"HASH"');
    return text
      .split('\\n')
      .some((line) => line.includes('"type":"effect.started"') && line.includes(startOf(act)));
  };

  it('has synced the start of an effect before the process of the effect is spawned', () => {
    const late: string[] = [];
    for (const act of allActs) {
      const written = journalWrites().find((call) => isWriteOf(call, act));
      if (written === undefined) throw new Error(`the start of "${act}" was never written`);
      const synced = calls.find(
        ({ name, args, result, began }) =>
          name === 'fdatasync' &&
          args.includes('/journal.1>') &&
          began > written.ended &&
          result.startsWith('0'),
      );
      const spawned = calls.filter(
        ({ name, args }) => name === 'execve' && args.includes(`"sh", ${JSON.stringify(act)}, `),
      );
      expect([act, spawned.length]).toEqual([act, 1]);
      if (synced === undefined || synced.ended >= (spawned[0] as SystemCall).began) late.push(act);
    }
    expect(late).toEqual([]);
  });

  it('has synced a blob and its name before the entry that names it is written', () => {
    const late: string[] = [];
    const named = journalWrites().flatMap((call) =>
      [...writtenText(call).matchAll(/sha256:([0-9a-f]{64})/g)].map(([, hex]) => ({
        hex: hex as string,
        call,
      })),
    );
    // SKILL.md, the program, and an answer of 15,000 characters; the digest of the skill is that of its program here.
    expect(new Set(named.map(({ hex }) => hex)).size).toBe(3);
    for (const { hex, call } of named) {
      const place = `sha256/${hex.slice(0, 2)}/${hex.slice(2)}`;
      const renamed = calls.find(({ name, args }) => name === 'rename' && args.includes(`${place}"`));
      const synced = calls.find(
        ({ name, args, result }) =>
          name === 'fdatasync' && args.includes(`/.${hex.slice(2)}.`) && result.startsWith('0'),
      );
      const folderSynced = calls.find(
        ({ name, args, result, began }) =>
          name === 'fsync' &&
          args.endsWith(`/sha256/${hex.slice(0, 2)}>`) &&
          result.startsWith('0') &&
          began > (renamed?.ended ?? Infinity),
      );
      const inOrder =
        renamed !== undefined &&
        synced !== undefined &&
        folderSynced !== undefined &&
        synced.ended < renamed.began &&
        folderSynced.ended < call.began;
      if (!inOrder) late.push(hex);
    }
    expect(late).toEqual([]);
  });

  it('has synced the name of the journal, and of its folder, before the first process is spawned', () => {
    const first = calls.find(
      ({ name, args }) => name === 'execve' && args.includes('"step 0"'),
    ) as SystemCall;
    for (const path of [/<[^>]*\/runs\/[0-9A-Z]{26}>/, /<[^>]*\/runs>/]) {
      const synced = calls.find(
        ({ name, args, result }) => name === 'fsync' && path.test(args) && result.startsWith('0'),
      );
      expect([String(path), synced !== undefined && synced.ended < first.began]).toEqual([
        String(path),
        true,
      ]);
    }
  });
});

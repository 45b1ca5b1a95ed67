// Forms of a composition that several real processes know of: the file store, real MCP servers, and a log outside of it all.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChildProgram } from './support/child-program.ts';
import { childProgram } from './support/child-program.ts';

const patience = { timeout: 60_000, interval: 20 };
const server = fileURLToPath(new URL('fixtures/mcp/notes-server.mjs', import.meta.url));
let program: ChildProgram;
let top = '';
const children: ChildProcess[] = [];

beforeAll(async () => {
  program = await childProgram('forms');
  // The package that the bundled program takes itself to be part of.
  writeFileSync(join(dirname(program.path), 'package.json'), '{"name": "techne", "version": "0.0.0"}');
});
afterAll(() => program.close());
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'techne-forms-')));
  const folder = join(top, 'work/.techne/skills/duo');
  for (const each of ['home/.techne', 'work/.git']) mkdirSync(join(top, each), { recursive: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'SKILL.md'), skill(join(top, 'gate')));
  writeFileSync(
    join(top, 'home/.techne/config.json'),
    JSON.stringify({
      mcpServers: { notes: { command: process.execPath, args: [server, '--log', join(top, 'log')] } },
      tools: { allow: ['notes__*'] },
      trust: { folders: [join(top, 'work')] },
    }),
  );
  writeFileSync(join(top, 'log'), '');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(top, { recursive: true, force: true });
});

function skill(gate: string): string {
  const note = (id: string, after: string, text: string): string =>
    `    - {id: ${id}, kind: tool_call, tool: notes__add_note, depends_on: [${after}], tool_args: {note: "${text}"}}\n`;
  return `---
name: duo
description: Asks two things at once and notes them. Use when two people must be asked.
kind: meta
triggers: [ask two]
final_text_mode: raw
composition:
  steps:
${note('begin', '', 'begin')}    - {id: wait, kind: tool_call, tool: notes__gate, depends_on: [begin], tool_args: {path: "${gate}"}}
    - id: first
      kind: user_input
      depends_on: [begin]
      clarify: {fields: [{name: colour, type: enum, choices: [red, blue], required: true}]}
    - id: second
      kind: user_input
      depends_on: [begin]
      clarify: {fields: [{name: size, type: int, min: 1, max: 9, required: true}]}
${note('one', 'first', 'first {{ inputs.collected.first.colour }}')}${note('two', 'second', 'second {{ inputs.collected.second.size }}')}${note('end', 'wait, one, two', 'end {{ inputs.collected.first.colour }} {{ inputs.collected.second.size }}')}---

Asks two things.
`;
}

interface Line {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A process that does one thing; `lines` are what it has printed. */
function start(order: object): {
  readonly child: ChildProcess;
  readonly lines: Line[];
  readonly ended: Promise<void>;
} {
  const child = program.start(
    JSON.stringify({ workspace: join(top, 'work'), home: join(top, 'home'), ...order }),
  );
  children.push(child);
  const lines: Line[] = [];
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const parts = (printed + chunk.toString()).split('\n');
    printed = parts.pop() as string;
    lines.push(...parts.map((part) => JSON.parse(part) as Line));
  });
  return { child, lines, ended: new Promise((resolve) => child.once('close', () => resolve())) };
}

async function act(order: object): Promise<Line> {
  const { lines, ended } = start(order);
  await ended;
  return lines.at(-1) as Line;
}

const log = (): readonly string[] =>
  readFileSync(join(top, 'log'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const count = (line: string): number => log().filter((each) => each === line).length;
const openGate = (): void => writeFileSync(join(top, 'gate'), '');

/** Both forms are open, and the sibling is under way. */
async function bothOpen(): Promise<ReturnType<typeof start> & { readonly run: string }> {
  const owner = start({ act: 'start', skill: 'duo' });
  await vi.waitFor(() => {
    expect(owner.child.exitCode).toBeNull();
    expect(owner.lines.filter(({ type }) => type === 'question.asked')).toHaveLength(2);
    expect(count('gate begins')).toBe(1);
  }, patience);
  return { ...owner, run: owner.lines.find(({ type }) => type === 'run.started')?.['run'] as string };
}

function mustBeOnce(): void {
  expect(
    log()
      .filter((line) => line.startsWith('add '))
      .sort(),
  ).toEqual(['add begin', 'add end blue 7', 'add first blue', 'add second 7']);
}

describe('two forms of one run', () => {
  it('are answered by other processes while a sibling runs', async () => {
    const { run, lines, ended } = await bothOpen();
    expect(await act({ act: 'answer', run, step: 'second', value: { size: 99 } })).toMatchObject({
      type: 'refused',
      code: 'ANSWER_REFUSED',
      message: 'size must be from 1 to 9, not 99',
    });
    expect(await act({ act: 'answer', run, step: 'second', value: { size: 7 } })).toMatchObject({
      type: 'answered',
      delivery: 'posted',
    });
    // What follows from it goes on while the other form is open.
    await vi.waitFor(() => expect(count('add second 7')).toBe(1), patience);
    expect(await act({ act: 'answer', run, step: 'first', value: 'colour: Blue' })).toMatchObject({
      delivery: 'posted',
    });
    await vi.waitFor(() => expect(count('add first blue')).toBe(1), patience);
    openGate();
    await ended;
    expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'completed' });
    expect(count('gate begins')).toBe(1);
    mustBeOnce();
  }, 120_000);

  it('are answered by other processes after a restart, and nothing runs twice', async () => {
    const { run, lines, ended } = await bothOpen();
    openGate();
    await ended;
    expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'paused' });
    expect(await act({ act: 'answer', run, step: 'second', value: { size: 7 } })).toMatchObject({
      delivery: 'recorded',
    });
    const half = await act({ act: 'resume', run });
    expect([half['status'], (half['questions'] as unknown[]).length, count('add second 7')]).toEqual([
      'paused',
      1,
      1,
    ]);
    expect(await act({ act: 'answer', run, step: 'second', value: { size: 3 } })).toMatchObject({
      type: 'refused',
      code: 'QUESTION_UNKNOWN',
    });
    expect(await act({ act: 'answer', run, step: 'first', value: { colour: 'blue' } })).toMatchObject({
      delivery: 'recorded',
    });
    expect(await act({ act: 'resume', run })).toMatchObject({ status: 'completed' });
    expect([count('gate begins'), count('gate ends')]).toEqual([1, 1]);
    mustBeOnce();
  }, 120_000);

  it('outlive the process that asked, with a sibling under way', async () => {
    const { run, child, ended } = await bothOpen();
    child.kill('SIGKILL');
    await ended;
    expect(await act({ act: 'answer', run, step: 'first', value: { colour: 'blue' } })).toMatchObject({
      delivery: 'recorded',
    });
    expect(await act({ act: 'answer', run, step: 'second', value: 'size: 7' })).toMatchObject({
      delivery: 'recorded',
    });
    openGate();
    expect(await act({ act: 'resume', run })).toMatchObject({ status: 'completed' });
    // The sibling may be repeated, says its server; what was done was not.
    expect(count('gate begins')).toBe(2);
    mustBeOnce();
  }, 120_000);
});

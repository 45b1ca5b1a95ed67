// Notes that runs write, on a real disk: whatever dies, there is the old note or the new one, whole, and never a second one.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createMemoryNotes, createNoteHost } from '../src/graph/write/create-note-host.ts';
import { Vault } from '../src/graph/vault.ts';
import type { AsyncCalls } from '../src/node/files/durable.ts';
import { createNodeFiles } from '../src/node/files/files.ts';
import { createNoteFiles } from '../src/node/notes/note-files.ts';
import { nodeParseFull } from '../src/node/yaml.ts';
import type { NoteHost } from '../src/ports/note-host.ts';
import type { Death } from './support/dying-store.ts';
import { dyingStore } from './support/dying-store.ts';
import { failingCalls } from './support/failing-calls.ts';
import { turns } from './support/fake-run-host.ts';
import type { PlanHost } from './support/plan-host.ts';
import { planHost, resultOf } from './support/plan-host.ts';
import { skillWith } from './support/plan-texts.ts';

const base = mkdtempSync(join(tmpdir(), 'techne-notes-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let made = 0;

const text = skillWith(`inputs:
  title: {type: string, required: true}
  up: {type: array, items: {type: string}, default: []}
output: assets/template.md
node_type: concept
suggested_edges: [up]
x_techne_note: {path: "notes/{{ inputs.title }}.md"}
steps:
  - {id: said, tool: chat, params: {prompt: think}}
`);
const skill = { text, files: { 'assets/template.md': '# {{ inputs.title }}\n\n## Log\n\n- {{ said }}\n' } };
const input = { title: 'Entropy', up: ['Physics'] };

/** A vault with or without the note; the texts that its note may have. */
function vaultWith(old: string | null): string {
  const vault = join(base, String((made += 1)));
  mkdirSync(join(vault, 'notes'), { recursive: true });
  writeFileSync(join(vault, 'Physics.md'), '# Physics\n');
  if (old !== null) writeFileSync(join(vault, 'notes/Entropy.md'), old);
  return vault;
}

function notesOf(vault: string, calls?: AsyncCalls, onDeath?: () => void): NoteHost {
  const files = createNodeFiles();
  const inner = createNoteFiles({
    vault,
    guarded: [],
    lock: join(base, 'locks', `${vault.slice(base.length + 1)}.lock`),
    files,
    ...(calls === undefined ? {} : { calls }),
  });
  return createNoteHost({
    ...inner,
    async replace(path, before, after) {
      const replaced = await inner.replace(path, before, after);
      if (replaced.ok || onDeath === undefined) return replaced;
      // The process was killed in there: nobody gets an answer.
      onDeath();
      return new Promise(() => {});
    },
    judge: async () => null,
    inWorkspace: (path) => path,
    parseFull: nodeParseFull,
    graph: async () => ({
      ok: true,
      value: new Vault({ files, folder: vault, parseFull: nodeParseFull }).graph,
    }),
  });
}

/** Notes by path; leftovers of a crash are dot files, which no tool shows. */
function notesIn(vault: string): { readonly [name: string]: string } {
  return Object.fromEntries(
    readdirSync(join(vault, 'notes'))
      .filter((name) => !name.startsWith('.'))
      .map((name) => [name, readFileSync(join(vault, 'notes', name), 'utf8')]),
  );
}

function open(notes: NoteHost, more: Parameters<typeof planHost>[1] = {}): PlanHost {
  const host = planHost({ log: skill }, { notes, ...more });
  host.answerer.onAsk = () => 'it grows';
  return host;
}

const fresh = '---\ntype: concept\nup: ["[[Physics]]"]\n---\n\n# Entropy\n\n## Log\n\n- it grows\n';
const cases = [
  { what: 'a new note', old: null, whole: fresh },
  {
    what: 'a note that exists',
    old: '---\ntype: concept # mine\n---\n# Entropy\n\n## Log\n\n- before\n',
    whole:
      '---\ntype: concept # mine\nup: ["[[Physics]]"]\n---\n# Entropy\n\n## Log\n\n- before\n- it grows\n',
  },
];

describe.each(cases)('a run that writes $what', ({ old, whole }) => {
  const before = old === null ? {} : { 'Entropy.md': old };
  const after = { 'Entropy.md': whole };

  it('leaves the old or the new note when it is killed at any call of the file system, and finishes after a resume', async () => {
    const results: unknown[] = [];
    const differences: unknown[] = [];
    const seen = new Set<string>();
    for (let at = 1; ; at += 1) {
      const vault = vaultWith(old);
      const failing = failingCalls(at, 'EIO', 'dead');
      let died = (): void => {};
      const death = new Promise<null>((resolve) => (died = () => resolve(null)));
      const first = open(notesOf(vault, failing.calls, () => died()));
      const ended = await Promise.race([first.start('log', input), death]);
      const found = notesIn(vault);
      seen.add(JSON.stringify(found));
      expect([JSON.stringify(before), JSON.stringify(after)]).toContain(JSON.stringify(found));
      if (ended === null) {
        await turns(3);
        first.store.die();
        const run = [...first.runs.byName.keys()][0] as string;
        const second = open(notesOf(vault), { after: first });
        const result = await second.runner.resume(run);
        results.push([result.status, result.error, resultOf(result)['note']]);
        differences.push(...(await second.runner.replay(run)).divergences);
      }
      expect(notesIn(vault)).toEqual(after);
      if (!failing.failed()) break;
    }
    const action = old === null ? 'created' : 'merged';
    expect(results.length).toBeGreaterThan(5);
    expect(results).toEqual(results.map(() => ['completed', null, { path: 'notes/Entropy.md', action }]));
    expect(differences).toEqual([]);
    expect(seen.size).toBe(2);
  });

  it('says so when a call of the file system fails, and leaves no torn note', async () => {
    const statuses: unknown[] = [];
    for (let at = 1, isOver = false; !isOver; at += 1) {
      const vault = vaultWith(old);
      const failing = failingCalls(at, 'ENOSPC', 'once');
      const result = await open(notesOf(vault, failing.calls)).start('log', input);
      expect([JSON.stringify(before), JSON.stringify(after)]).toContain(JSON.stringify(notesIn(vault)));
      isOver = !failing.failed();
      statuses.push(`${result.status} ${result.error?.code ?? ''}`);
      // A second run has nothing to tidy up.
      expect((await open(notesOf(vault)).start('log', input)).status).toBe('completed');
      expect(notesIn(vault)).toEqual(after);
    }
    expect(statuses.pop()).toBe('completed ');
    expect(new Set(statuses)).toEqual(new Set(['partial NOTE_FAILED']));
  });

  it('makes one note, however often it is killed at the journal, resumed, replayed and run again', async () => {
    const statuses: unknown[] = [];
    const differences: unknown[] = [];
    for (let at = 1; at <= 9; at += 1)
      for (const how of ['before', 'after', 'torn'] as readonly Death[]) {
        const vault = vaultWith(old);
        let died = (): void => {};
        const death = new Promise<null>((resolve) => (died = () => resolve(null)));
        const first = open(notesOf(vault), { wrapStore: dyingStore(at, how, () => died()) });
        const early = await Promise.race([first.start('log', input), death]);
        await turns(3);
        first.store.die();
        const run = [...first.runs.byName.keys()][0];
        if (early === null && run !== undefined) {
          const second = open(notesOf(vault), { after: first });
          statuses.push((await second.runner.resume(run)).status);
          for (let again = 0; again < 2; again += 1)
            differences.push(...(await second.runner.replay(run)).divergences);
        }
        if (early !== null) break;
        expect(notesIn(vault)).toEqual(after);
        const last = await open(notesOf(vault)).start('log', input);
        expect(resultOf(last)['note']).toEqual({ path: 'notes/Entropy.md', action: 'unchanged' });
        expect(notesIn(vault)).toEqual(after);
      }
    expect(statuses.length).toBeGreaterThan(9);
    expect(new Set(statuses)).toEqual(new Set(['completed']));
    expect(differences).toEqual([]);
  });
});

// 1,000 with `TECHNE_SOAK=1 npm test -- test/note-crash.test.ts`.
const rounds = process.env['TECHNE_SOAK'] === '1' ? 1_000 : 100;

describe(`${rounds} runs of one note`, () => {
  it('make one note, each killed somewhere, resumed and replayed', async () => {
    const texts = new Map([['Physics.md', '# Physics\n']]);
    const notes = createMemoryNotes(texts, nodeParseFull);
    let resumed = 0;
    for (let round = 0; round < rounds; round += 1) {
      let died = (): void => {};
      const death = new Promise<null>((resolve) => (died = () => resolve(null)));
      const how = (['before', 'after', 'torn'] as const)[round % 3] as Death;
      const first = open(notes, { wrapStore: dyingStore(1 + (round % 4), how, () => died()) });
      const early = await Promise.race([first.start('log', input), death]);
      await turns(3);
      first.store.die();
      const run = [...first.runs.byName.keys()][0] as string;
      const second = open(notes, { after: first });
      expect((await second.runner.resume(run)).status).toBe('completed');
      if (early === null) resumed += 1;
      expect((await second.runner.replay(run)).divergences).toEqual([]);
      expect([...texts.keys()].sort()).toEqual(['Physics.md', 'notes/Entropy.md']);
      expect(texts.get('notes/Entropy.md')).toBe(fresh);
    }
    expect(resumed).toBeGreaterThan(rounds * 0.6);
  });
});

describe('a note that others change', () => {
  it('is looked at again, so that nothing of theirs is lost', async () => {
    const vault = vaultWith(null);
    const real = notesOf(vault);
    let isFirst = true;
    const host = open({
      ...real,
      async replace(path, before, after) {
        if (isFirst) writeFileSync(join(vault, path), '# Entropy\n\n## Log\n\n- theirs\n');
        isFirst = false;
        return real.replace(path, before, after);
      },
    });
    const result = await host.start('log', input);
    expect([result.status, resultOf(result)['note']]).toEqual([
      'completed',
      { path: 'notes/Entropy.md', action: 'merged' },
    ]);
    expect(notesIn(vault)['Entropy.md']).toContain('- theirs\n- it grows\n');
  });

  it('is given up after some times', async () => {
    const vault = vaultWith(null);
    const real = notesOf(vault);
    const result = await open({ ...real, replace: async () => ({ ok: true, value: 'changed' }) }).start(
      'log',
      input,
    );
    expect([result.status, result.error?.code, notesIn(vault)]).toEqual(['partial', 'NOTE_FAILED', {}]);
  });
});

// A program that asks a model, on the production engine, against a model server: tools, commands, a crash, a resume.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/base/json.ts';
import { createModelAnswerer } from '../src/answerers/model/model-answerer.ts';
import { dyingStore } from './support/dying-store.ts';
import { fakeRunHost, printed, turns } from './support/fake-run-host.ts';
import type { FakeRunHost } from './support/fake-run-host.ts';
import { libraryOf, loadFrom, skillText } from './support/library.ts';
import type { ModelServer, ServerTurn } from './support/model-server.ts';
import { createModelServer } from './support/model-server.ts';

let folder: string;
let server: ModelServer;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-model-run-')));
  writeFileSync(join(folder, 'a.txt'), 'apples\n');
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const program =
  'def run(input):\n  answer = ask("Count the fruit.", {"purpose": "count"})\n  return {"answer": answer["answer"], "turns": answer["turns"], "exhausted": answer["exhausted"]}\n';

async function host(
  script: readonly ServerTurn[] | ((sent: JsonObject, index: number) => ServerTurn),
  more: Parameters<typeof fakeRunHost>[0] = {},
  offered: string | null = null,
): Promise<FakeRunHost> {
  server = await createModelServer({
    turns: typeof script === 'function' ? ({ body }, index) => script(body, index) : script,
  });
  return open(more, offered);
}

/** `offered` is a program that the model is told of. */
async function open(
  more: Parameters<typeof fakeRunHost>[0] = {},
  offered: string | null = null,
): Promise<FakeRunHost> {
  const files = libraryOf([]);
  if (offered !== null) {
    files.write(`/user/${offered}/SKILL.md`, skillText(offered, 'metaskill: SKILL.star\n'));
    files.write(`/user/${offered}/SKILL.star`, 'def run(input):\n  return None\n');
    files.advance(60_000_000_000n);
  }
  const snapshot = await loadFrom(files);
  const answerer = createModelAnswerer({
    name: 'model:test',
    label: 'test',
    endpoints: [
      {
        label: 'test',
        endpoint: { provider: 'openai-compatible', baseUrl: server.url, model: 'm', apiKeyEnv: null },
      },
    ],
    variables: {},
    snapshot,
    fileRoots: { read: [folder], write: [folder] },
    isTrusted: async () => true,
  });
  return fakeRunHost({ programs: { count: program }, answerers: [answerer], ...more });
}

const look: ServerTurn = {
  calls: [{ tool: 'read_file', input: { path: 'a.txt' } }],
  usage: { input: 100, output: 10 },
};
const count: ServerTurn = {
  calls: [{ tool: 'command', input: { argv: ['wc', 'a.txt'] } }],
  usage: { input: 200, output: 10 },
};
const note: ServerTurn = {
  calls: [{ tool: 'write_file', input: { path: 'note.txt', content: 'six' } }],
  usage: { input: 300, output: 10 },
};
const done: ServerTurn = { text: 'Six.', usage: { input: 400, output: 10 } };
const whole = [look, count, note, done];

/** What is next in a conversation, by the turns that were taken in it. */
function nextOf(body: JsonObject): ServerTurn {
  const taken = (body['messages'] as readonly JsonObject[]).filter(({ role }) => role === 'assistant').length;
  return whole[taken] ?? done;
}

describe('a run that asks a model', () => {
  it('carries out its tools and commands as parts of the ask, and counts its tokens', async () => {
    const one = await host(whole);
    one.commands.onCommand = () => printed('6 a.txt');
    const result = await one.runner.start({ skill: 'count', input: { go: true } });
    expect(result).toMatchObject({ status: 'completed', usage: { inputTokens: 1000, outputTokens: 40 } });
    expect(result.text).toContain('"answer":"Six."');
    expect(result.text).toContain('"turns":4');
    expect(one.commands.done).toEqual(['wc a.txt']);
    expect(one.commands.callers[0]).toMatchObject({ key: '1/4', skill: 'count' });
    expect(readFileSync(join(folder, 'note.txt'), 'utf8')).toBe('six');
  });

  it('keeps to the fence of the skill', async () => {
    const one = await host(
      [
        {
          calls: [
            { tool: 'command', input: { argv: ['rm', 'a.txt'] } },
            { tool: 'command', input: { argv: ['wc', 'a.txt'] } },
          ],
        },
        done,
      ],
      { programs: { count: { program, allowedTools: ['Bash(wc:*)'] } } },
    );
    expect((await one.runner.start({ skill: 'count', input: { go: true } })).status).toBe('completed');
    expect(one.commands.done).toEqual(['wc a.txt']);
    expect(
      (server.requests[0]!.body['tools'] as readonly JsonObject[]).map(
        (tool) => (tool['function'] as JsonObject)['name'],
      ),
    ).toEqual(['command']);
  });

  it('closes the request when the run is cancelled', async () => {
    const one = await host([{ text: ['half', ' of it'], fault: { kind: 'silent', after: 2 } }]);
    const running = one.runner.start({ skill: 'count', input: { go: true } });
    await server.arrived(1);
    await one.runner.cancel(one.runner.active[0] as string, 'enough');
    expect((await running).status).toBe('cancelled');
    await server.left(1);
  });

  it('runs another skill as a tool, within the run', async () => {
    const one = await host(
      [{ calls: [{ tool: 'run_metaskill', input: { name: 'inner', input: { fruit: 'pear' } } }] }, done],
      {
        programs: {
          count: program,
          inner: 'def run(input):\n  return {"answer": "inner got " + input["fruit"]}\n',
        },
      },
      'inner',
    );
    const result = await one.runner.start({ skill: 'count', input: { go: true } });
    expect(result.status).toBe('completed');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('inner got pear');
  });

  it('asks no finished turn again after a crash, at whatever write it came', async () => {
    let appends = 0;
    const clean = await host((body) => nextOf(body), {
      wrapStore: (store) => ({ ...store, append: (...all) => ((appends += 1), store.append(...all)) }),
    });
    const wanted = await clean.runner.start({ skill: 'count', input: { go: true } });
    expect(wanted.status).toBe('completed');
    let undecided = 0;
    for (let at = 1; at < appends; at += 1) {
      rmSync(join(folder, 'note.txt'), { force: true });
      let died = (): void => {};
      const death = new Promise<void>((resolve) => (died = resolve));
      const first = await open({ wrapStore: dyingStore(at, 'after', () => died()) });
      void first.runner.start({ skill: 'count', input: { go: true } });
      await death;
      await turns(3);
      first.store.die();
      const run = [...first.runs.byName.keys()][0] as string;
      const entries = (await first.store.read(run)).map(({ entry }) => entry);
      const kinds = new Map(
        entries.flatMap((entry) =>
          entry.type === 'effect.started' ? [[entry.key, entry.kind] as const] : [],
        ),
      );
      const finished = entries.filter(
        (entry) => entry.type === 'effect.ended' && kinds.get(entry.key) === 'turn',
      ).length;
      const isUnknown = [...kinds].some(
        ([key, kind]) =>
          kind === 'command' && !entries.some((entry) => entry.type === 'effect.ended' && entry.key === key),
      );
      const asked = server.requests.length;
      const result = await (await open({ after: first })).runner.resume(run);
      // A command whose end is missing may not be repeated by itself.
      expect(result.status).toBe(isUnknown ? 'needs_decision' : 'completed');
      undecided += isUnknown ? 1 : 0;
      expect([result.text === wanted.text, server.requests.length - asked]).toEqual(
        isUnknown ? [false, 0] : [true, 4 - finished],
      );
      expect(isUnknown ? 'six' : readFileSync(join(folder, 'note.txt'), 'utf8')).toBe('six');
    }
    expect(undecided).toBeLessThan(3);
    expect(appends).toBeGreaterThan(8);
  });
});

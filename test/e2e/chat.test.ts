// The built command in a real pseudo terminal, with a model on the loopback interface: what keys, signals and crashes do to
// a conversation.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelServer, ModelServerOptions } from '../support/model-server.ts';
import { createModelServer } from '../support/model-server.ts';
import type { World } from '../support/run-cli.ts';
import { createWorld } from '../support/run-cli.ts';
import { skipUnless } from '../support/skip-unless.ts';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));
const typist = fileURLToPath(new URL('../fixtures/type-at-terminal.py', import.meta.url));
const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;

type Step = readonly [
  wanted: string,
  typed: string | { readonly resize: readonly [number, number] } | { readonly kill: number },
];

let world: World;
let server: ModelServer | null = null;
beforeEach(() => {
  world = createWorld({
    'work/.techne/skills/greet/SKILL.md':
      '---\nname: greet\ndescription: Greets. Use to greet.\n---\n\nGreet $ARGUMENTS warmly.\n',
    'work/.techne/skills/wait/SKILL.md':
      '---\nname: wait\ndescription: Waits. Use to wait.\nmetaskill: SKILL.star\n---\n\nInput keys:\n\n- `why`: a reason\n',
    'work/.techne/skills/wait/SKILL.star':
      'def run(input):\n    command(["sleep", "41"])\n    return {"answer": "slept"}\n',
    'work/.techne/skills/order/SKILL.md':
      '---\nname: order\ndescription: Takes an order. Use to order.\nkind: meta\ncomposition:\n  steps:\n    - id: collect\n      kind: user_input\n      clarify:\n        mode: form\n        fields:\n          - {name: drink, type: string, required: true, prompt: Which drink?}\nfinal_text_mode: "step:collect"\n---\n\nOrder.\n',
  });
});
afterEach(async () => {
  await server?.close();
  server = null;
  world.remove();
});

async function serve(turns: ModelServerOptions['turns'], config: object = {}): Promise<ModelServer> {
  server = await createModelServer({ turns });
  world.write({
    'home/.techne/config.json': JSON.stringify({
      roots: { builtin: false },
      trust: { folders: [world.workspace] },
      models: { near: { provider: 'openai-compatible', baseUrl: server.url, model: 'test' } },
      ...config,
    }),
  });
  return server;
}

/** Each step is what is waited for on the screen, and what is typed then. */
function atTerminal(
  steps: readonly Step[],
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly screen: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', [typist, process.execPath, bin, 'chat', ...argv], {
      cwd: world.workspace,
      env: { PATH: process.env['PATH'], HOME: world.home, TERM: 'xterm' },
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(out) as { code: number; screen: string }) : reject(new Error(err)),
    );
    child.stdin.end(JSON.stringify(steps));
  });
}

/** What the model was told last, by the person and about tools. */
function told({ requests }: ModelServer, index = requests.length - 1): string {
  return JSON.stringify(requests[index]?.body['messages']);
}

function log(): string {
  const folder = join(world.home, '.techne/chats');
  const [name] = readdirSync(folder).filter((each) => each.endsWith('.jsonl'));
  return readFileSync(join(folder, name as string), 'utf8');
}

const controlC = '\u0003';
const controlD = '\u0004';

describe.skipIf(skipUnless(hasPython, 'python3 with pty is not installed'))(
  'techne chat at a terminal',
  () => {
    it('streams, and stops in the middle with Ctrl-C; what was said stays', async () => {
      const model = await serve([
        { text: ['One ', 'two ', 'three'], fault: { kind: 'silent', after: 3 } },
        { text: 'Fine.' },
      ]);
      const { code, screen } = await atTerminal([
        ['› ', 'count\r'],
        ['One two', controlC],
        ['the conversation so far is kept\n› ', 'go on\r'],
        ['Fine.\n› ', controlD],
      ]);
      expect([code, screen.includes('techne chat --resume 01'), model.abandoned]).toEqual([0, true, 1]);
      expect(told(model)).toMatch(/"count"[^]*One two[^]*"go on"/);
    });

    it('leaves with a second Ctrl-C at the prompt, and drops a line with the first', async () => {
      await serve([{ text: 'Fine.' }]);
      const { code, screen } = await atTerminal([
        ['› ', 'never sent'],
        ['never sent', controlC],
        ['^C', controlC],
        ['again ends the chat, as do Ctrl-D and /exit', controlC],
      ]);
      expect([code, screen.includes('To resume')]).toEqual([0, true]);
      expect(server?.requests).toHaveLength(0);
    });

    it('stops a program with Ctrl-C: nothing of it is left, and the model is told', async () => {
      const model = await serve([
        { calls: [{ tool: 'command', input: { argv: ['sleep', '43'] } }] },
        { text: 'Fine.' },
      ]);
      const { code } = await atTerminal([
        ['› ', 'wait\r'],
        ['no: ', 'o\n'],
        ['running', controlC],
        ['so far is kept\n› ', 'and now\r'],
        ['Fine.\n› ', controlC],
        ['again ends the chat, as do Ctrl-D and /exit', controlC],
      ]);
      expect([code, told(model).includes('command was stopped')]).toEqual([0, true]);
      expect(spawnSync('pgrep', ['-f', 'sleep 43']).status).toBe(1);
    });

    it('keeps a run that is stopped with Ctrl-C', async () => {
      const model = await serve(
        [
          { calls: [{ tool: 'run_metaskill', input: { name: 'wait', input: { why: 'x' } } }] },
          { text: 'Fine.' },
        ],
        { commands: { allow: ['sleep ...'] } },
      );
      await atTerminal([
        ['› ', 'wait\r'],
        ['sleep', controlC],
        ['so far is kept\n› ', '/runs\r'],
        ['interrupted', ''],
        ['› ', 'and?\r'],
        ['Fine.\n› ', controlD],
      ]);
      expect(told(model)).toMatch(/the person stopped it; run 01\w+ was detached; it can be resumed/);
      const shown = spawnSync(process.execPath, [bin, 'runs', 'list', '--json'], {
        cwd: world.workspace,
        env: { PATH: process.env['PATH'], HOME: world.home },
        encoding: 'utf8',
      });
      expect(JSON.parse(shown.stdout)).toMatchObject({ runs: [{ skill: 'wait', status: 'interrupted' }] });
      expect(spawnSync('pgrep', ['-f', 'sleep 41']).status).toBe(1);
    });

    it('asks what became of a call that was cut off, and goes on with the run', async () => {
      await serve([], { commands: { allow: ['sleep ...'] } });
      const { screen } = await atTerminal([
        ['› ', '/wait x\r'],
        ['sleep', controlC],
        ['resumes it\n› ', '/continue\r'],
        ['decide later: ', 'done\r'],
        ['slept\n', ''],
        ['› ', controlD],
      ]);
      expect(screen).toContain('The outcome of this call is unknown.');
      expect(screen).toContain('completed');
    });

    it('takes a paste of many lines as one message, and sends it with Enter only', async () => {
      const model = await serve([{ text: 'Fine.' }]);
      const lines = Array.from({ length: 300 }, (_, at) => `line ${at}\t/exit`).join('\n');
      const { screen } = await atTerminal([
        ['› ', `look: \u001B[200~${lines}\n\u001B[201~`],
        ['[pasted text 1: 300 lines]', ' ok?\r'],
        ['Fine.\n› ', controlD],
      ]);
      expect([
        model.requests.length,
        told(model).includes('look: line 0\\t/exit\\nline 1'),
        told(model).includes('line 299\\t/exit\\n ok?'),
      ]).toEqual([1, true, true]);
      expect(screen).not.toContain('line 7\t');
    });

    it('goes on after the terminal was resized, at the prompt and in the middle of an answer', async () => {
      const model = await serve([
        { text: ['One ', 'two '], fault: { kind: 'silent', after: 3 } },
        { text: 'Fine.' },
      ]);
      const { code } = await atTerminal([
        ['› ', 'a long line that will be wrapped when the window'],
        ['window', { resize: [24, 20] }],
        ['', ' is small\r'],
        ['One two', { resize: [40, 120] }],
        ['', controlC],
        ['so far is kept\n› ', 'ok\r'],
        ['Fine.\n› ', controlD],
      ]);
      expect([
        code,
        told(model, 0).includes('a long line that will be wrapped when the window is small'),
      ]).toEqual([0, true]);
    });

    it('is taken up again after it was killed in the middle of an answer', async () => {
      const model = await serve([
        { text: 'Noted.' },
        { text: ['One ', 'two '], fault: { kind: 'silent', after: 3 } },
        { text: 'Fine.' },
      ]);
      expect(
        (
          await atTerminal([
            ['› ', 'remember 42\r'],
            ['Noted.\n› ', 'count\r'],
            ['One two', { kill: 9 }],
          ])
        ).code,
      ).toBe(-9);
      const { code, screen } = await atTerminal(
        [
          ['not fully answered', ''],
          ['count\n› ', 'and now\r'],
          ['Fine.\n› ', controlD],
        ],
        '--resume',
      );
      expect([code, screen.includes('resuming after 2 messages')]).toEqual([0, true]);
      expect(told(model)).toMatch(/remember 42[^]*Noted\.[^]*"count"[^]*"and now"/);
      expect(
        log()
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { type: string }).type),
      ).toEqual([
        'chat.started',
        'user.said',
        'turn.taken',
        'answer.ended',
        'user.said',
        'user.said',
        'turn.taken',
        'answer.ended',
      ]);
    });

    it('leaves on SIGTERM, at the prompt and in the middle of an answer, and loses nothing', async () => {
      const model = await serve([
        { text: ['One ', 'two '], fault: { kind: 'silent', after: 3 } },
        { text: 'Fine.' },
      ]);
      expect((await atTerminal([['› ', { kill: 15 }]])).code).toBe(143);
      expect(
        (
          await atTerminal([
            ['› ', 'count\r'],
            ['One two', { kill: 15 }],
          ])
        ).code,
      ).toBe(143);
      await atTerminal(
        [
          ['One two\n› ', 'go on\r'],
          ['Fine.\n› ', controlD],
        ],
        '--resume',
      );
      expect(told(model)).toMatch(/"count"[^]*One two[^]*"go on"/);
    });

    it('completes skills with Tab, and gives their body with the arguments', async () => {
      const model = await serve([{ text: 'Hello!' }]);
      await atTerminal([
        ['› ', '/gre\t'],
        ['/greet ', 'Ada\r'],
        ['Hello!\n› ', controlD],
      ]);
      expect(told(model)).toContain('Greet Ada warmly.');
    });

    it('takes skills that were written or edited meanwhile between two messages, and never before', async () => {
      const model = await serve((_request, index) => {
        if (index === 0) {
          world.write({
            'work/.techne/skills/rain/SKILL.md':
              '---\nname: rain\ndescription: Tells of rain. Use for rain.\n---\n\nSay whether it rains in $ARGUMENTS.\n',
            'work/.techne/skills/greet/SKILL.md':
              '---\nname: greet\ndescription: Greets. Use to greet.\n---\n\nGreet $ARGUMENTS coldly.\n',
            'work/.techne/skills/wait/SKILL.md': '---\nname: wait\ndescription: never closed\n',
          });
          return { calls: [{ tool: 'skill_search', input: { query: 'rain' } }] };
        }
        return { text: index === 1 ? 'Not yet.' : 'Fine.' };
      });
      const { screen } = await atTerminal([
        ['› ', 'hello\r'],
        ['Not yet.\n› ', '/rain Brest\r'],
        ['Fine.\n› ', '/greet Ada\r'],
        ['Fine.\n› ', controlD],
      ]);
      expect(told(model, 1)).toContain('No skills matched');
      expect([
        told(model, 2).includes('Say whether it rains in Brest.'),
        told(model, 3).includes('Greet Ada coldly.'),
      ]).toEqual([true, true]);
      expect([1, 2].map((at) => told(model, at).includes('- rain: Tells of rain.'))).toEqual([false, true]);
      expect(screen.match(/skills: new rain; changed greet/g)).toHaveLength(1);
      expect(screen).toContain('the skill "wait" stays as it was: ');
    });

    it('asks the questions of a metaskill in a form', async () => {
      await serve([{ text: 'Fine.' }]);
      const { screen } = await atTerminal([
        ['› ', '/order for two\r'],
        ['Which drink?', ''],
        ['> ', 'tea\r'],
        ['optional) > ', '\r'],
        ['completed', ''],
        ['› ', controlD],
      ]);
      expect(screen).toContain('tea');
    });
  },
);

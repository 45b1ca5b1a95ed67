// A team as a user has it, for measurements: a durable Postgres, a workspace with one program, processes of the built command.
//
// An effect is a command outside of techne that writes `ID STEP TIME` to a log with the clock of the machine: what is measured
// is read from there, not from techne. Run `npm run build` before: processes are those of dist/.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../scripts/postgres.mjs';

const bin = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

/**
 * `steps` effects, each as long as `seconds`; with `asks` it waits for an answer behind the first. With `by` "model" an effect is
 * an ask that model.mjs answers, else a command.
 */
const program = `
def run(input):
    for i in range(int(input["steps"])):
        if input["by"] == "model":
            ask("effect %s %d %s" % (input["id"], i, input["seconds"]))
            continue
        command(["note", input["id"], str(i), input["seconds"]], {"idempotent": True})
        if i == 0 and input["asks"] == "1":
            ask("Continue?")
    return "done"
`;

/** Must be closed. */
export async function openTeam({ lease = 15, settings = {}, answerer = 'caller' } = {}) {
  const server = await startPostgres({ settings });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-team-')));
  const [home, workspace, log] = [join(folder, 'home'), join(folder, 'work'), join(folder, 'log')];
  const skill = join(workspace, '.techne/skills/steps');
  for (const made of [join(home, '.techne'), skill, join(folder, 'bin')])
    mkdirSync(made, { recursive: true });
  writeFileSync(
    join(skill, 'SKILL.md'),
    '---\nname: steps\ndescription: Does steps. Use to measure.\nmetaskill: SKILL.star\n---\n\nDo it.\n',
  );
  writeFileSync(join(skill, 'SKILL.star'), program);
  const note = join(folder, 'bin/note');
  // The time is read without starting another process.
  writeFileSync(note, `#!/bin/bash\necho "$1 $2 $EPOCHREALTIME" >> ${log}\n[ "$3" = 0 ] || sleep "$3"\n`);
  chmodSync(note, 0o755);
  writeFileSync(
    join(home, '.techne/config.json'),
    JSON.stringify({
      roots: { builtin: false },
      trust: { folders: [workspace] },
      commands: { allow: ['note ...'] },
      sandbox: { mode: 'off' },
    }),
  );
  const store = `${server.url()}?lease=${lease}`;
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: home };
  const children = new Set();
  /** A script of this folder; resolves with it when it has printed a line. */
  const startScript = (name, argv) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [fileURLToPath(new URL(name, import.meta.url)), ...argv], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.add(child);
      const ended = new Promise((done) => {
        child.on('exit', (code, signal) => {
          children.delete(child);
          reject(new Error(`${name} ended with ${code ?? signal}`));
          done();
        });
      });
      child.stdout.once('data', (text) => resolve({ child, ended, printed: String(text).trim() }));
    });
  if (answerer === 'model:openai') {
    env.OPENAI_API_KEY = 'none';
    env.OPENAI_BASE_URL = (await startScript('model.mjs', [log])).printed;
  }

  /** A process of the command; resolves with it when it has printed `ready`. `said`: every line that it prints. */
  const start = (argv, ready) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [bin, ...argv, '--store', store, '--json'], {
        cwd: workspace,
        env,
      });
      const member = { child, said: [], onLine: () => undefined, ended: null };
      children.add(child);
      let [rest, err] = ['', ''];
      child.stderr.on('data', (text) => (err += text));
      child.stdout.on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines) {
          member.said.push(line);
          member.onLine(line);
          if (line.includes(ready)) resolve(member);
        }
      });
      member.ended = new Promise((done) => {
        child.on('exit', (code, signal) => {
          children.delete(child);
          reject(new Error(`${argv[0]} ended with ${code ?? signal}: ${err}`));
          done();
        });
      });
    });

  return {
    server,
    store,
    home,
    workspace,
    env,
    answerer,
    startScript,
    worker: (...argv) => start(['worker', '--answer', answerer, ...argv], '"ready"'),
    /** A server that leaves runs to the workers, and a token for it. */
    async serve() {
      const made = spawnSync(
        process.execPath,
        [bin, 'serve', 'token', 'create', 'bench', '--role', 'runner', '--json'],
        { cwd: workspace, env, encoding: 'utf8' },
      );
      const { token } = JSON.parse(made.stdout);
      const member = await start(['serve', '--port', '0', '--workers', '--answer', answerer], '"url"');
      return { ...member, token, url: /"url": "([^"]+)"/.exec(member.said.join('\n'))[1] };
    },
    /** `ID STEP` -> the times in milliseconds at which it was done. */
    effects() {
      const seen = new Map();
      const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
      for (const line of lines) {
        const [id, step, at] = line.split(' ');
        if (at === undefined) continue;
        const name = `${id} ${step}`;
        seen.set(name, [...(seen.get(name) ?? []), Number(at) * 1000]);
      }
      return seen;
    },
    async close() {
      for (const child of children) child.kill('SIGKILL');
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The clock of the log, with fractions. */
export const nowMs = () => performance.timeOrigin + performance.now();

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export function quantile(all, share) {
  const sorted = [...all].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const load = () => loadavg()[0].toFixed(1);

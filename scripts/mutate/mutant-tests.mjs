// A mutant and its test files → caught, survived or timed out.
//
// R1. A test file counts when it passes without a mutant; its time then decides how long a mutant may take.
// R2. A test file that fails beside others must fail again by itself: it may only be slow, or be disturbed by those before it.
// R3. Tests of a mutant that hang are ended with all their processes, and the next mutant gets a new process.
import { fork } from 'node:child_process';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('test-process.mjs', import.meta.url));

export function createMutantTests({ project, maxTests, maxSeconds }) {
  /** Time of each test file without a mutant, in milliseconds; `null` when it does not pass. */
  const times = new Map();
  let child = null;

  async function open() {
    if (child !== null) return child;
    // A group of its own, so that the processes of the tests end with it.
    child = fork(script, {
      cwd: project,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, CI: '1' },
    });
    let said = '';
    child.stderr.on('data', (bytes) => (said = (said + bytes).slice(-2000)));
    const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (first !== 'ready') throw new Error(`Vitest does not start: ${said.trim()}`);
    return child;
  }

  function close() {
    if (child === null) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
    child = null;
  }

  /** The answer of the process, or `null` when there is none in time. */
  async function run(files, mutant, limitMs) {
    const tests = await open();
    const { promise, resolve } = Promise.withResolvers?.() ?? withResolvers();
    const timer = setTimeout(() => resolve(null), limitMs);
    const onExit = () => resolve(null);
    tests.once('message', resolve);
    tests.once('exit', onExit);
    tests.send({ files: files.map((file) => join(project, file)), mutant });
    const answer = await promise;
    clearTimeout(timer);
    tests.off('message', resolve);
    tests.off('exit', onExit);
    if (answer === null) close();
    return answer;
  }

  /** The nearest test files that pass, as many as fit the limits. */
  async function choose(candidates) {
    const chosen = [];
    let sumMs = 0;
    for (const file of candidates.slice(0, maxTests)) {
      if (sumMs >= maxSeconds * 1000) break;
      if (!times.has(file)) {
        const begunMs = performance.now();
        const answer = await run([file], null, maxSeconds * 1000);
        const outcome = answer?.outcomes[0];
        const passes = outcome?.state === 'passed' && outcome.passed > 0;
        times.set(file, passes ? performance.now() - begunMs : null);
      }
      const timeMs = times.get(file);
      if (timeMs === null || (sumMs + timeMs > maxSeconds * 1000 && chosen.length > 0)) continue;
      chosen.push(file);
      sumMs += timeMs;
    }
    // The quick ones first: most mutants are caught by them.
    return { files: chosen.toSorted((a, b) => times.get(a) - times.get(b)), limitMs: 10_000 + sumMs * 3 };
  }

  /** Runs the tests against `text` in place of `file`. */
  async function judge({ file, text }, { files, limitMs }) {
    const mutant = { path: join(project, file), text };
    for (let left = files; left.length > 0;) {
      const answer = await run(left, mutant, limitMs);
      if (answer === null) return { outcome: 'timed out' };
      const failed = answer.outcomes.find(({ state }) => state === 'failed');
      if (failed === undefined)
        return answer.faults.length > 0
          ? { outcome: 'caught', by: answer.faults[0] }
          : { outcome: 'survived' };
      const test = relative(project, failed.file);
      const again = await run([test], mutant, limitMs);
      if (again === null || again.outcomes.some(({ state }) => state === 'failed'))
        return { outcome: 'caught', by: `${test}: ${failed.failed ?? 'does not load'}` };
      left = left.slice(left.indexOf(test) + 1);
    }
    return { outcome: 'survived' };
  }

  return {
    choose,
    judge,
    close,
    broken: () => [...times].filter(([, ms]) => ms === null).map(([file]) => file),
  };
}

const once = (emitter, event) =>
  new Promise((resolve) => emitter.once(event, (...values) => resolve(values)));

function withResolvers() {
  let resolve;
  const promise = new Promise((settle) => (resolve = settle));
  return { promise, resolve };
}

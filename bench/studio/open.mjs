// What the benchmarks of the studio share: a world of its own, the built server, a real Chromium that is logged in, and a recorder of frames.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const cli = fileURLToPath(new URL('../../bin/techne.mjs', import.meta.url));

/** Folders of a home and a workspace; `config` may name files of it. */
export function makeWorld(config = () => ({})) {
  const folder = mkdtempSync(join(tmpdir(), 'techne-studio-'));
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const skill = (name, description, head, files = {}) => {
    const at = `work/.techne/skills/${name}`;
    write(`${at}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n${head}---\n\n# ${name}\n`);
    for (const [path, text] of Object.entries(files)) write(`${at}/${path}`, text);
  };
  mkdirSync(workspace, { recursive: true });
  write(
    'home/.techne/config.json',
    JSON.stringify({ roots: { builtin: false }, trust: { folders: [workspace] }, ...config(workspace) }),
  );
  return {
    home,
    workspace,
    write,
    skill,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The studio of a world, and a browser. `context()` is a browser without a cache that is logged in. */
export async function openStudio(world, args = []) {
  const server = spawn(
    process.execPath,
    [cli, 'studio', '--port', '0', '--json', '--answer', 'caller', '--quiet', ...args],
    {
      cwd: world.workspace,
      env: { PATH: process.env.PATH, HOME: world.home, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const died = new Promise((resolve) => server.once('exit', resolve));
  const { url, link } = JSON.parse(
    await Promise.race([
      new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data)))),
      died.then(() => Promise.reject(new Error('the server ended'))),
    ]),
  );
  const browser = await chromium.launch({
    executablePath:
      process.env.TECHNE_CHROMIUM ??
      ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
        existsSync(path),
      ),
    // The heap as it is, not rounded.
    args: ['--disable-dev-shm-usage', '--enable-precise-memory-info'],
  });
  const first = await browser.newContext();
  const page = await first.newPage();
  await page.goto(link);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const cookies = await first.cookies();
  const { csrf } = await (await first.request.get(`${url}/v1/session`)).json();
  await page.close();
  return {
    url,
    browser,
    async context() {
      const made = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      made.setDefaultTimeout(120_000);
      await made.addInitScript(recorder);
      await made.addCookies(cookies);
      return made;
    },
    async ask(path, data) {
      const response = await first.request.fetch(`${url}${path}`, {
        method: data === undefined ? 'GET' : 'POST',
        ...(data === undefined ? {} : { data }),
        headers: { 'x-techne-csrf': csrf, origin: url },
        timeout: 120_000,
      });
      if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
      return response.json();
    },
    async close() {
      await browser.close();
      server.kill('SIGTERM');
      await died;
    },
  };
}

/** In the page: frames and long tasks between `start` and `stop`, and scrolling from top to bottom. */
function recorder() {
  globalThis.frames_ = {
    start() {
      const state = { frames: [], tasks: [], isOn: true, isIdle: () => false };
      const watcher = new PerformanceObserver((list) =>
        state.tasks.push(...list.getEntries().map(({ duration }) => duration)),
      );
      watcher.observe({ type: 'longtask' });
      let last = null;
      const frame = (at) => {
        if (!state.isOn) return;
        if (last !== null && !state.isIdle()) state.frames.push(at - last);
        last = at;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      state.stop = async () => {
        // Long tasks are told after they have ended.
        await new Promise((resolve) => setTimeout(resolve, 100));
        state.isOn = false;
        watcher.disconnect();
        const sorted = state.frames.toSorted((a, b) => a - b);
        const at = (part) =>
          Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10;
        return {
          frames: sorted.length,
          p50: at(0.5),
          p95: at(0.95),
          worst: at(1),
          longTasks: state.tasks.length,
          longestTask: Math.round(Math.max(0, ...state.tasks)),
        };
      };
      return state;
    },
    /** A screenful in each frame, until nothing comes any more. */
    async scroll(selector, step) {
      const element = document.querySelector(selector);
      const recording = globalThis.frames_.start();
      let [rows, still] = [0, 0];
      recording.isIdle = () => still > 1;
      for (;;) {
        const before = element.scrollTop;
        element.scrollTop = before + step;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        still = element.scrollTop === before ? still + 1 : 0;
        rows = Math.max(rows, element.querySelectorAll('[role=row], .row').length);
        if (still > 90) break;
      }
      return { ...(await recording.stop()), mostRows: rows, height: element.scrollHeight };
    },
  };
}

/** The same list without a framework: what this browser can do on this machine. */
export const plainList = `<!doctype html><style>
  #list { height: 640px; overflow: auto; position: relative } .row { position: absolute; left: 0; right: 0; height: 36px; border-bottom: 1px solid #ddd }
</style><div id="list"><div id="all" style="height:360000px"></div></div><script>
  const [list, all, shown] = [document.getElementById('list'), document.getElementById('all'), new Map()];
  const draw = () => {
    const first = Math.floor(list.scrollTop / 36);
    for (const [at, row] of shown) if (at < first - 4 || at > first + 22) { row.remove(); shown.delete(at); }
    for (let at = Math.max(0, first - 4); at <= Math.min(9999, first + 22); at += 1) {
      if (shown.has(at)) continue;
      const row = document.createElement('div');
      row.className = 'row';
      row.style.top = at * 36 + 'px';
      row.textContent = 'A row with the number ' + at + ', and a text that says what it is for';
      all.append(row);
      shown.set(at, row);
    }
  };
  list.addEventListener('scroll', draw);
  draw();
</script>`;

/** What lives on the heap of a page after its garbage is collected, in MB. */
export async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return Math.round((usedSize / 1_048_576) * 10) / 10;
}

export const ratio = (a, b) => Math.round((a / Math.max(0.1, b)) * 100) / 100;
export const load = () => Number(loadavg()[0].toFixed(1));

// The documentation site (site/): builds it, checks it, or serves it on this machine.
//
//   node scripts/site.mjs build [FOLDER]   into site/dist, or FOLDER
//   node scripts/site.mjs check            builds it and looks for broken links and pages that are too large
//   node scripts/site.mjs serve [PORT]     builds it and serves it on loopback
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from './build.mjs';
import { packageEntries, packageJson } from './package-entries.mjs';
import { projectFolder, setup } from './setup.mjs';

const site = `${projectFolder}site`;

/** What the first page and the largest guide may transfer, without compression. */
export const firstLoadLimit = 200 * 1024;

/** Builds the site into `out`, which it replaces when it is complete. Gives the generator's module and what it made. */
export async function buildSite(out = `${site}/dist`) {
  await build();
  const generator = await loadGenerator();
  const folder = mkdtempSync(`${site}/dist-`);
  try {
    const made = generator.buildSite({
      project: projectFolder,
      out: folder,
      version: packageJson.version,
      entries: packageEntries,
    });
    await bundleClient(`${folder}/assets`);
    cpSync(`${site}/assets`, `${folder}/assets`, { recursive: true });
    // mkdtemp makes a folder that only its owner can enter.
    chmodSync(folder, 0o755);
    rmSync(out, { recursive: true, force: true });
    renameSync(folder, out);
    return { ...made, generator };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The generator reads the tables of src/, which are TypeScript: it is bundled before it runs. */
async function loadGenerator() {
  const { rolldown } = await import('rolldown');
  const folder = `${projectFolder}node_modules/.cache/site`;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `generate-${process.pid}.mjs`);
  const bundle = await rolldown({
    cwd: projectFolder,
    input: 'site/generate/build-site.ts',
    platform: 'node',
    external: /^(?:node:|rolldown|micromark|minisearch|yaml$)/,
    // The table of commands names the code of each: the site needs none of it.
    plugins: [{ name: 'leave-out', resolveDynamicImport: (id) => ({ id, external: true }) }],
    transform: {
      define: {
        TECHNE_VERSION: JSON.stringify(packageJson.version),
        TECHNE_YAML: JSON.stringify('dist/yaml.cjs'),
      },
    },
    onLog: (level, log, handle) => log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT' && handle(level, log),
  });
  try {
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    return await import(pathToFileURL(file).href);
  } finally {
    await bundle.close();
    rmSync(file, { force: true });
  }
}

async function bundleClient(out) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: projectFolder,
    input: {
      main: 'site/client/main.ts',
      playground: 'site/client/playground.ts',
      'playground-worker': 'site/client/playground-worker.ts',
    },
    platform: 'browser',
    onLog(level, log, handle) {
      if (level === 'warn') throw new Error(`rolldown: ${log.message}`);
      handle(level, log);
    },
  });
  await bundle.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
  });
  await bundle.close();
}

/** What a browser loads for a page, as the files are and gzipped: the page, and what its head names, with their imports. */
export function firstLoad(folder, page) {
  const seen = new Set();
  const add = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    if (!/\.(?:html|js)$/.test(path)) return;
    const text = readFileSync(`${folder}/${path}`, 'utf8');
    const links = path.endsWith('.html')
      ? [
          ...text.matchAll(
            /<(?:link rel="stylesheet"|link rel="icon"|script[^>]*?|img[^>]*?) (?:href|src)="([^"]+)"/g,
          ),
        ]
      : [...text.matchAll(/(?:\bfrom|^import|;import)\s*["'](\.[^"']+)["']/g)];
    for (const [, link] of links) add(normalize(join(path, '..', link)));
  };
  add(page);
  const files = [...seen].map((path) => readFileSync(`${folder}/${path}`));
  return {
    page,
    files: files.length,
    bytes: files.reduce((sum, file) => sum + file.length, 0),
    gzipped: files.reduce((sum, file) => sum + gzipSync(file).length, 0),
  };
}

/** A server of files on loopback, as a static host has it. Gives its address and how to stop it. */
export async function serveSite(folder, port = 0) {
  const types = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.json': 'application/json',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.webp': 'image/webp',
    '.txt': 'text/plain; charset=utf-8',
  };
  const server = createServer((request, response) => {
    const asked = decodeURI(new URL(request.url, 'http://localhost').pathname);
    const path = normalize(asked.endsWith('/') ? `${asked}index.html` : asked);
    try {
      const text = readFileSync(join(folder, path));
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
      response.end(text);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('not found\n');
    }
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function main([command, argument]) {
  setup();
  if (!['build', 'check', 'serve'].includes(command)) {
    console.error('usage: node scripts/site.mjs build [FOLDER] | check | serve [PORT]');
    process.exit(2);
  }
  console.log('building the site …');
  const started = Date.now();
  const out = command === 'build' && argument !== undefined ? argument : `${site}/dist`;
  const { pages, generator } = await buildSite(out);
  console.log(`${pages} pages in ${out}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
  if (command === 'check') {
    const { broken, checked } = generator.brokenLinks(out);
    for (const link of broken) console.error(`broken: ${link}`);
    const loads = generator
      .pagesOf(out)
      .map((page) => firstLoad(out, page))
      .sort((a, b) => b.bytes - a.bytes);
    const shown = [loads.find(({ page }) => page === 'index.html'), loads[0]];
    for (const { page, bytes, gzipped, files } of shown)
      console.log(`${page}: ${files} files, ${kilobytes(bytes)} KB (${kilobytes(gzipped)} KB gzipped)`);
    const large = loads.filter(({ bytes }) => bytes > firstLoadLimit);
    for (const { page, bytes } of large) console.error(`too large: ${page}, ${kilobytes(bytes)} KB`);
    console.log(`${checked} links, ${broken.length} broken`);
    process.exitCode = broken.length + large.length === 0 ? 0 : 1;
  }
  if (command === 'serve') {
    const { url } = await serveSite(out, Number(argument ?? 8489));
    console.log(`listening on ${url}, Ctrl-C ends it`);
  }
}

const kilobytes = (bytes) => (bytes / 1024).toFixed(1);

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));

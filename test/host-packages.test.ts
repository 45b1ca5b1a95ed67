// The package in the root of the repository is what `techne mcp package` makes of the shipped skills.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from './support/run-cli.ts';
import { createWorld } from './support/run-cli.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
let world: World;
beforeAll(() => {
  world = createWorld({ 'home/.techne/config.json': '{}' });
});
afterAll(() => world.remove());

describe('the package in the root', () => {
  it('is not stale: "node scripts/build.mjs && node scripts/host-packages.mjs" makes it again', async () => {
    const out = join(world.folder, 'out');
    const { files } = JSON.parse((await world.run(['mcp', 'package', out, '--json'])).out) as {
      readonly files: readonly string[];
    };
    expect(files.length).toBeGreaterThan(40);
    const read = (folder: string) => (path: string) => [
      path,
      existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null,
    ];
    expect(files.map(read(project))).toEqual(files.map(read(out)));
    const there = ['.claude-plugin', '.agents/plugins', 'plugins'].flatMap((place) =>
      readdirSync(join(project, place), { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(project.length)),
    );
    expect(there.sort()).toEqual([...files].sort());
  });
});

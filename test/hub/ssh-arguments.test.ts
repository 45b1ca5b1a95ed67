// Addresses of ssh that try to become options of a program: a program in the place of ssh writes down what it is started with.
// No ssh server is needed, and none is there: what ssh itself does with a plain host is not ours to test.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { neverAborted } from '../../src/base/abort.ts';
import { TechneError } from '../../src/base/error.ts';
import { fetchSource } from '../../src/hub/fetch/fetch-source.ts';
import { nodeLook } from '../../src/hub/source/look-at.ts';
import { parseSource } from '../../src/hub/source/parse-source.ts';
import { noGit } from '../support/hub/craft.ts';
import type { Bench } from '../support/hub/options.ts';
import { openBench } from '../support/hub/options.ts';

let bench: Bench;
let seen: string;
let canary: string;
beforeEach(() => {
  const opened = openBench({ ssh: true });
  const programs = join(opened.folder, 'programs');
  mkdirSync(programs);
  seen = join(opened.folder, 'seen');
  canary = join(opened.folder, 'canary');
  const ssh = join(programs, 'ssh');
  writeFileSync(ssh, `#!/bin/sh\nfor word in "$@"; do printf '%s\\n' "$word" >> '${seen}'; done\nexit 255\n`);
  chmodSync(ssh, 0o755);
  bench = {
    ...opened,
    options: { ...opened.options, variables: { PATH: `${programs}:${process.env['PATH']}` } },
  };
});
afterEach(() => bench.close());

/** The code of the failure, and the words that ssh was started with. */
async function tried(text: string): Promise<readonly [code: string, words: readonly string[]]> {
  let code = 'none';
  try {
    const source = parseSource(text, bench.folder, nodeLook(bench.folder));
    await fetchSource(source, bench.options, () => undefined, neverAborted);
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    code = error.code;
  }
  return [code, existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : []];
}

const own = [
  '-oBatchMode=yes',
  '-oStrictHostKeyChecking=yes',
  '-oPermitLocalCommand=no',
  '-oForwardAgent=no',
];

describe.skipIf(noGit)('an address of ssh', () => {
  it.each([
    ['git@git.example.org:team/skills.git', 'git@git.example.org', "git-upload-pack 'team/skills.git'"],
    [
      'ssh://git@git.example.org/team/skills.git',
      'git@git.example.org',
      "git-upload-pack '/team/skills.git'",
    ],
  ])('%s becomes a host and a command', async (text, host, command) => {
    const [code, words] = await tried(text);
    expect(code).toBe('SOURCE_UNREACHABLE');
    expect(words.slice(0, 4)).toEqual(own);
    expect(words.slice(-2)).toEqual([host, command]);
  });

  it.each([
    'ssh://-oProxyCommand=touch$IFS/CANARY/x',
    'ssh://-oProxyCommand=touch%20/CANARY/x',
    'ssh://git@-oProxyCommand=touch/CANARY/x',
    'ssh://-oProxyCommand=x@host/x',
    'ssh://git@host:-oProxyCommand=x/x',
    '-oProxyCommand=touch CANARY@host:x',
    'git@-oProxyCommand=touch CANARY:x',
    '-oProxyCommand=touch:x',
    'git@host:-oProxyCommand=touch CANARY',
    'git@host:--upload-pack=touch CANARY',
    'ssh://git@host/--upload-pack=touch CANARY',
    "git@host:x';touch CANARY;'",
    'ssh://git@host/x%27;touch%20CANARY;%27',
    'git@host:$(touch CANARY)',
    'git@host:x#--upload-pack=touch CANARY',
    'ssh://git@host/x#-oProxyCommand=x',
    'git@host:x#../../x',
    'ext::sh -c touch% CANARY',
    'fd::17/x',
    'git+ssh://-oProxyCommand=x/x',
  ])('%s starts no program and sets no option', async (given) => {
    const [code, words] = await tried(given.replaceAll('CANARY', canary));
    expect(code).toMatch(/^(?:SOURCE_|FILE_MISSING)/);
    expect(existsSync(canary)).toBe(false);
    // Where ssh is started at all, it gets our options, those of git itself, a host, and one quoted word for git there.
    const options = words.filter((word) => word.startsWith('-') && !own.includes(word));
    expect(options.filter((word) => !['-o', '-G', '-p'].includes(word))).toEqual([]);
    expect(
      words.filter((word) => /proxycommand/i.test(word) && !word.startsWith("git-upload-pack '")),
    ).toEqual([]);
  });
});

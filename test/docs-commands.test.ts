// Every command block of the README and the guides runs in order, as a reader would type it, or says why it does not.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../src/cli/parse-arguments.ts';
import { skipUnlessTool } from './support/skip-unless.ts';
import type { Block } from './support/transcript.ts';
import { blocksOf, hasTerminal, isCommands, runPage, withPlace } from './support/transcript.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(`${project}${path}`, 'utf8');

/** Decisions show what was tried; the page of commands is made from their help. */
const pages = [
  'README.md',
  ...readdirSync(`${project}docs`, { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name}`)
    .filter(
      (name) => name.endsWith('.md') && !name.startsWith('docs/decisions/') && name !== 'docs/guide/cli.md',
    )
    .sort(),
];
const blocks = (page: string): readonly Block[] => blocksOf(read(page)).filter(isCommands);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const curlIsMissing = skipUnlessTool(hasCurl, 'curl is not installed');
const executed = pages.filter((page) => {
  const run = blocks(page).filter(({ notRun }) => notRun === null);
  return run.length > 0 && !(curlIsMissing && run.some(({ text }) => /^curl /m.test(text)));
});

/** How a line begins that somebody types. */
const typed = /^ *(?:\$ )?(?:techne|npm|npx|curl|docker|git|cd|createdb|pg_dump|pg_restore|apt|apt-get) /m;

describe('the command blocks', () => {
  it.each(pages)('of %s are marked as such', (page) => {
    const text = read(page);
    const plain = blocksOf(text).filter((block) => ['', 'bash', 'shell', 'text'].includes(block.language));
    expect(plain.filter((block) => typed.test(block.text)).map(({ line }) => `${page}:${line}`)).toEqual([]);
    const outside = text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/<!--[^]*?-->/g, '');
    expect(
      outside.match(/^(?: {4}|\t)(?![ *-]).*$/gm)?.filter((line) => typed.test(line.trim())) ?? [],
    ).toEqual([]);
  });

  it.each(pages)('of %s have their comments right above them', (page) => {
    const text = read(page);
    const said = text.match(/^<!-- (?:not run|in the background|first|a model says):/gm)?.length ?? 0;
    const heard = blocks(page).flatMap(({ notRun, background, first, model }) => [
      notRun,
      background,
      first,
      model,
    ]);
    expect(heard.filter((one) => one !== null).length).toBe(said);
  });

  it('that are not run are these, each with its reason', async () => {
    const left = pages.flatMap((page) =>
      blocks(page)
        .filter(({ notRun }) => notRun !== null)
        .map(({ text, notRun }) => `${page}: ${text.split('\n')[0]}\n  ${notRun}`),
    );
    expect(left.filter((line) => line.endsWith('\n  '))).toEqual([]);
    const all = pages.flatMap(blocks).length;
    await expect(
      `${all - left.length} of ${all} blocks are run, and these are not:\n\n${left.join('\n')}\n`,
    ).toMatchFileSnapshot('golden/commands-not-run.txt');
  });

  it('that are not run have commands and options that exist', () => {
    const wrong = pages.flatMap((page) =>
      blocks(page)
        .filter(({ notRun }) => notRun !== null)
        .flatMap(commandsIn)
        .flatMap((line) => faultOf(line).map((fault) => `${page}: ${line}: ${fault}`)),
    );
    expect(wrong).toEqual([]);
  });

  it.skipIf(skipUnlessTool(hasTerminal, 'script of util-linux is not installed')).each(executed)(
    'of %s print what the page shows',
    async (page) => {
      const made = await withPlace((place) => runPage(read(page), place));
      await expect(made).toMatchFileSnapshot(`../${page}`);
    },
    240_000,
  );
});

/** The lines that start techne, as words; one that goes on after a backslash is one. */
function commandsIn({ language, text }: Block): readonly string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => language === 'sh' || line.startsWith('$ '))
    .map((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/\s#\s.*$/, '')
        .trim(),
    )
    .filter((line) => line.startsWith('techne '))
    .map((line) => line.replace(/\s(?:[|>]|2>|&&|\|\|).*$/, ''));
}

function faultOf(line: string): readonly string[] {
  const words = (line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, ''),
  );
  try {
    parseArguments(words.slice(1));
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

// Definitions, references, rename, symbols, folds, tokens, hover, formatting and lenses, with the protocol of editors.
import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CodeLens,
  DocumentSymbol,
  FoldingRange,
  Hover,
  Location,
  SemanticTokens,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { LspClient, applyEdit, changesOf, uriOf } from '../support/lsp-client.ts';
import type { LspWorld } from '../support/lsp-world.ts';
import { createLspWorld, writeSound } from '../support/lsp-world.ts';

let world: LspWorld;
let client: LspClient;

beforeAll(async () => {
  world = createLspWorld();
  writeSound(world);
  client = new LspClient({
    homeFolder: world.homeFolder,
    folders: [world.workspace],
    initializationOptions: { scan: false },
  });
  await client.initialized;
});
afterAll(() => {
  client.process.kill();
  world.remove();
});

async function open(path: string): Promise<{ readonly uri: string; readonly text: string }> {
  const at = join(world.skills, path);
  const text = readFileSync(at, 'utf8');
  const uri = await client.open(at, text, path.endsWith('.star') ? 'starlark' : 'skill');
  await client.settledAt(uri, 1);
  return { uri, text };
}

/** "file: line text" of each place. */
function shown(found: readonly Location[] | null): readonly string[] {
  return (found ?? [])
    .map(({ uri, range: { start, end } }) => {
      const path = decodeURIComponent(uri.split('/skills/')[1] ?? uri);
      const line = readFileSync(join(world.skills, path), 'utf8').split('\n')[start.line] ?? '';
      return `${path}:${start.line + 1}: ${line.slice(start.character, end.character)}`;
    })
    .toSorted();
}

describe('definitions and references', () => {
  it('are found for steps, from every place that names them', async () => {
    const { uri, text } = await open('sound-steps/SKILL.md');
    for (const place of ["outputs.sort == 'LATER'", 'outputs.sort | xml', 'sort]\n      when'])
      expect(
        shown(
          await client.at('definition', uri, text.indexOf(place) + (place.startsWith('outputs') ? 9 : 1)),
        ),
      ).toEqual(['sound-steps/SKILL.md:17: sort']);
    const references = await client.at<Location[]>('references', uri, text.indexOf('- id: sort') + 7, {
      context: { includeDeclaration: true },
    });
    expect(shown(references)).toEqual([
      'sound-steps/SKILL.md:17: sort',
      'sound-steps/SKILL.md:24: sort',
      'sound-steps/SKILL.md:25: sort',
      'sound-steps/SKILL.md:35: sort',
      'sound-steps/SKILL.md:39: sort',
    ]);
    await client.close(uri);
  });

  it('are found for inputs, also from templates and programs', async () => {
    const flow = await open('sound-flow/SKILL.md');
    expect(
      shown(
        await client.at<Location[]>('references', flow.uri, flow.text.indexOf('place: {type') + 1, {
          context: { includeDeclaration: false },
        }),
      ),
    ).toEqual(['sound-flow/SKILL.md:18: place', 'sound-flow/assets/table.md:1: place']);
    const template = await open('sound-flow/assets/table.md');
    expect(
      shown(await client.at('definition', template.uri, template.text.indexOf('inputs.place') + 8)),
    ).toEqual(['sound-flow/SKILL.md:8: place']);
    const program = await open('sound-program/SKILL.star');
    expect(shown(await client.at('definition', program.uri, program.text.indexOf('"days"') + 2))).toEqual([
      'sound-program/SKILL.md:10: days',
    ]);
    for (const { uri } of [flow, template, program]) await client.close(uri);
  });

  it('are found for skills, files, functions and loaded modules', async () => {
    const links = await open('sound-links/SKILL.md');
    expect(shown(await client.at('definition', links.uri, links.text.indexOf('sound-flow') + 2))).toEqual([
      'sound-flow/SKILL.md:1: ',
    ]);
    const flow = await open('sound-flow/SKILL.md');
    expect(
      shown(
        await client.at<Location[]>('references', flow.uri, flow.text.indexOf('sound-flow') + 2, {
          context: { includeDeclaration: true },
        }),
      ),
    ).toEqual(['sound-links/SKILL.md:14: sound-flow', 'sound-links/SKILL.md:18: sound-flow']);
    expect(shown(await client.at('definition', flow.uri, flow.text.indexOf('assets/table.md') + 2))).toEqual([
      'sound-flow/assets/table.md:1: ',
    ]);
    const program = await open('sound-program/SKILL.star');
    expect(
      shown(await client.at('definition', program.uri, program.text.indexOf('double(day)') + 1)),
    ).toEqual(['sound-program/SKILL.star:4: double']);
    world.write('skills/sound-program/other.star', 'def helper(x):\n    return x\n');
    const loading = 'load("other.star", "helper")\n\nhelper(1)\n';
    const uri = await client.open(
      world.write('skills/sound-program/loading.star', loading),
      loading,
      'starlark',
    );
    expect(shown(await client.at('definition', uri, loading.indexOf('other') + 1))).toEqual([
      'sound-program/other.star:1: ',
    ]);
    expect(shown(await client.at('definition', uri, loading.indexOf('"helper"') + 2))).toEqual([
      'sound-program/other.star:1: helper',
    ]);
    for (const one of [links.uri, flow.uri, program.uri, uri]) await client.close(one);
  });
});

describe('rename', () => {
  async function rename(
    path: string,
    place: string,
    by: number,
    to: string,
  ): Promise<ReadonlyMap<string, string>> {
    const { uri, text } = await open(path);
    const offset = text.indexOf(place) + by;
    const prepared = await client.at<{ placeholder: string } | null>('prepareRename', uri, offset);
    expect(prepared).not.toBeNull();
    const edit = await client.at<WorkspaceEdit>('rename', uri, offset, { newName: to });
    await client.close(uri);
    const made = new Map<string, string>();
    for (const [at, edits] of changesOf(edit)) {
      const inside = decodeURIComponent(at.split('/skills/')[1] as string);
      made.set(inside, applyEdit(readFileSync(join(world.skills, inside), 'utf8'), edits));
    }
    return made;
  }

  it('changes a step everywhere, and what is made checks as before', async () => {
    const made = await rename('sound-flow/SKILL.md', 'condition: "gather"', 13, 'collect');
    expect([...made.keys()].toSorted()).toEqual(['sound-flow/SKILL.md', 'sound-flow/assets/table.md']);
    const main = made.get('sound-flow/SKILL.md') as string;
    expect(main).not.toContain('gather');
    expect(main.match(/collect/g)?.length).toBe(4);
    expect(made.get('sound-flow/assets/table.md')).toContain('{{ collect }}');
    for (const [path, text] of made)
      world.write(
        `skills/${path.replace('sound-flow', 'renamed-flow')}`,
        text.replaceAll('sound-flow', 'renamed-flow'),
      );
    const uri = uriOf(join(world.skills, 'renamed-flow/SKILL.md'));
    await client.open(
      join(world.skills, 'renamed-flow/SKILL.md'),
      readFileSync(join(world.skills, 'renamed-flow/SKILL.md'), 'utf8'),
    );
    const found = await client.settledAt(uri, 1);
    expect(found.filter(({ code }) => code !== 'LINT_TEST_PROMPTS')).toEqual([]);
    await client.close(uri);
  });

  it('changes a step of a composition in templates, depends_on, when and final_text_mode', async () => {
    const made = (await rename('sound-steps/SKILL.md', '- id: sort', 7, 'kind_of')).get(
      'sound-steps/SKILL.md',
    ) as string;
    expect(made).not.toMatch(/\bsort\b/);
    const answer = (await rename('sound-steps/SKILL.md', 'step:answer', 6, 'reply')).get(
      'sound-steps/SKILL.md',
    ) as string;
    expect(answer).toContain('final_text_mode: step:reply');
    expect(answer).toContain('- id: reply');
  });

  it('writes nothing through a folder that leads out of the skill', async () => {
    const skill = 'linked-steps/SKILL.md';
    world.write(
      `skills/${skill}`,
      readFileSync(join(world.skills, 'sound-steps/SKILL.md'), 'utf8').replace('sound-steps', 'linked-steps'),
    );
    world.write('skills/linked-steps/tests/own.yaml', 'inputs:\n  - step: sort\n    values: {}\n');
    const place = ['- id: sort', 7, 'kind_of'] as const;
    expect([...(await rename(skill, ...place)).keys()].toSorted()).toEqual([
      skill,
      'linked-steps/tests/own.yaml',
    ]);
    renameSync(join(world.skills, 'linked-steps/tests'), join(world.workspace, 'elsewhere'));
    symlinkSync('../../elsewhere', join(world.skills, 'linked-steps/tests'));
    expect([...(await rename(skill, ...place)).keys()]).toEqual([skill]);
  });

  it('refuses names that are taken or cannot be', async () => {
    const { uri, text } = await open('sound-steps/SKILL.md');
    const offset = text.indexOf('- id: sort') + 7;
    for (const [newName, why] of [
      ['answer', 'is there already'],
      ['not a name', 'cannot be the name'],
      ['outputs', 'cannot be the name'],
      ['', 'cannot be the name'],
    ] as const)
      await expect(client.at('rename', uri, offset, { newName })).rejects.toThrow(why);
    expect(await client.at('prepareRename', uri, text.indexOf('description'))).toBeNull();
    await client.close(uri);
  });
});

describe('the outline of a file', () => {
  it('has fields, steps, inputs and headings; blocks fold', async () => {
    const { uri } = await open('sound-steps/SKILL.md');
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri },
    });
    const names = symbols.map(({ name, children = [] }) =>
      children.length === 0 ? name : `${name}: ${children.map((one) => one.name).join(' ')}`,
    );
    expect(names).toContain('inputs: harbour days');
    expect(names).toContain('composition: sort details answer');
    expect(names.at(-1)).toBe('Tides');
    const folds = await client.request<FoldingRange[]>('textDocument/foldingRange', {
      textDocument: { uri },
    });
    expect(folds[0]?.startLine).toBe(0);
    expect(folds.length).toBeGreaterThan(6);
    await client.close(uri);
  });

  it('has the functions of a program', async () => {
    const { uri } = await open('sound-program/SKILL.star');
    const symbols = await client.request<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri },
    });
    expect(symbols.map(({ name }) => name)).toEqual(['limit', 'double', 'run']);
    await client.close(uri);
  });
});

describe('words of templates', () => {
  it('are told apart by the server, by their place', async () => {
    const { uri, text } = await open('sound-steps/SKILL.md');
    const { data } = await client.request<SemanticTokens>('textDocument/semanticTokens/full', {
      textDocument: { uri },
    });
    const lines = text.split('\n');
    const words: string[] = [];
    let [line, character] = [0, 0];
    for (let at = 0; at < data.length; at += 5) {
      const [down = 0, right = 0, length = 0, type = 0] = data.slice(at, at + 4);
      line += down;
      character = down === 0 ? character + right : right;
      words.push(`${type} ${(lines[line] as string).slice(character, character + length)}`);
    }
    expect(words.slice(0, 11)).toEqual([
      '1 {{',
      '2 inputs',
      '7 .',
      '3 user_message',
      '7 |',
      '4 xml_escape',
      '7 |',
      '4 truncate',
      '7 (',
      '6 400',
      '7 )',
    ]);
    expect(words).toContain("5 'LATER'");
    await client.close(uri);
  });
});

describe('hover', () => {
  const value = (hover: Hover | null): string =>
    (hover?.contents as { value: string } | undefined)?.value ?? '';

  it('tells what the engine worked out about a step, and about the plan', async () => {
    const { uri, text } = await open('sound-steps/SKILL.md');
    const step = value(await client.at('hover', uri, text.indexOf('- id: answer') + 8));
    expect(step).toContain('One call of a model');
    expect(step).toContain('Waits for sort');
    expect(value(await client.at('hover', uri, text.indexOf('outputs.sort') + 9))).toContain(
      'One choice by a model',
    );
    expect(value(await client.at('hover', uri, text.indexOf('composition:') + 2))).toContain(
      'Computed risk: low',
    );
    await client.close(uri);
  });

  it('tells what fields and builtins mean', async () => {
    const { uri, text } = await open('sound-program/SKILL.star');
    expect(value(await client.at('hover', uri, text.indexOf('ask(') + 1))).toContain(
      'ask(prompt, opts = None)',
    );
    await client.close(uri);
  });
});

describe('formatting', () => {
  it('lays a program out, and leaves one with faults', async () => {
    const text = 'def run( input ):\n  x={ "a":1 }\n  return x   # the end\n';
    const uri = await client.open(world.write('skills/sound-program/loose.star', text), text, 'starlark');
    const edits = await client.request<TextEdit[]>('textDocument/formatting', {
      textDocument: { uri },
      options: { tabSize: 4, insertSpaces: true },
    });
    expect(applyEdit(text, edits)).toBe('def run(input):\n    x = {"a": 1}\n    return x  # the end\n');
    await client.replace(uri, 'def run(:\n');
    expect(
      await client.request('textDocument/formatting', {
        textDocument: { uri },
        options: { tabSize: 4, insertSpaces: true },
      }),
    ).toEqual([]);
    await client.close(uri);
  });
});

describe('lenses', () => {
  it('run a skill and its tests', async () => {
    const { uri } = await open('sound-program/SKILL.md');
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    const path = join(world.skills, 'sound-program/SKILL.md');
    expect(lenses.map(({ command }) => command)).toEqual([
      { title: 'Run skill', command: 'techne.runSkill', arguments: [{ skill: 'sound-program', path }] },
      { title: 'Run tests', command: 'techne.runTests', arguments: [{ skill: 'sound-program', path }] },
    ]);
    const text = await open('sound-text/SKILL.md');
    expect(await client.request('textDocument/codeLens', { textDocument: { uri: text.uri } })).toEqual([]);
    for (const one of [uri, text.uri]) await client.close(one);
  });
});

describe('a text that is not saved', () => {
  it('counts for other skills', async () => {
    const links = await open('sound-links/SKILL.md');
    const flow = await open('sound-flow/SKILL.md');
    await client.replace(
      flow.uri,
      flow.text.replace('place: {type', 'plaxe: {type').replaceAll('inputs.place', 'inputs.plaxe'),
    );
    const found = await client.settled(links.uri, (all) =>
      all.some(({ code }) => code === 'PLAN_INPUT_UNKNOWN'),
    );
    expect(found.filter(({ code }) => code === 'PLAN_INPUT_UNKNOWN').length).toBe(2);
    for (const one of [links.uri, flow.uri]) await client.close(one);
  });
});

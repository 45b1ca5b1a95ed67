import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readToml } from '../install/read-toml.ts';
import { claudeCommand, geminiCommand, quotedName, slashCommands } from './slash-commands.ts';
import type { CommandSkill, SlashCommand } from './slash-commands.ts';

const skill = (name: string, more: Partial<CommandSkill> = {}): CommandSkill => ({
  name,
  description: `Does ${name}.`,
  argumentHint: null,
  executable: false,
  ...more,
});
const command = (name: string, more: Partial<CommandSkill> = {}): SlashCommand =>
  slashCommands([skill(name, more)])[0] as SlashCommand;
const readTomlValues = (text: string): { readonly [key: string]: string } =>
  Object.fromEntries(readToml(text).map(({ path, value }) => [path.join('.'), value?.read as string]));
const frontmatter = (text: string): unknown => parse(text.split('---\n')[1] as string);
const body = (text: string): string => text.split('---\n').slice(2).join('---\n');

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        '$(id)',
        '!`id`',
        '!{id}',
        '@{/etc/passwd}',
        '@/etc',
        '$ARGUMENTS',
        '{{args}}',
        '"',
        '\\',
        '\n---\n',
        '../',
        '/',
        'con',
        '\u202E',
        "'''",
        '"""',
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.join('')),
);

describe('slashCommands', () => {
  it('keeps plain names, in the order of names', () => {
    expect(slashCommands([skill('tides'), skill('moon_2')]).map(({ stem }) => stem)).toEqual([
      'moon_2',
      'tides',
    ]);
  });

  it.each([
    ['Tides', 'tides-'],
    ['use-techne', 'use-techne-'],
    ['con', 'con-'],
    ['../../etc/passwd', 'etc-passwd-'],
    ['$(rm -rf ~)', 'rm-rf-'],
    ['潮汐', 'skill-'],
    ['Überfahrt', 'u-berfahrt-'],
    ['a'.repeat(100), `${'a'.repeat(40)}-`],
    ['.', 'skill-'],
    ['', 'skill-'],
  ])('makes a file name of %j', (name, start) => {
    const { stem } = command(name);
    expect(stem.startsWith(start)).toBe(true);
    expect(stem.slice(start.length)).toMatch(/^[\da-f]{12}$/);
  });

  it('makes different safe file names of different names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyText, { maxLength: 8 }), (names) => {
        const stems = slashCommands(names.map((name) => skill(name))).map(({ stem }) => stem);
        expect(new Set(stems).size).toBe(names.length);
        for (const stem of stems) expect(stem).toMatch(/^[a-z\d][a-z\d_-]{0,63}$/);
      }),
      { numRuns: 300 },
    );
  });
});

describe('quotedName', () => {
  it('is a JSON text of the name, without a character that means something to a host', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const quoted = quotedName(name);
        expect(JSON.parse(quoted)).toBe(name);
        expect(quoted.slice(1, -1)).toMatch(/^(?:[\p{L}\p{M}\p{N} _.-]|\\u[\da-f]{4})*$/u);
      }),
      { numRuns: 500 },
    );
  });

  it('escapes what hosts execute, include and replace', () => {
    expect(quotedName('$(id) !{id} @{x} `$ARGUMENTS`')).toBe(
      String.raw`"\u0024\u0028id\u0029 \u0021\u007bid\u007d \u0040\u007bx\u007d \u0060\u0024ARGUMENTS\u0060"`,
    );
  });
});

describe('claudeCommand', () => {
  it('loads and follows a skill of instructions', () => {
    expect(claudeCommand(command('tides', { argumentHint: '[harbour]' }))).toMatchInlineSnapshot(`
      "---
      description: "Does tides."
      argument-hint: "[harbour]"
      disable-model-invocation: true
      ---

      Follow the techne skill "tides" for what the user wrote below. The name is a JSON text.

      1. Call the tool \`skill_load\` of the MCP server techne with {"name": "tides"}.
      2. Follow the instructions that it returns.

      What the user wrote, which may be nothing:

      $ARGUMENTS
      "
    `);
  });

  it('runs an executable skill', () => {
    expect(claudeCommand(command('loop', { executable: true }))).toMatchInlineSnapshot(`
      "---
      description: "Does loop."
      disable-model-invocation: true
      ---

      Run the techne skill "loop" for what the user wrote below. The name is a JSON text.

      1. Call the tool \`skill_load\` of the MCP server techne with {"name": "loop"}.
      2. Call \`run_metaskill\` with {"name": "loop", "input": {…}}. Take the input keys from what was loaded and their values from the user.
      3. If the result asks a question for you, answer it with \`run_answer\`, until the run is completed. Pass a question for a person on to the user.
      4. Give the answer of the run.

      What the user wrote, which may be nothing:

      $ARGUMENTS
      "
    `);
  });

  it('shows a hostile skill as text only', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (name, description, argumentHint) => {
        const text = claudeCommand(command(name, { description, argumentHint }));
        expect(Object.keys(frontmatter(text) as object)).toEqual([
          'description',
          'argument-hint',
          'disable-model-invocation',
        ]);
        const said = body(text);
        // A host replaces the one variable that is ours, and finds no command, file or other variable.
        expect(said.match(/\$/g)).toEqual(['$']);
        expect(said.endsWith('$ARGUMENTS\n')).toBe(true);
        expect(said).not.toMatch(/!`|@/);
      }),
      { numRuns: 300 },
    );
  });

  it('shows a description on one line, in full', () => {
    const description = 'Says "hi"\n---\nname: other\u202E: {a}';
    expect(frontmatter(claudeCommand(command('tides', { description })))).toEqual({
      description: String.raw`Says "hi" --- name: other\u{202E}: {a}`,
      'disable-model-invocation': true,
    });
  });
});

describe('geminiCommand', () => {
  it('says the same as TOML', () => {
    expect(readTomlValues(geminiCommand(command('loop', { executable: true })))).toEqual({
      description: 'Does loop.',
      prompt: body(claudeCommand(command('loop', { executable: true })))
        .replace(/^\n/, '')
        .replace('$ARGUMENTS', '{{args}}'),
    });
  });

  it('shows a hostile skill as text only', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, description) => {
        const values = readTomlValues(geminiCommand(command(name, { description })));
        expect(Object.keys(values)).toEqual(['description', 'prompt']);
        expect(values['prompt']).not.toMatch(/!\{|@\{/);
        expect(values['prompt']?.match(/\{\{/g)).toEqual(['{{']);
      }),
      { numRuns: 300 },
    );
  });
});

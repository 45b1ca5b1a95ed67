// Seed S0 §2 and §3, the package of a metaskill: through the real loader over files in memory, and the checks of `techne check`.
// The number at the start of each name is its row in docs/guide/metaskill-conformance.md.
import { describe, expect, it } from 'vitest';
import { createSkillSession } from '../../src/prompt/skill-session.ts';
import { runMetaskillTool } from '../../src/run/tools/run-metaskill.ts';
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { collectInto } from '../../src/base/diagnostic.ts';
import { checkSkill } from '../../src/techne/check/check-skill.ts';
import { lintSkill } from '../../src/skill/check/lint.ts';
import { parseBody } from '../../src/skill/body/parse-body.ts';
import { codesOf, namesOf } from '../support/library.ts';
import { exampleFile, exampleFiles, loadedHost, metaskill, runOf } from '../support/metaskills.ts';
import { readHead, strictFaults } from '../support/skill-texts.ts';

const done = runOf('return "done"');
const text = (
  name: string,
  description = 'Tells tides. Use when asked.',
  fields = '',
  body = 'Body.',
): string => `---\nname: ${name}\ndescription: ${description}\n${fields}---\n\n${body}\n`;
const lint = (skill: string): string[] => {
  const found: Diagnostic[] = [];
  const { head, frontmatter } = readHead(skill);
  lintSkill(head, parseBody(skill), ['SKILL.md'], frontmatter, collectInto(found, 'SKILL.md'));
  return codesOf(found);
};

describe('S0 §2 a small metaskill', () => {
  it('§2.1 is a folder with SKILL.md, which says when and which keys, and SKILL.star', async () => {
    const { snapshot, runnable } = await loadedHost(exampleFiles());
    const { head, diagnostics } = snapshot.get('require-heading');
    expect([head.form, head.program, head.bar, diagnostics]).toEqual(['program', 'SKILL.star', null, []]);
    expect(
      (await snapshot.readBody('require-heading')).inputKeys.map(({ key, required }) => [key, required]),
    ).toEqual([
      ['task', true],
      ['heading', true],
    ]);
    expect((await runnable('require-heading')).ok).toBe(true);
  });

  it('§2.2 gets ask, command and trace, and nothing raw: other names are static errors', async () => {
    const { start } = await loadedHost({
      ...metaskill('three', runOf('return str([type(ask), type(command), type(trace)])')),
      ...metaskill('raw', runOf('return open("/etc/passwd")')),
    });
    expect((await start('three')).envelope?.['answer']).toBe(
      '["builtin_function_or_method", "builtin_function_or_method", "builtin_function_or_method"]',
    );
    expect((await start('raw')).text).toMatch(
      /^error: metaskill 'raw': syntax error: SKILL\.star:2:12: .*open/,
    );
  });
});

describe('S0 §3 package format', () => {
  it('§3.1 a program without SKILL.md beside it is no skill', async () => {
    const { snapshot } = await loadedHost({
      '/work/skills/bare/SKILL.star': done,
      ...metaskill('whole', done),
    });
    expect(namesOf(snapshot)).toEqual(['whole']);
    expect(snapshot.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['FOLDER_SKIPPED', '/work/skills/bare'],
    ]);
  });

  it('§3.2 the program is a file of the same folder, by convention SKILL.star', async () => {
    const { start } = await loadedHost(metaskill('tides', done));
    expect((await start('tides')).envelope?.['answer']).toBe('done');
  });

  it.each([
    ['no fence', 'name: tides\ndescription: d\n'],
    ['a line before it', '\n---\nname: tides\ndescription: d\n---\n'],
    ['a fence never closed', '---\nname: tides\ndescription: d\n'],
  ])('§3.3 SKILL.md must start with frontmatter: %s is an error of the strict check', (_, given) => {
    expect(strictFaults(given)).toContain('STRICT_FRONTMATTER 1:1');
  });

  it('§3.4 name is required text: strict refuses another type or none, loading takes the name of the folder and says so', () => {
    expect(strictFaults('---\ndescription: d\n---\n')).toEqual(['STRICT_NAME 1:1']);
    expect(strictFaults(text('7'))).toContain('STRICT_NAME 2:7');
    const { head, faults } = readHead('---\ndescription: Tells tides. Use when asked.\n---\nBody.\n');
    expect([head.name, faults]).toEqual(['tides', ['NAME_MISSING 1:1']]);
  });

  it('§3.5 description is required text: strict refuses another type or none, loading takes the first paragraph and says so', () => {
    expect(strictFaults('---\nname: tides\n---\n')).toEqual(['STRICT_DESCRIPTION 1:1']);
    expect(strictFaults('---\nname: tides\ndescription: 7\n---\n')).toEqual(['STRICT_DESCRIPTION 3:14']);
    const { head, faults } = readHead('---\nname: tides\n---\nTells tides.\n');
    expect([head.description, head.descriptionFrom, faults]).toEqual([
      'Tells tides.',
      'body',
      ['DESCRIPTION_MISSING 1:1'],
    ]);
  });

  it('§3.6 metaskill is a path inside the folder, and SKILL.star when it is left out and that file exists', async () => {
    const files = {
      ...metaskill('a', done),
      ...metaskill('b', 'no program', 'metaskill: flow/main.star\n'),
      '/work/skills/b/flow/main.star': runOf('return "main"'),
      '/work/skills/c/SKILL.md': text('c'),
    };
    const { snapshot, start } = await loadedHost(files);
    expect(snapshot.skills.map(({ name, head }) => [name, head.form, head.program])).toEqual([
      ['a', 'program', 'SKILL.star'],
      ['b', 'program', 'flow/main.star'],
      ['c', 'instructions', null],
    ]);
    expect((await start('b')).envelope?.['answer']).toBe('main');
  });

  it('§3.7 metaskill_language is starlark, and that when it is left out and there is a program', async () => {
    const { start } = await loadedHost({
      ...metaskill('a', done),
      ...metaskill('b', done, 'metaskill_language: starlark\n'),
    });
    expect([(await start('a')).status, (await start('b')).status]).toEqual(['completed', 'completed']);
  });

  it.each(['Tides', 'ti_des', 'ti.des', 'tïdes', 'ti des'])(
    '§3.8 a name is lower-case ASCII letters, digits and hyphens: not %s',
    (name) => {
      expect(strictFaults(text(name), { folderName: name })).toEqual(['STRICT_NAME 2:7']);
      expect(strictFaults(text('a1-b2'), { folderName: 'a1-b2' })).toEqual([]);
    },
  );

  it.each(['-tides', 'tides-', 'ti--des'])(
    '§3.9 a name has no hyphen at either end and no two in a row: not %s',
    (name) => {
      expect(strictFaults(text(name), { folderName: name })).toEqual(['STRICT_NAME 2:7']);
    },
  );

  it('§3.10 a name that is not that of the folder is an error of the strict check; the skill loads under the name of the folder', () => {
    expect(strictFaults(text('ebb'))).toEqual(['STRICT_NAME 2:7']);
    const { head, faults } = readHead(text('ebb'));
    expect([head.name, head.declaredName, faults]).toEqual(['tides', 'ebb', ['NAME_NOT_FOLDER 2:7']]);
  });

  it('§3.11 a name over 64 characters is an error of the strict check and a warning of loading', () => {
    const [fits, long] = ['a'.repeat(64), 'a'.repeat(65)];
    expect(strictFaults(text(fits), { folderName: fits })).toEqual([]);
    expect(strictFaults(text(long), { folderName: long })).toEqual(['STRICT_NAME 2:7']);
    expect(
      readHead(text(long), { folderName: long }).diagnostics.map(({ code, severity }) => [code, severity]),
    ).toEqual([['NAME_TOO_LONG', 'warning']]);
  });

  it.each(['""', '"   "', '"<!-- only a comment -->"', '"<!-- a --> <!-- b -->"'])(
    '§3.12 a description must have something beside comments: not %s',
    (description) => {
      expect(strictFaults(text('tides', description))).toEqual(['STRICT_DESCRIPTION 3:14']);
      expect(
        readHead(`---\nname: tides\ndescription: ${description}\n---\n`).diagnostics.some(
          ({ code, severity }) => code === 'DESCRIPTION_NONE' && severity === 'error',
        ),
      ).toBe(true);
      expect(readHead(text('tides', '"Tells <!-- a note --> tides."')).head.description).toBe(
        'Tells  tides.',
      );
    },
  );

  it('§3.13 a description over 1,024 characters is a warning, and kept whole', () => {
    const { head, diagnostics } = readHead(text('tides', 'x'.repeat(1025)));
    expect([head.description.length, diagnostics.map(({ code, severity }) => [code, severity])]).toEqual([
      1025,
      [['DESCRIPTION_TOO_LONG', 'warning']],
    ]);
    expect(readHead(text('tides', 'x'.repeat(1024))).faults).toEqual([]);
  });

  it('§3.14 a description that does not say when to use the skill is a warning', () => {
    expect(lint(text('tides', 'Tells tides.'))).toEqual(['LINT_DESCRIPTION_WHEN']);
    expect(lint(text('tides', 'Tells tides. Use when the user asks about the sea.'))).toEqual([]);
  });

  it('§3.15 a body over 20,000 characters is a warning', () => {
    const told = (length: number): readonly string[] =>
      codesOf(readHead(text('tides', 'Tells tides. Use when asked.', '', 'a'.repeat(length))).diagnostics);
    expect([told(19_999), told(20_004)]).toEqual([[], ['BODY_LONG']]);
  });

  it('§3.16 a longer body is not cut when it is read: the reader gets all of it', async () => {
    const { snapshot } = await loadedHost({
      '/work/skills/tides/SKILL.md': text('tides', 'd', '', 'a'.repeat(50_000)),
    });
    expect((await snapshot.readBody('tides')).text.length).toBe(50_001);
  });

  it('§3.17 the keys that the body documents reach whoever runs the skill', async () => {
    const { snapshot, host } = await loadedHost(exampleFiles());
    const keys = [
      { key: 'task', required: true, description: 'What is to be written.', schema: null },
      { key: 'heading', required: true, description: 'The heading, letter for letter.', schema: null },
    ];
    expect((await host.options.skills.find('require-heading'))?.inputs).toEqual(keys);
    // What every surface offers: the library, the chat, MCP and agents inside runs.
    const session = await createSkillSession({ snapshot, isUntrusted: async () => false });
    expect(session.runnable().find(({ name }) => name === 'require-heading')?.inputs).toEqual(keys);
    const parameters = runMetaskillTool(session.runnable(), { asks: 1, commands: 1 })?.parameters;
    expect(JSON.stringify(parameters)).toContain('"heading":{"description":"The heading, letter for letter.');
  });

  it('§3.18 a plain "Input keys:" list is enough', () => {
    expect(
      parseBody(exampleFile('checklist', 'SKILL.md')).inputKeys.map(({ key, required, description }) => [
        key,
        required,
        description,
      ]),
    ).toEqual([
      ['task', true, 'What the checklist is for.'],
      ['required', false, 'The words that must be in it.'],
    ]);
  });

  it('§3.19 an empty input is answered with the instructions, before anything is spent', async () => {
    const { start, host } = await loadedHost(exampleFiles());
    const result = await start('require-heading', {});
    expect(result).toMatchObject({ status: 'refused', run: null, error: { code: 'INPUT_REQUIRED' } });
    expect(result.text).toMatch(/^error: input is required: /);
    expect(result.text).toContain(parseBody(exampleFile('require-heading', 'SKILL.md')).text.trim());
    expect(host.answerer.asked).toEqual([]);
  });

  it.each([
    ['prose', 'Give it the task as `task`.'],
    ['a list under Inputs', '## Inputs\n\n- `task`: What to do.'],
  ])(
    '§3.19 an empty input that fails is answered with the instructions, with keys told in %s',
    async (_, told) => {
      const { start } = await loadedHost({
        '/work/skills/tides/SKILL.md': `---\nname: tides\ndescription: Use for tides.\nmetaskill: SKILL.star\n---\n\n${told}\n`,
        '/work/skills/tides/SKILL.star':
          'def run(input):\n    return {"answer": input["task"] if "fine" not in input else 1 // 0}\n',
      });
      for (const input of [{}, null]) {
        const result = await start('tides', input);
        expect(result.status).toBe('failed');
        expect(result.text).toMatch(/^error: metaskill 'tides': runtime error: /);
        expect(result.text).toContain(`The input was empty. The instructions of the skill:\n\n${told}\n`);
      }
      expect((await start('tides', { fine: true })).text).not.toContain('The instructions of the skill');
    },
  );

  it('§3.18 optional keys are not required, however that is said', () => {
    const body = [
      'Input keys:',
      '',
      '- `task`: What to do.',
      '- `tone` (optional): How.',
      '- `size` (integer, default 3): How much.',
      '- `place`: Where. Optional.',
      '- `count`: How many; defaults to 5.',
      '- `kind`: Which kind (optional).',
      '- `plan`: The optional steps are marked in it.',
    ].join('\n');
    expect(
      parseBody(body)
        .inputKeys.filter(({ required }) => required)
        .map(({ key }) => key),
    ).toEqual(['task', 'plan']);
  });

  it.each(['/work/skills/tides/SKILL.star', '/etc/passwd', 'C:\\\\flow.star'])(
    '§3.20 the program path must be relative: not %s',
    async (path) => {
      const { snapshot, start } = await loadedHost(metaskill('tides', done, `metaskill: "${path}"\n`));
      expect(snapshot.get('tides').head.bar?.code).toBe('PROGRAM_PATH');
      expect((await start('tides')).text).toMatch(
        /^error: metaskill 'tides' is not allowed: the program path ".*" is absolute or leaves the skill folder/,
      );
    },
  );

  it.each([
    ['..', 'metaskill: ../other/SKILL.star\n', null],
    ['.. further in', 'metaskill: a/../../other/SKILL.star\n', null],
    ['a link for the declared path', 'metaskill: flow.star\n', 'flow.star'],
    ['a link for the default path', '', 'SKILL.star'],
    ['a link for a folder on the way', 'metaskill: lib/SKILL.star\n', 'lib'],
  ])(
    '§3.21 the program must stay inside the folder, links resolved: not through %s',
    async (_, fields, link) => {
      const { start, runnable } = await loadedHost(
        {
          '/work/skills/tides/SKILL.md': text('tides', 'Tells tides. Use when asked.', fields),
          ...metaskill('other', done),
        },
        {
          prepare: (files) =>
            link !== null &&
            files.link(
              `/work/skills/tides/${link}`,
              link === 'lib' ? '/work/skills/other' : '/work/skills/other/SKILL.star',
            ),
        },
      );
      expect((await runnable('tides')).reasons[0]?.code).toBe('NOT_EXECUTABLE');
      const result = await start('tides');
      expect([result.status, result.run, result.text.startsWith('error: ')]).toEqual(['refused', null, true]);
    },
  );

  it('§3.22 the program must be UTF-8 text', async () => {
    const { start } = await loadedHost(
      metaskill(
        'tides',
        Uint8Array.of(...new TextEncoder().encode('def run(input):\n    return "'), 0xe9, 0x22, 0x0a),
      ),
    );
    const result = await start('tides');
    expect([result.status, result.run, result.text]).toEqual([
      'failed',
      null,
      "error: metaskill 'tides': syntax error: SKILL.star is not UTF-8 text",
    ]);
  });

  it('§3.23 a program over 64 KiB is not executed; the instructions stay usable', async () => {
    const filled = (bytes: number): string => `${done}${'#'.repeat(bytes - done.length)}`;
    const { start, snapshot } = await loadedHost({
      ...metaskill('fits', filled(65_536)),
      ...metaskill('large', filled(65_537)),
    });
    expect((await start('fits')).status).toBe('completed');
    const result = await start('large');
    expect([
      result.status,
      result.text.startsWith(
        "error: metaskill 'large' is not allowed: the program has 65537 bytes, over 65536",
      ),
    ]).toEqual(['refused', true]);
    expect((await snapshot.readBody('large')).text).toBe('Does it.\n');
  });

  it('§3.24 a program with frontmatter of its own is not executed, and the check says so', async () => {
    const { start, files } = await loadedHost(metaskill('tides', `---\nname: tides\n---\n${done}`));
    expect((await start('tides')).text).toContain(
      'the program starts with frontmatter; only SKILL.md holds metadata',
    );
    expect(
      codesOf((await checkSkill(files, '/work/skills/tides/SKILL.md', { strict: false })).diagnostics),
    ).toContain('PROGRAM_FRONTMATTER');
  });

  it('§3.25 unknown metadata changes nothing, and is kept', async () => {
    const { start, snapshot } = await loadedHost(
      metaskill('tides', done, 'author_note: {a: [1]}\nfrobnicate: yes\n'),
    );
    const { head, card } = snapshot.get('tides');
    expect([card.invalid, head.frontmatter['frobnicate'], (await start('tides')).status]).toEqual([
      false,
      'yes',
      'completed',
    ]);
  });

  it('§3.26 fields with the prefix x_ are passed over without a word; an unknown field without one is named', () => {
    expect(readHead(text('tides', 'Tells tides. Use when asked.', 'x_myhost_feature: 1\n')).faults).toEqual(
      [],
    );
    expect(readHead(text('tides', 'Tells tides. Use when asked.', 'myhost_feature: 1\n')).faults).toEqual([
      'FIELD_UNKNOWN 4:1',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Substitution } from './substitute.ts';
import { namedArguments, parseSlashArguments, splitWords, substitute } from './substitute.ts';

const render = (
  body: string,
  text = '',
  names: readonly string[] = [],
  changes: Partial<Substitution> = {},
): Promise<string> =>
  substitute(body, {
    arguments: parseSlashArguments(text, names),
    argumentNames: names,
    baseFolder: '/skills/tides',
    origin: { kind: 'local', from: null },
    ...changes,
  });

describe('substitute', () => {
  it('puts in everything as typed, single words, and names', async () => {
    expect(await render('Do: $ARGUMENTS.', ' high  tide ')).toBe('Do: high  tide.');
    expect(await render('$ARGUMENTS[1] then $0', '"low tide" Brest')).toBe('Brest then low tide');
    expect(await render('$place on $day', 'Brest monday', ['place', 'day'])).toBe('Brest on monday');
    expect(await render('$place on $day', 'day=monday Brest', ['place', 'day'])).toBe('Brest on monday');
  });
  it('leaves a word that is missing, and empties a name that is', async () => {
    expect(await render("awk '{print $1}' $0", 'x')).toBe("awk '{print $1}' x");
    expect(await render('[$place]', '', ['place'])).toBe('[]');
    expect(await render('$place costs $5', '')).toBe('$place costs $5');
  });
  it('takes the longer name where one begins with another', async () => {
    expect(await render('$place-name $place', 'a b', ['place', 'place-name'])).toBe('b a');
  });
  it('writes arguments below a body that asks for none', async () => {
    expect(await render('Look.\n', 'at Brest')).toBe('Look.\n\nARGUMENTS: at Brest\n');
    expect(await render('Look.\n')).toBe('Look.\n');
  });
  it('keeps what is escaped', async () => {
    expect(await render('\\$0 \\$ARGUMENTS $0', 'x')).toBe('$0 $ARGUMENTS x');
  });
  it('puts in the folder', async () => {
    expect(await render('{baseDir}/a ${CLAUDE_SKILL_DIR}/b')).toBe('/skills/tides/a /skills/tides/b');
    expect(await render('{baseDir}/a', '', [], { baseFolder: null })).toBe('{baseDir}/a');
  });
  it('leaves commands as they are unless somebody runs them', async () => {
    expect(await render('Now: !`date`')).toBe('Now: !`date`');
    const ran: string[] = [];
    const runCommand = async (command: string): Promise<string> => {
      ran.push(command);
      return `<${command}> $0 !\`rm\``;
    };
    expect(await render('Now: !`date +%s` x!`no` $0', '!`evil`', [], { runCommand })).toBe(
      'Now: <date +%s> $0 !`rm` x!`no` !`evil`',
    );
    expect(ran).toEqual(['date +%s']);
  });
  it.each(['remote', 'installed', 'plugin'] as const)(
    'never runs commands of skills that are %s',
    async (kind) => {
      const runCommand = async (): Promise<string> => {
        throw new Error('ran');
      };
      expect(await render('!`date`', '', [], { runCommand, origin: { kind, from: null } })).toBe('!`date`');
    },
  );
  it('never looks at what it put in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await render('<$ARGUMENTS>', text)).toBe(`<${text.trim()}>`);
      }),
    );
  });
});

describe('splitWords', () => {
  it('parts at blanks, outside quotes', () => {
    expect(splitWords(` a "b c" 'd "e' f\\ g don't "" `)).toEqual(['a', 'b c', 'd "e', 'f g', "don't", '']);
  });
});

describe('namedArguments', () => {
  it('has words in the order of the names', () => {
    const given = namedArguments({ day: 'monday', place: 'Brest' }, ['place', 'day']);
    expect([given.text, given.words, given.named.get('day')]).toEqual([
      'Brest monday',
      ['Brest', 'monday'],
      'monday',
    ]);
  });
});

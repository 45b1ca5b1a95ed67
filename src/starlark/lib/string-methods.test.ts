import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callNative, faultOf, testThread } from '../../../test/support/starlark-thread.ts';
import { Elems, List, Tuple, type Value } from '../value/value.ts';
import { stringMethods } from './methods.ts';

function call(self: string, name: string, ...args: Value[]): Value {
  return callNative(testThread(), stringMethods.get(name), self, args);
}

/** Lists and tuples as arrays, for comparing. */
function plain(v: Value): unknown {
  return v instanceof List || v instanceof Tuple ? v.items.map(plain) : v;
}

function fault(self: string, name: string, ...args: Value[]): string {
  return faultOf(() => call(self, name, ...args));
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r', 'é', '😀', '%'), maxLength: 30 });
const small = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 3 });

describe('stringMethods', () => {
  it('has the 32 methods of the specification', () => {
    const names =
      'capitalize count elems endswith find format index isalnum isalpha isdigit islower isspace istitle isupper join lower lstrip partition removeprefix removesuffix replace rfind rindex rpartition rsplit rstrip split splitlines startswith strip title upper';
    expect([...stringMethods.keys()].toSorted()).toEqual(names.split(' '));
  });
});

describe('find, rfind, index, rindex, count', () => {
  it.each<[string, string, Value[], number]>([
    ['bonbon', 'find', ['on'], 1],
    ['bonbon', 'find', ['on', 2], 4],
    ['bonbon', 'find', ['on', 2, 5], -1],
    ['bonbon', 'find', ['on', -2], 4],
    ['bonbon', 'find', ['on', null, null], 1],
    ['bonbon', 'find', ['on', -(10n ** 30n), 10n ** 30n], 1],
    ['bonbon', 'find', [''], 0],
    ['bonbon', 'find', ['', 99], 6],
    ['bonbon', 'find', ['', 3, 1], 3],
    ['bonbon', 'find', ['b', 3, 1], -1],
    ['bonbon', 'rfind', ['on'], 4],
    ['bonbon', 'rfind', ['on', null, 5], 1],
    ['bonbon', 'rfind', ['on', 2, 5], -1],
    ['bonbon', 'rfind', [''], 6],
    ['bonbon', 'index', ['on'], 1],
    ['bonbon', 'rindex', ['on', null, 5], 1],
    ['hello, world!', 'count', ['o'], 2],
    ['hello, world!', 'count', ['o', 7, 12], 1],
    ['aaaa', 'count', ['aa'], 2],
    ['abc', 'count', [''], 4],
    ['abc', 'count', ['', 2, 1], 1],
    ['banana', 'count', ['a', 0, -100], 0],
    ['a'.repeat(1000), 'count', ['a'.repeat(300)], 3],
  ])('"%s".%s(%o) is %d', (self, name, args, result) => {
    expect(call(self, name, ...args)).toBe(result);
  });

  it('fails where index finds nothing or an argument has the wrong type', () => {
    expect(fault('bonbon', 'index', 'on', 2, 5)).toBe('EVAL_VALUE index: substring not found: "on"');
    expect(fault('bonbon', 'find', 1)).toBe('EVAL_TYPE find: for parameter sub, got int, want string');
    expect(fault('bonbon', 'find', 'a', true)).toBe(
      'EVAL_TYPE find: for parameter start, got bool, want int',
    );
  });

  it('agrees with indexOf and lastIndexOf of the part searched', () => {
    fc.assert(
      fc.property(
        text,
        small,
        fc.integer({ min: -35, max: 35 }),
        fc.integer({ min: -35, max: 35 }),
        (s, sub, a, b) => {
          const part = s.slice(a, b);
          const start = a < 0 ? Math.max(0, a + s.length) : Math.min(a, s.length);
          const at = (found: number): number => (found < 0 ? -1 : found + start);
          expect(call(s, 'find', sub, a, b)).toBe(at(part.indexOf(sub)));
          expect(call(s, 'rfind', sub, a, b)).toBe(at(part.lastIndexOf(sub)));
          expect(call(s, 'count', sub, a, b)).toBe(sub === '' ? part.length + 1 : part.split(sub).length - 1);
        },
      ),
    );
  });
});

describe('startswith and endswith', () => {
  it.each<[string, string, Value[], boolean]>([
    ['filename.star', 'startswith', ['filename'], true],
    ['filename.star', 'startswith', ['name', 4], true],
    ['filename.star', 'startswith', ['name', 4, 7], false],
    ['filename.star', 'endswith', ['.star', 9, 12], false],
    ['filename.star', 'endswith', ['name', 0, 8], true],
    ['abc', 'startswith', ['b', 999], false],
    ['abc', 'startswith', ['', 999], true],
    ['abc', 'endswith', ['ab', null, -1], true],
  ])('"%s".%s(%o) is %s', (self, name, args, result) => {
    expect(call(self, name, ...args)).toBe(result);
  });

  it('take a tuple of strings, and nothing else', () => {
    expect(call('foo.cc', 'endswith', new Tuple(['.h', '.cc']))).toBe(true);
    expect(call('foo.cc', 'startswith', new Tuple([]))).toBe(false);
    expect(fault('a', 'startswith', 1)).toBe(
      'EVAL_TYPE startswith: for parameter prefix, got int, want string or tuple of strings',
    );
    expect(fault('a', 'startswith', new List(['a']))).toBe(
      'EVAL_TYPE startswith: for parameter prefix, got list, want string or tuple of strings',
    );
    expect(fault('a', 'endswith', new Tuple(['1', 1]))).toBe(
      'EVAL_TYPE endswith: for parameter suffix, element 1, got int, want string',
    );
  });
});

describe('partition, rpartition, removeprefix, removesuffix', () => {
  it('cut at the first or last separator', () => {
    expect(plain(call('one/two/three', 'partition', '/'))).toEqual(['one', '/', 'two/three']);
    expect(plain(call('one/two/three', 'rpartition', '/'))).toEqual(['one/two', '/', 'three']);
    expect(plain(call('one', 'partition', '/'))).toEqual(['one', '', '']);
    expect(plain(call('one', 'rpartition', '/'))).toEqual(['', '', 'one']);
    expect(fault('one', 'partition', '')).toBe('EVAL_VALUE partition: empty separator');
    expect(fault('one', 'rpartition', null)).toBe(
      'EVAL_TYPE rpartition: for parameter sep, got NoneType, want string',
    );
  });

  it('remove once', () => {
    expect(call('bbaa', 'removeprefix', 'b')).toBe('baa');
    expect(call('banana', 'removeprefix', 'ana')).toBe('banana');
    expect(call('bbaa', 'removesuffix', 'a')).toBe('bba');
    expect(call('banana', 'removesuffix', '')).toBe('banana');
  });
});

describe('split and rsplit', () => {
  it.each<[string, string, Value[], string[]]>([
    ['one two  three', 'split', [], ['one', 'two', 'three']],
    ['one two  three', 'split', [' '], ['one', 'two', '', 'three']],
    ['one two  three', 'split', [null, 1], ['one', 'two  three']],
    ['one two  three', 'rsplit', [null, 1], ['one two', 'three']],
    ['banana', 'split', ['n'], ['ba', 'a', 'a']],
    ['banana', 'split', ['n', 1], ['ba', 'ana']],
    ['banana', 'rsplit', ['n', 1], ['bana', 'a']],
    ['banana', 'rsplit', ['n', 0], ['banana']],
    ['--aa--', 'rsplit', ['--', 1], ['--aa', '']],
    ['aaa', 'rsplit', ['aa', 1], ['a', '']],
    ['aaa', 'rsplit', ['aa'], ['', 'a']],
    ['aaa', 'split', ['aa', 1], ['', 'a']],
    ['', 'split', [','], ['']],
    ['', 'split', [], []],
    [' \t\n ', 'split', [], []],
    ['  aa  bb  cc  ', 'split', [null, 0], ['aa  bb  cc  ']],
    ['  aa  bb  cc  ', 'rsplit', [null, 0], ['  aa  bb  cc']],
    ['  aa  bb  cc  ', 'rsplit', [null, 1], ['  aa  bb', 'cc']],
    ['  aa  bb  cc  ', 'rsplit', [null, 7], ['aa', 'bb', 'cc']],
    ['a\u00a0b\u0085c\u3000d\u2029e', 'split', [], ['a', 'b', 'c', 'd', 'e']],
    ['a\ufeffb\u200bc', 'split', [], ['a\ufeffb\u200bc']],
    ['a,b', 'split', [',', 10n ** 30n], ['a', 'b']],
    ['a,b', 'split', [',', -1], ['a', 'b']],
  ])('"%s".%s(%o)', (self, name, args, parts) => {
    expect(plain(call(self, name, ...args))).toEqual(parts);
  });

  it('refuses an empty separator and other types', () => {
    expect(fault('abc', 'split', '')).toBe('EVAL_VALUE split: empty separator');
    expect(fault('abc', 'rsplit', 1)).toBe('EVAL_TYPE rsplit: for parameter sep, got int, want string');
    expect(fault('abc', 'split', ',', 'x')).toBe(
      'EVAL_TYPE split: for parameter maxsplit, got string, want int',
    );
  });

  it('is undone by join, for any separator and number of splits', () => {
    fc.assert(
      fc.property(
        text,
        small,
        fc.integer({ min: -1, max: 5 }),
        fc.constantFrom('split', 'rsplit'),
        (s, sep, most, name) => {
          fc.pre(sep !== '');
          const parts = call(s, name, sep, most) as List;
          expect(call(sep, 'join', parts)).toBe(s);
          const cuts = s.split(sep).length - 1;
          expect(parts.items.length).toBe((most < 0 ? cuts : Math.min(most, cuts)) + 1);
        },
      ),
    );
  });

  it('splits large texts as it splits small ones', () => {
    const long = 'some words, '.repeat(2000);
    expect(plain(call(long, 'split', ', '))).toEqual(long.split(', '));
    const separator = 'ab'.repeat(400);
    const odd = `x${separator}y`.repeat(40);
    expect(plain(call(odd, 'split', separator))).toEqual(odd.split(separator));
  });

  it('gives the same words from either side', () => {
    fc.assert(
      fc.property(text, (s) => {
        const words = s.split(/[ \n\r]+/).filter((word) => word !== '');
        expect(plain(call(s, 'split'))).toEqual(words);
        expect(plain(call(s, 'rsplit'))).toEqual(words);
        expect(plain(call(s, 'rsplit', null, 100))).toEqual(words);
      }),
    );
  });
});

describe('splitlines', () => {
  it.each<[string, string[], string[]]>([
    ['A\nB\rC\r\nD', ['A', 'B', 'C', 'D'], ['A\n', 'B\r', 'C\r\n', 'D']],
    ['one\n\ntwo', ['one', '', 'two'], ['one\n', '\n', 'two']],
    ['\n\r\n\r', ['', '', ''], ['\n', '\r\n', '\r']],
    ['', [], []],
    ['a\n', ['a'], ['a\n']],
    ['a\u2028b\vc', ['a\u2028b\vc'], ['a\u2028b\vc']],
  ])('%o', (s, lines, kept) => {
    expect(plain(call(s, 'splitlines'))).toEqual(lines);
    expect(plain(call(s, 'splitlines', true))).toEqual(kept);
  });

  it('keeps every unit with keepends', () => {
    fc.assert(
      fc.property(text, (s) => {
        const kept = call(s, 'splitlines', true) as List;
        expect((kept.items as string[]).join('')).toBe(s);
        expect(plain(call(s, 'splitlines', false))).toEqual(
          kept.items.map((line) => (line as string).replace(/(\r\n|\r|\n)$/, '')),
        );
      }),
    );
  });

  it('takes a bool or None only', () => {
    expect(call('a\nb', 'splitlines', null)).toEqual(call('a\nb', 'splitlines'));
    expect(fault('', 'splitlines', 1)).toBe(
      'EVAL_TYPE splitlines: for parameter keepends, got int, want bool',
    );
  });
});

describe('join', () => {
  it('joins any iterable of strings', () => {
    expect(call(', ', 'join', new List(['one', 'two']))).toBe('one, two');
    expect(call('a', 'join', new Elems('ctmrn'))).toBe('catamaran');
    expect(call('x', 'join', new Tuple([]))).toBe('');
    expect(fault('', 'join', new List(['one', 2]))).toBe(
      'EVAL_TYPE join: in list, want string, got int at index 1',
    );
    expect(fault('', 'join', 'abc')).toBe('EVAL_TYPE join: got string, want iterable');
  });
});

describe('replace', () => {
  it.each<[string, Value[], string]>([
    ['banana', ['a', 'o'], 'bonono'],
    ['banana', ['a', 'o', 2], 'bonona'],
    ['banana', ['a', 'o', 0], 'banana'],
    ['banana', ['a', 'o', -1], 'bonono'],
    ['banana', ['a', '$&'], 'b$&n$&n$&'],
    ['banana', ['ana', ''], 'bna'],
    ['abc', ['', '-'], '-a-b-c-'],
    ['abc', ['', '-', 2], '-a-bc'],
    ['abc', ['', '-', 4], '-a-b-c-'],
    ['', ['', '-'], '-'],
    ['', ['', '-', 0], ''],
    ['', ['a', '-'], ''],
    ['x.*y'.repeat(2000), ['.*', '$&$1$$'], 'x$&$1$$y'.repeat(2000)],
    ['[a]^\\/\n'.repeat(1000), [']^\\/\n', '-'], '[a-'.repeat(1000)],
    ['ab'.repeat(2000), ['b', 'ccc'], 'accc'.repeat(2000)],
    ['ab'.repeat(3000), ['x', 'y'], 'ab'.repeat(3000)],
  ])('"%s".replace(%o) is "%s"', (self, args, result) => {
    expect(call(self, 'replace', ...args)).toBe(result);
  });

  it('agrees with replaceAll', () => {
    fc.assert(
      fc.property(text, small, small, (s, before, after) => {
        expect(call(s, 'replace', before, after)).toBe(s.replaceAll(before, () => after));
      }),
    );
  });
});

describe('strip, lstrip, rstrip', () => {
  it.each<[string, string, Value[], string]>([
    ['\rhello\t ', 'strip', [], 'hello'],
    ['\u00a0\u0085 x\u3000', 'strip', [], 'x'],
    ['\ufeffx', 'strip', [], '\ufeffx'],
    ['  hello   ', 'strip', ['h o'], 'ell'],
    ['  hello\r ', 'rstrip', [null], '  hello'],
    ['\n hello  ', 'lstrip', [], 'hello  '],
    ['   hello  ', 'lstrip', ['h o'], 'ello  '],
    ['  hello   ', 'rstrip', ['h o'], '  hell'],
    [' x ', 'strip', [''], ' x '],
    ['   ', 'strip', [], ''],
    ['😀a😁', 'strip', ['😀😁'], 'a'],
    ['😀', 'strip', ['\ud83d'], '😀'],
    ['\ud83da', 'strip', ['\ud83d'], 'a'],
    ['a\ude00', 'rstrip', ['😀'], 'a\ude00'],
  ])('"%s".%s(%o) is "%s"', (self, name, args, result) => {
    expect(call(self, name, ...args)).toBe(result);
  });

  it('strips by code points as a model does', () => {
    fc.assert(
      fc.property(text, fc.string({ unit: fc.constantFrom('a', ' ', '😀'), maxLength: 3 }), (s, cutset) => {
        const points = Array.from(s);
        while (points.length > 0 && cutset.includes(points[0] as string)) points.shift();
        expect(call(s, 'lstrip', cutset)).toBe(points.join(''));
        while (points.length > 0 && cutset.includes(points.at(-1) as string)) points.pop();
        expect(call(s, 'strip', cutset)).toBe(points.join(''));
      }),
    );
  });
});

describe('lower, upper, title, capitalize', () => {
  it.each<[string, string, string]>([
    ['ǇUBOVIĆ', 'lower', 'ǉubović'],
    ['ǉubović', 'upper', 'ǇUBOVIĆ'],
    ['ǉubović', 'title', 'ǈubović'],
    ['ǉubović', 'capitalize', 'ǈubović'],
    ['straße', 'upper', 'STRASSE'],
    ['ßa ßa', 'title', 'Ssa Ssa'],
    ['ﬁne', 'capitalize', 'Fine'],
    ['ᾀ ᾳ ᾲ', 'title', 'ᾈ ᾼ Ὰͅ'],
    ['აბ', 'title', 'აბ'],
    ['ŉ ι', 'title', 'ʼN Ι'],
    ['ΑΣ', 'lower', 'ας'],
    ['I', 'lower', 'i'],
    ["hElLo, WoRlD! they're", 'title', "Hello, World! They'Re"],
    ['wh4t ab0ut', 'title', 'Wh4T Ab0Ut'],
    ['hElLo, WoRlD!', 'capitalize', 'Hello, world!'],
    ['¿Por qué?', 'capitalize', '¿por qué?'],
    ['𐐨𐐀', 'capitalize', '𐐀𐐨'],
    ['', 'capitalize', ''],
  ])('"%s".%s() is "%s"', (self, name, result) => {
    expect(call(self, name)).toBe(result);
  });

  it('title case is title case', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', ' ', 'é', 'Ǆ', '1', '世', 'ß'), maxLength: 12 }),
        (s) => {
          const title = call(s, 'title') as string;
          expect(call(title, 'istitle')).toBe(/[aBéǄß]/.test(s));
          expect(call(title, 'title')).toBe(title);
        },
      ),
    );
  });
});

describe('isalnum, isalpha, isdigit, isspace, islower, isupper, istitle', () => {
  const tests = ['isalnum', 'isalpha', 'isdigit', 'islower', 'isspace', 'istitle', 'isupper'];
  it.each<[string, string]>([
    ['', ''],
    ['base64', 'isalnum islower'],
    ['Catch-22', 'istitle'],
    ['HAL-9000', 'isupper'],
    ['123', 'isalnum isdigit'],
    ['٣', 'isalnum isdigit'],
    ['²', ''],
    ['世界', 'isalnum isalpha'],
    ['é', 'isalnum isalpha islower'],
    ['Éa', 'isalnum isalpha istitle'],
    ['ABC', 'isalnum isalpha isupper'],
    ['ǄǇ', 'isalnum isalpha isupper'],
    ['ǅenan ǈubović', 'istitle'],
    ['Ǆenan', 'isalnum isalpha'],
    ['ǅ', 'isalnum isalpha istitle'],
    ['𐐀', 'isalnum isalpha istitle isupper'],
    [' \t\n\u00a0\u0085', 'isspace'],
    ['\ufeff', ''],
    ['\ud83d', ''],
    ['a b', 'islower'],
    ['A', 'isalnum isalpha istitle isupper'],
    ['1nope Nope', ''],
    ['ĸ', 'isalnum isalpha islower'],
  ])('"%s" is %s', (s, names) => {
    expect(tests.filter((name) => call(s, name)).join(' ')).toBe(names);
  });

  it('goes over a large text once, without a stack', () => {
    const large = 'a'.repeat(3_000_000);
    expect(tests.map((name) => call(large, name))).toEqual([true, true, false, true, false, false, false]);
  });
});

describe('the charges of string methods', () => {
  const limited = (bytes: number): ((self: string, name: string, ...args: Value[]) => string) => {
    return (self, name, ...args) =>
      faultOf(() => callNative(testThread({ bytes, steps: 1e7 }), stringMethods.get(name), self, args)).split(
        ' ',
      )[0] as string;
  };

  it('come before a large text is made', () => {
    const call1 = limited(1_000_000);
    const large = 'x'.repeat(400_000);
    const answers = [
      call1(large, 'replace', 'x', 'yyyyyyyyyyyy'),
      call1(large, 'replace', '', 'y'),
      call1(large, 'join', new List(['', '', '', ''])),
      call1('', 'join', new List([large, large])),
      call1(large, 'split', 'x'),
      call1('x '.repeat(200_000), 'split'),
      call1('x\n'.repeat(200_000), 'splitlines'),
      call1('{0}{0}{0}', 'format', large),
      call1('ΐ'.repeat(300_000), 'upper'),
    ];
    expect(answers).toEqual(answers.map(() => 'MEMORY_LIMIT'));
  });

  it('are the same for the same call', () => {
    const usage = (): unknown[] => {
      const thread = testThread();
      for (const [name, args] of [
        ['split', [',']],
        ['replace', ['a', 'bb']],
        ['upper', []],
        ['strip', ['ab']],
        ['title', []],
      ] as const) {
        callNative(thread, stringMethods.get(name), 'a,b,c '.repeat(100), args as readonly Value[]);
      }
      return [thread.meter.steps, thread.meter.memory];
    };
    expect(usage()).toEqual(usage());
  });

  it('let no search run for long', () => {
    const large = 'a'.repeat(1_000_000);
    const sub = `${'a'.repeat(10_000)}b${'a'.repeat(10_000)}`;
    const began = process.cpuUsage();
    expect([
      call(large, 'find', sub),
      call(large, 'rfind', sub),
      call(large, 'count', sub),
      plain(call(large, 'rsplit', sub, 1)),
      call(large, 'replace', sub, ''),
    ]).toEqual([-1, -1, 0, [large], large]);
    const used = process.cpuUsage(began);
    expect(used.user + used.system).toBeLessThan(1_500_000);
  });
});

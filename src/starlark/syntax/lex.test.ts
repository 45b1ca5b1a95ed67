import { describe, expect, it } from 'vitest';
import { collectInto, type Diagnostic } from '../../base/diagnostic.ts';
import { placeOf } from '../../base/span.ts';
import { Faults } from './cursor.ts';
import { lex } from './lex.ts';

function scan(text: string): { tokens: string; faults: string[] } {
  const faults = new Faults();
  const { kinds, values } = lex(text, faults);
  const told: Diagnostic[] = [];
  faults.reportTo(collectInto(told, 'p'));
  const tokens = kinds.map((kind, i) => {
    const value = values[i] ?? null;
    if (value === null) return kind;
    if (kind === 'identifier') return value as string;
    if (value instanceof Uint8Array) return `b[${value.join(' ')}]`;
    if (kind === 'float literal') return `${String(value)}f`;
    return typeof value === 'string' ? JSON.stringify(value) : String(value as number | bigint);
  });
  return {
    tokens: tokens.join(' '),
    faults: told.map(
      ({ code, span, message }) =>
        `${span === null ? '' : Object.values(placeOf(text, span.start)).join(':')} ${code} ${message}`,
    ),
  };
}

/** Tokens of one line without its end. */
function line(text: string): string {
  const { tokens, faults } = scan(text);
  expect(faults).toEqual([]);
  return tokens.replace(/ newline end of file$/, '');
}

describe('lex', () => {
  it.each([
    ['', 'end of file'],
    ['\n\n  \n# only a comment\n', 'end of file'],
    ['pass', 'pass newline end of file'],
    ['pass # why\n', 'pass newline end of file'],
    ['\uFEFFpass', 'pass newline end of file'],
    ['a\r\nb\rc\nd', 'a newline b newline c newline d newline end of file'],
    ['a\n\n\n# x\n   # y\nb', 'a newline b newline end of file'],
    [
      'def f():\n  a\n\n   # deeper\n  b\nc',
      'def f ( ) : newline indent a newline b newline outdent c newline end of file',
    ],
    [
      'if a:\n if b:\n  c',
      'if a : newline indent if b : newline indent c newline outdent outdent end of file',
    ],
    ['x = (1,\n\n    2)\ny', 'x = ( 1 , 2 ) newline y newline end of file'],
    ['x = 1 + \\\n   2\n', 'x = 1 + 2 newline end of file'],
    ['x = 1 + \\\r\n2', 'x = 1 + 2 newline end of file'],
    ['def f():\n  pass \\\n', 'def f ( ) : newline indent pass newline outdent end of file'],
    ['def f():\n  pass\n  ', 'def f ( ) : newline indent pass newline outdent end of file'],
  ])('lays out %j', (text, tokens) => {
    expect(scan(text)).toEqual({ tokens, faults: [] });
  });

  it('takes the longest sign', () => {
    expect(line('a+=b-=c*=d/=e//=f%=g&=h|=i^=j<<=k>>=l')).toBe(
      'a += b -= c *= d /= e //= f %= g &= h |= i ^= j <<= k >>= l',
    );
    expect(line('a**b//c<<d>>e<=f>=g==h!=i')).toBe('a ** b // c << d >> e <= f >= g == h != i');
    expect(line('([{< >}])~x;')).toBe('( [ { < > } ] ) ~ x ;');
  });

  it.each([
    ['0', '0'],
    ['00', '0'],
    ['7', '7'],
    ['123', '123'],
    ['0x7F', '127'],
    ['0XaBc', '2748'],
    ['0o17', '15'],
    ['0O7', '7'],
    ['0b1010', '10'],
    ['0B1', '1'],
    ['9007199254740991', '9007199254740991'],
    ['9007199254740992', '9007199254740992'],
    ['0x20000000000000', '9007199254740992'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['0xffffffffffffffffffff', '1208925819614629174706175'],
    ['0.0', '0f'],
    ['0.', '0f'],
    ['.5', '0.5f'],
    ['1.', '1f'],
    ['1.5', '1.5f'],
    ['1e3', '1000f'],
    ['1E+3', '1000f'],
    ['1e-3', '0.001f'],
    ['.5e1', '5f'],
    ['1.e1', '10f'],
    ['0123.5', '123.5f'],
    ['012e1', '120f'],
    ['1e308', '1e+308f'],
    ['1e-400', '0f'],
    ['0in', '0 in'],
    ['6or', '6 or'],
    ['1if', '1 if'],
    ['1else', '1 else'],
    ['0xA.', '10 .'],
    ['0o128', '10 8'],
    ['x.e1', 'x . e1'],
    ['1..a', '1f . a'],
  ])('reads the number %s', (text, tokens) => {
    expect(line(text)).toBe(tokens);
  });

  it('keeps ints in the form of the machine', () => {
    const { values } = lex('9007199254740991 9007199254740992', new Faults());
    expect(values.slice(0, 2)).toEqual([9007199254740991, 9007199254740992n]);
  });

  it.each([
    ['1_000', '1:1 STAR_NUMBER invalid number literal: underscores are not allowed between digits'],
    ['0777', '1:1 STAR_NUMBER obsolete form of octal literal'],
    ['089', '1:1 STAR_NUMBER invalid int literal: it begins with 0'],
    ['0x', '1:1 STAR_NUMBER invalid hex literal: no digit follows 0x'],
    ['0o9', '1:1 STAR_NUMBER invalid octal literal: no digit follows 0o'],
    ['0b2', '1:1 STAR_NUMBER invalid binary literal: no digit follows 0b'],
    ['1e', '1:1 STAR_NUMBER invalid float literal: the exponent has no digits'],
    ['1e+', '1:1 STAR_NUMBER invalid float literal: the exponent has no digits'],
    ['1e400', '1:1 STAR_NUMBER the float literal is too large'],
    ['3j', '1:1 STAR_NUMBER invalid number literal: complex numbers are not part of Starlark'],
    ['3L', '1:1 STAR_NUMBER invalid number literal: an int needs no suffix: it may have any size'],
    [`0x1${'0'.repeat(16_384)}`, '1:1 STAR_NUMBER the int literal has more than 65536 bits'],
    ['9'.repeat(19_729), '1:1 STAR_NUMBER the int literal has more than 65536 bits'],
  ])('refuses the number %.20s', (text, fault) => {
    expect(scan(text).faults).toEqual([fault]);
  });

  it('takes the largest int', () => {
    expect(scan(`0x${'f'.repeat(16_384)}`).faults).toEqual([]);
  });

  it.each([
    [`''`, '""'],
    [`""`, '""'],
    [`'a"b'`, String.raw`"a\"b"`],
    [`"a'b"`, `"a'b"`],
    [`'''a'b''c'''`, `"a'b''c"`],
    [`''''a'''`, `"'a"`],
    [`"""x"y"""`, String.raw`"x\"y"`],
    ["'''a\nb\r\nc\rd'''", String.raw`"a\nb\nc\nd"`],
    [String.raw`"\a\b\f\n\r\t\v\\\'\""`, String.raw`"\u0007\b\f\n\r\t\u000b\\'\""`],
    [String.raw`'\0\12\101-\132\119\x41\x7f'`, String.raw`"\u0000\nA-Z\t9A${'\x7f'}"`],
    [String.raw`'\u0414\u754c\U0001F600\u04000'`, '"Д界😀Ѐ0"'],
    ['"abc\\\ndef"', '"abcdef"'],
    ['"abc\\\r\ndef"', '"abcdef"'],
    [String.raw`r'\n\w'`, String.raw`"\\n\\w"`],
    [String.raw`r'\''`, String.raw`"\\'"`],
    [String.raw`r"\\"`, String.raw`"\\\\"`],
    ["r'a\\\nb'", String.raw`"a\\\nb"`],
    ["r'a\\\r\nb'", String.raw`"a\\\nb"`],
    ['"😀é"', '"😀é"'],
  ])('reads the string %j', (text, tokens) => {
    expect(line(text)).toBe(tokens);
  });

  it.each([
    [`b'aé😀'`, 'b[97 195 169 240 159 152 128]'],
    [String.raw`b'\x00\xff\377\378\u00e9\U0001F600'`, 'b[0 255 255 31 56 195 169 240 159 152 128]'],
    [String.raw`rb'\x'`, 'b[92 120]'],
    [String.raw`br"\""`, 'b[92 34]'],
    ["b'''a\r\nb'''", 'b[97 10 98]'],
  ])('reads the bytes %j', (text, tokens) => {
    expect(line(text)).toBe(tokens);
  });

  it.each([
    [String.raw`'a\wb'`, '1:3 STAR_ESCAPE invalid escape sequence \\w'],
    [String.raw`'\x80'`, '1:2 STAR_ESCAPE non-ASCII hex escape \\x80'],
    [String.raw`'\200'`, '1:2 STAR_ESCAPE non-ASCII octal escape \\200'],
    [String.raw`b'\400'`, '1:3 STAR_ESCAPE invalid escape sequence \\400: a byte is at most \\377'],
    [
      String.raw`'\x4'`,
      '1:2 STAR_ESCAPE truncated or invalid escape sequence \\x4: \\x needs 2 hexadecimal digits',
    ],
    [
      String.raw`'\x-0'`,
      '1:2 STAR_ESCAPE truncated or invalid escape sequence \\x: \\x needs 2 hexadecimal digits',
    ],
    [
      String.raw`'\u12'`,
      '1:2 STAR_ESCAPE truncated or invalid escape sequence \\u12: \\u needs 4 hexadecimal digits',
    ],
    [String.raw`'\U00110000'`, '1:2 STAR_ESCAPE code point out of range: \\U00110000'],
    [
      String.raw`'\udc00'`,
      '1:2 STAR_ESCAPE invalid Unicode code point U+DC00: it is half of a surrogate pair',
    ],
    [
      String.raw`b'\ud83d\ude00'`,
      '1:3 STAR_ESCAPE invalid Unicode code point U+D83D: it is half of a surrogate pair',
    ],
    [`x = 'abc`, '1:5 STAR_STRING_UNCLOSED unexpected end of file in string: it is not closed on its line'],
    [`x = "abc\ny`, '1:5 STAR_STRING_UNCLOSED unexpected newline in string: it is not closed on its line'],
    [
      `x = '''abc\n`,
      '1:5 STAR_UNFINISHED unexpected end of file in string: the quotes opened here are never closed',
    ],
    [`f'{x}'`, '1:1 STAR_FSTRING f-strings are not part of Starlark'],
    [`rf'{x}'`, '1:1 STAR_FSTRING f-strings are not part of Starlark'],
    [`u'x'`, '1:1 STAR_STRING_PREFIX unknown string prefix u'],
    [`B'x'`, '1:1 STAR_STRING_PREFIX unknown string prefix B'],
  ])('refuses the string %j', (text, fault) => {
    expect(scan(text).faults).toEqual([fault]);
  });

  it('takes a quote at the end of a later line for the one that was missing', () => {
    expect(scan("x = 'one\ntwo'\n").faults).toEqual([
      '1:5 STAR_STRING_UNCLOSED unexpected newline in string: it is not closed on its line',
    ]);
  });

  it('ends an unclosed string before the brackets that end its line', () => {
    expect(scan('print("abc)\ny')).toEqual({
      tokens: 'print ( "abc" ) newline y newline end of file',
      faults: ['1:7 STAR_STRING_UNCLOSED unexpected newline in string: it is not closed on its line'],
    });
  });

  it('reads letters of any script in names', () => {
    expect(line('π naïve 名前 x٣ 𝔘')).toBe('π naïve 名前 x٣ 𝔘');
  });

  it.each([
    ['x = $y', "1:5 STAR_CHARACTER unexpected character '$' (U+0024)", 'x = y'],
    ['x = a ? b', "1:7 STAR_TERNARY unexpected character '?'", 'x = a b'],
    ['x = !y', "1:5 STAR_OPERATOR unexpected character '!'", 'x = not y'],
    ['x && y', "1:3 STAR_OPERATOR '&&' is not an operator of Starlark", 'x and y'],
    ['x || y', "1:3 STAR_OPERATOR '||' is not an operator of Starlark", 'x or y'],
    ['x === y', "1:3 STAR_OPERATOR '===' is not an operator of Starlark", 'x == y'],
    ['x <> y', "1:3 STAR_OPERATOR '<>' is not an operator of Starlark", 'x != y'],
    ['x := y', "1:3 STAR_WALRUS ':=' is not an operator of Starlark", 'x = y'],
    ['x = “a b”', "1:5 STAR_CHARACTER unexpected character '“' (U+201C)", 'x = ""'],
    ['x = ‘a b’', "1:5 STAR_CHARACTER unexpected character '‘' (U+2018)", 'x = ""'],
    ['x – y', "1:3 STAR_CHARACTER unexpected character '–' (U+2013)", 'x - y'],
    ['x\u00A0= y', '1:2 STAR_CHARACTER unexpected character U+00A0', 'x = y'],
    ['x\u200B= y', '1:2 STAR_CHARACTER unexpected character U+200B', 'x = y'],
    ['x \0= y', '1:3 STAR_CHARACTER unexpected character: a NUL character (U+0000)', 'x = y'],
    ['x # \uD800', '1:5 STAR_CHARACTER unexpected character: half of a surrogate pair (U+D800)', 'x'],
    [
      'x = "\uDC00"',
      '1:6 STAR_CHARACTER unexpected character: half of a surrogate pair (U+DC00)',
      String.raw`x = "\udc00"`,
    ],
    ['x \\ y', '1:3 STAR_CHARACTER stray backslash in program', 'x y'],
    ['x \\', '1:3 STAR_UNFINISHED stray backslash in program', 'x'],
    ['x \\ \n+ y', '1:3 STAR_CHARACTER stray backslash: blanks follow it', 'x + y'],
  ])('tells of %j and goes on', (text, fault, tokens) => {
    expect(scan(text)).toEqual({ tokens: `${tokens} newline end of file`, faults: [fault] });
  });

  it.each([
    ['f(1))', "1:5 STAR_BRACKET unexpected ')'", 'f ( 1 ) newline end of file'],
    ['f([1)', "1:5 STAR_BRACKET got ')', want ']'", 'f ( [ 1 ] ) newline end of file'],
    ['f(]', "1:3 STAR_BRACKET got ']', want ')'", 'f ( ) newline end of file'],
    ['f(1', "1:4 STAR_UNFINISHED got end of file, want ')'", 'f ( 1 ) newline end of file'],
    ['f([{', "1:5 STAR_UNFINISHED got end of file, want '}'", 'f ( [ { } ] ) newline end of file'],
    [
      'f(1,\ndef g():\n  x',
      "2:1 STAR_BRACKET got def, want ')'",
      'f ( 1 , ) newline def g ( ) : newline indent x newline outdent end of file',
    ],
  ])('makes the brackets of %j match', (text, fault, tokens) => {
    expect(scan(text)).toEqual({ tokens, faults: [fault] });
  });

  it('names in a call may be reserved words without ending the brackets', () => {
    expect(scan('f(\n  class=1,\n  pass)').faults).toEqual([]);
  });

  it('says where an unclosed bracket was opened', () => {
    const told: Diagnostic[] = [];
    const faults = new Faults();
    lex('a\n  + f(1,\n', faults);
    faults.reportTo(collectInto(told, 'p'));
    expect(told[0]?.hint).toBe("the '(' on line 2, column 6 is not closed");
  });

  it('tells of tabs once, and reads them as up to eight spaces', () => {
    expect(scan('def f():\n\ta\n\tb\n        c\n')).toEqual({
      tokens: 'def f ( ) : newline indent a newline b newline c newline outdent end of file',
      faults: ['2:1 STAR_TABS a tab is used for indentation on this line, and on 1 more'],
    });
  });

  it('lets tabs stand inside lines, brackets, comments and blank lines', () => {
    expect(scan('x\t=\t(\n\t1,\n\t)\n\t\n\t# c\ny').faults).toEqual([]);
  });

  it('tells once of a line that matches no block', () => {
    expect(scan('if a:\n    b\n  c\n  d\ne')).toEqual({
      tokens: 'if a : newline indent b newline c newline d newline outdent e newline end of file',
      faults: ['3:3 STAR_INDENT unindent does not match any outer indentation level'],
    });
  });
});

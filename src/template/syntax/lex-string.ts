// The text between quotes -> the string it means, with Python's escapes.
//
// An escape that Python does not know stays as it is written, backslash and all. A backslash before a character
// outside ASCII gives that character's number, as in Jinja: `'\é'` is `\xe9`.

interface StringFault {
  /** Offset into the body. */
  readonly at: number;
  readonly length: number;
  readonly message: string;
  readonly hint: string;
}

const simple: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\n', ''],
]);

const hexLengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

export function readString(body: string): string | StringFault {
  let at = body.indexOf('\\');
  if (at < 0) return body;
  let result = body.slice(0, at);
  while (at < body.length) {
    const next = body[at + 1] as string;
    const known = simple.get(next);
    const digits = hexLengths.get(next);
    if (known !== undefined) {
      result += known;
      at += 2;
    } else if (digits !== undefined) {
      const hex = /^[0-9a-fA-F]*/.exec(body.slice(at + 2, at + 2 + digits))?.[0] as string;
      const point = Number.parseInt(hex, 16);
      if (hex.length < digits)
        return {
          at,
          length: 2 + hex.length,
          message: `"\\${next}" needs ${digits} hexadecimal digits`,
          hint: 'write "\\\\" for a backslash',
        };
      if (point > 0x10ffff)
        return {
          at,
          length: 2 + digits,
          message: 'there is no character of this number',
          hint: 'the largest one is \\U0010ffff',
        };
      result += String.fromCodePoint(point);
      at += 2 + digits;
    } else if (next >= '0' && next <= '7') {
      const octal = /^[0-7]{1,3}/.exec(body.slice(at + 1, at + 4))?.[0] as string;
      result += String.fromCodePoint(Number.parseInt(octal, 8));
      at += 1 + octal.length;
    } else if (next === 'N') {
      return {
        at,
        length: 2,
        message: 'characters cannot be given by name here',
        hint: 'write the character itself, or its number: "\\u2192"',
      };
    } else {
      const point = body.codePointAt(at + 1) as number;
      result += `\\${point < 0x80 ? next : numbered(point)}`;
      at += point > 0xffff ? 3 : 2;
    }
    const more = body.indexOf('\\', at);
    const end = more < 0 ? body.length : more;
    result += body.slice(at, end);
    at = end;
  }
  return result;
}

function numbered(point: number): string {
  const hex = point.toString(16);
  if (point < 0x100) return `x${hex.padStart(2, '0')}`;
  return point < 0x10000 ? `u${hex.padStart(4, '0')}` : `U${hex.padStart(8, '0')}`;
}

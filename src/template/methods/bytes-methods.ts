// `str.encode()`, and the methods of the bytes that it gives.
//
// The encodings are UTF-8, ASCII and Latin-1, by any of their usual names.
import { encodeUtf8 } from '../../base/utf8.ts';
import { escapePoint } from '../value/quote.ts';
import { bind, signature } from '../value/signature.ts';
import { valueError } from '../value/template-error.ts';
import { Bytes, type Native, type Value } from '../value/value.ts';
import type { TextMethod } from './text-arguments.ts';
import { textArgument } from './text-arguments.ts';

type Encoding = 'utf-8' | 'ascii' | 'latin-1';

/** The first code point that an encoding does not have. */
const ends: { readonly [encoding in Encoding]: number } = {
  'utf-8': 0x110000,
  ascii: 0x80,
  'latin-1': 0x100,
};

const names: ReadonlyMap<string, Encoding> = new Map([
  ...(['utf_8', 'utf8', 'u8', 'utf'] as const).map((name) => [name, 'utf-8'] as const),
  ...(['ascii', 'us_ascii', '646'] as const).map((name) => [name, 'ascii'] as const),
  ...(['latin_1', 'latin1', 'latin', 'iso_8859_1', 'iso8859_1', 'l1'] as const).map(
    (name) => [name, 'latin-1'] as const,
  ),
]);

function encodingOf(value: Value, of: string): Encoding {
  const written = textArgument(value, `${of} argument 'encoding'`);
  return (
    names.get(written.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')) ??
    valueError(`unknown encoding: ${written}`)
  );
}

const encodeSignature = signature('str.encode()', [
  ['encoding', 'utf-8'],
  ['errors', 'strict'],
]);

/** What `errors` puts in the place of a character that the encoding does not have. */
const substitutes: ReadonlyMap<string, (point: number) => string> = new Map([
  ['ignore', () => ''],
  ['replace', () => '?'],
  ['xmlcharrefreplace', (point) => `&#${point};`],
  ['backslashreplace', escapePoint],
]);

export const encode: TextMethod = (e, text, args, named) => {
  const [wanted, mode] = bind(encodeSignature, args, named) as [Value, Value];
  const encoding = encodingOf(wanted, 'encode()');
  const errors = textArgument(mode, "encode() argument 'errors'");
  e.work(text.length);
  e.makeText(text.length * 3);
  const substitute = (point: number, at: number): string => {
    if (errors === 'strict')
      return valueError(
        `'${encoding}' codec can't encode character '${escapePoint(point)}' in position ${at}`,
      );
    return (substitutes.get(errors) ?? valueError(`unknown error handler name '${errors}'`))(point);
  };
  let [plain, at] = ['', 0];
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    const isKnown = point < ends[encoding] && !(point >= 0xd800 && point <= 0xdfff);
    plain += isKnown ? character : substitute(point, at);
    at += 1;
  }
  return new Bytes(
    encoding === 'utf-8' ? encodeUtf8(plain) : Uint8Array.from(plain, (unit) => unit.charCodeAt(0)),
  );
};

const decodeSignature = signature('bytes.decode()', [
  ['encoding', 'utf-8'],
  ['errors', 'strict'],
]);

const decode: Native = (e, self, args, named) => {
  const [wanted, mode] = bind(decodeSignature, args, named) as [Value, Value];
  const { bytes } = self as Bytes;
  const encoding = encodingOf(wanted, 'decode()');
  const errors = textArgument(mode, "decode() argument 'errors'");
  e.work(bytes.length);
  e.makeText(bytes.length);
  const text =
    encoding === 'utf-8'
      ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
      : Array.from(bytes, (byte) => String.fromCharCode(byte < ends[encoding] ? byte : 0xfffd)).join('');
  const isWhole =
    encoding === 'latin-1' ||
    !text.includes('\ufffd') ||
    (encoding === 'utf-8' && isSame(encodeUtf8(text), bytes));
  if (isWhole || errors === 'replace') return text;
  if (errors === 'ignore' && encoding === 'ascii') return text.replaceAll('\ufffd', '');
  return valueError(`'${encoding}' codec can't decode all of the bytes`);
};

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

const hexSignature = signature('bytes.hex()', [], true);

const hex: Native = (e, self, args, named) => {
  bind(hexSignature, args, named);
  const { bytes } = self as Bytes;
  e.makeText(bytes.length * 2);
  e.work(bytes.length);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};

export const bytesMethods: ReadonlyMap<string, Native> = new Map([
  ['decode', decode],
  ['hex', hex],
]);

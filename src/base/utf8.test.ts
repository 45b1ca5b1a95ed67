import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8, encodeUtf8Into, maxUtf8Bytes } from './utf8.ts';

describe('encodeUtf8, encodeUtf8Into', () => {
  it('encode any text as Node does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const into = new Uint8Array(maxUtf8Bytes(text));
        const bytes = encodeUtf8Into(text, into);
        expect(Buffer.from(encodeUtf8(text))).toEqual(Buffer.from(text));
        expect(Buffer.from(into.subarray(0, bytes))).toEqual(Buffer.from(text));
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('encode half a surrogate pair as U+FFFD', () => {
    expect(Buffer.from(encodeUtf8('\ud800x\udc00'))).toEqual(Buffer.from('\ufffdx\ufffd'));
    const halves = 'a\uD83Db\uDE00\uD83D';
    expect(Buffer.from(encodeUtf8(halves))).toEqual(Buffer.from(halves, 'utf8'));
  });
});

describe('decodeUtf8', () => {
  it('keeps a byte order mark and says when bytes were replaced', () => {
    expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toEqual({
      text: '\uFEFFa',
      valid: true,
    });
    expect(decodeUtf8(new Uint8Array([0x61, 0xff, 0x62]))).toEqual({ text: 'a\uFFFDb', valid: false });
    expect(decodeUtf8(new Uint8Array([0xed, 0xa0, 0x80])).valid).toBe(false);
    expect(decodeUtf8(Buffer.from('xäöy').subarray(1, 5))).toEqual({ text: 'äö', valid: true });
    expect(decodeUtf8(new Uint8Array(0))).toEqual({ text: '', valid: true });
  });

  it('reads UTF-16 by its byte order mark, and says that it is not UTF-8', () => {
    const little = Buffer.from('\uFEFFé\u{1F600}', 'utf16le');
    expect(decodeUtf8(little)).toEqual({ text: '\uFEFFé\u{1F600}', valid: false });
    expect(decodeUtf8(Buffer.from(little).swap16())).toEqual({ text: '\uFEFFé\u{1F600}', valid: false });
    expect(
      decodeUtf8(Buffer.concat([Buffer.from('\uFEFFa\uD800b', 'utf16le'), new Uint8Array([0x20])])),
    ).toEqual({ text: '\uFEFFa\uFFFDb', valid: false });
    expect(decodeUtf8(new Uint8Array([0xff]))).toEqual({ text: '\uFFFD', valid: false });
  });

  it('decodes the bytes up to an end, and any bytes as Node does', () => {
    expect(decodeUtf8(Buffer.from('xäöy'), 3)).toEqual({ text: 'xä', valid: true });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), fc.nat(50), (bytes, at) => {
        const end = Math.min(at, bytes.length);
        const given = Buffer.from(bytes.subarray(0, end));
        fc.pre(!isUtf16(given));
        const { text, valid } = decodeUtf8(bytes, end);
        expect(valid).toBe(isUtf8(given));
        expect(text).toBe(given.toString());
      }),
      { seed: 7, numRuns: 1000 },
    );
  });

  it('leaves the given bytes as they are', () => {
    const big = Buffer.from(Buffer.from('\uFEFFab', 'utf16le')).swap16();
    const before = [...big];
    decodeUtf8(big);
    expect([...big]).toEqual(before);
  });
});

function isUtf16(bytes: Buffer): boolean {
  return bytes.length > 1 && [0xfeff, 0xfffe].includes(bytes.readUInt16BE(0));
}

// What a file is by its first bytes and its name.
//
// The name alone never makes a file harmless: only bytes do. The name can make it worse: an archive that is called one, with bytes that
// say otherwise, is still not read.
import { extensionOf } from './language.ts';

/** `pictures` and fonts have an end that can be found (end-of-picture.ts). */
export type BinaryKind =
  | { readonly kind: 'archive'; readonly name: string }
  | { readonly kind: 'picture'; readonly name: 'png' | 'jpeg' | 'gif' | 'webp' | 'bmp' | 'ico' | 'font' }
  | { readonly kind: 'program'; readonly name: string }
  | { readonly kind: 'document'; readonly name: string };

const magics: readonly { readonly bytes: string; readonly at?: number; readonly is: BinaryKind }[] = [
  { bytes: '504b0304', is: { kind: 'archive', name: 'zip' } },
  { bytes: '504b0506', is: { kind: 'archive', name: 'zip' } },
  { bytes: '504b0708', is: { kind: 'archive', name: 'zip' } },
  { bytes: '1f8b', is: { kind: 'archive', name: 'gzip' } },
  { bytes: '1f9d', is: { kind: 'archive', name: 'compress' } },
  { bytes: '425a68', is: { kind: 'archive', name: 'bzip2' } },
  { bytes: 'fd377a585a00', is: { kind: 'archive', name: 'xz' } },
  { bytes: '28b52ffd', is: { kind: 'archive', name: 'zstandard' } },
  { bytes: '04224d18', is: { kind: 'archive', name: 'lz4' } },
  { bytes: '377abcaf271c', is: { kind: 'archive', name: '7z' } },
  { bytes: '526172211a07', is: { kind: 'archive', name: 'rar' } },
  { bytes: '4d534346', is: { kind: 'archive', name: 'cab' } },
  { bytes: '7573746172', at: 257, is: { kind: 'archive', name: 'tar' } },
  { bytes: '213c617263683e0a', is: { kind: 'archive', name: 'ar' } },
  { bytes: '89504e470d0a1a0a', is: { kind: 'picture', name: 'png' } },
  { bytes: 'ffd8ff', is: { kind: 'picture', name: 'jpeg' } },
  { bytes: '474946383761', is: { kind: 'picture', name: 'gif' } },
  { bytes: '474946383961', is: { kind: 'picture', name: 'gif' } },
  { bytes: '774f4646', is: { kind: 'picture', name: 'font' } },
  { bytes: '774f4632', is: { kind: 'picture', name: 'font' } },
  { bytes: '00010000', is: { kind: 'picture', name: 'font' } },
  { bytes: '4f54544f', is: { kind: 'picture', name: 'font' } },
  { bytes: '00000100', is: { kind: 'picture', name: 'ico' } },
  { bytes: '25504446', is: { kind: 'document', name: 'PDF' } },
  { bytes: 'd0cf11e0a1b11ae1', is: { kind: 'document', name: 'Office' } },
  { bytes: '7f454c46', is: { kind: 'program', name: 'ELF' } },
  { bytes: 'cafebabe', is: { kind: 'program', name: 'Mach-O or Java' } },
  { bytes: 'feedface', is: { kind: 'program', name: 'Mach-O' } },
  { bytes: 'feedfacf', is: { kind: 'program', name: 'Mach-O' } },
  { bytes: 'cefaedfe', is: { kind: 'program', name: 'Mach-O' } },
  { bytes: 'cffaedfe', is: { kind: 'program', name: 'Mach-O' } },
  { bytes: '0061736d', is: { kind: 'program', name: 'WebAssembly' } },
  { bytes: '53514c69746520666f726d6174203300', is: { kind: 'document', name: 'SQLite' } },
];

const archiveNames = new Set(
  'zip tar gz tgz bz2 tbz tbz2 xz txz zst 7z rar jar war ear whl egg apk ipa nupkg vsix crx deb rpm dmg iso cab lz lz4 lzma z asar docx xlsx pptx odt ods odp epub'.split(
    ' ',
  ),
);

export function kindByName(path: string): BinaryKind | null {
  const extension = extensionOf(path);
  return archiveNames.has(extension) ? { kind: 'archive', name: extension } : null;
}

export function kindByBytes(bytes: Uint8Array): BinaryKind | null {
  const head = hexOf(bytes.subarray(0, 16));
  for (const { bytes: magic, at = 0, is } of magics)
    if (at === 0 ? head.startsWith(magic) : hexOf(bytes.subarray(at, at + magic.length / 2)) === magic)
      return is;
  if (head.startsWith('52494646') && hexOf(bytes.subarray(8, 12)) === '57454250')
    return { kind: 'picture', name: 'webp' };
  // "BM" or "MZ" alone may begin a text; a zero byte near them does not.
  const isBinary = bytes.subarray(0, 64).includes(0);
  if (isBinary && head.startsWith('424d')) return { kind: 'picture', name: 'bmp' };
  if (isBinary && head.startsWith('4d5a')) return { kind: 'program', name: 'Windows' };
  // Python writes its magic number, then carriage return and line feed.
  if (isBinary && head.slice(4, 8) === '0d0a') return { kind: 'program', name: 'Python bytecode' };
  return null;
}

function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

// A text -> a part of a file name, on every system and in links between notes.
//
//   "AC/DC: why?" -> "AC-DC - why"
//
// What links, Obsidian or file systems give a meaning is replaced. The result is never `.`, `..` or the name of a dot file.

const maxUnits = 120;

export function fileNameOf(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/\[\[|\]\]/g, '')
    .replace(/\s*:\s+/g, ' - ')
    .replace(/[\\/|:]+/g, '-')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[#^*?"<>%[\]]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return Array.from(plain.replace(/^[.\s-]+/, ''))
    .slice(0, maxUnits)
    .join('')
    .replace(/[.\s]+$/, '');
}

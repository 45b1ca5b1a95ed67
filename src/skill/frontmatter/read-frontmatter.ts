// The frontmatter as a tree, whatever its condition.
//
//   parsePlain -> parseFull -> repair
//
// The result is always a map, perhaps an empty one; nothing throws. `parseFull` is called only when the plain parser is
// in doubt, since it may load a library. A fault is reported once: what `repair` repairs is reported as repaired, and the
// syntax error behind it is not repeated. A text too large for the library is read entry by entry; if every entry is
// fine, nothing is reported. After `maxFaults` faults of one file the rest are not reported. Invisible characters change
// a key for YAML, but not for its author: after the colon of a field they count as blanks, and a text with one before a
// key goes to `repair`, even where a parser would accept it. Both are reported.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Report } from '../../base/diagnostic.ts';
import type { SkillParts } from './split-frontmatter.ts';
import type { ParseFull, YamlMap } from '../yaml/node.ts';
import { tryPlain } from '../yaml/plain/parse-plain.ts';
import { repair } from '../yaml/repair/repair.ts';

type Fault = Parameters<Report>;

const maxFaults = 100;

/** Faults that a complete repair makes moot. */
const mootOnceRepaired: ReadonlySet<DiagnosticCode> = new Set(['YAML_SYNTAX', 'FRONTMATTER_NOT_A_MAP']);

const unseen = String.raw`\u00a0\u00ad\u200b-\u200f\u2060\u3000\ufeff`;
const holdsUnseen = new RegExp(`[${unseen}]`);
// In the first column, where no text of a value can stand.
const unseenBefore = new RegExp(`(?:^|\\n)[${unseen}]{1,8}[A-Za-z_"'][^:\\n]{0,60}:`);
const unseenBehind = new RegExp(`(^|\\n)([\\w-]{1,60}[ \\t]{0,8}:)([ \\t]*[${unseen}]+)`, 'g');

export function readFrontmatter(
  source: string,
  parts: SkillParts,
  parseFull: ParseFull,
  report: Report,
): YamlMap {
  const { yamlStart, yamlEnd } = parts;
  const yaml = source.slice(yamlStart, yamlEnd);
  if (!holdsUnseen.test(yaml)) return readText(source, parts, parseFull, report);
  const faults: Fault[] = [];
  const seen = withBlanks(yaml, yamlStart, (...fault) => faults.push(fault));
  // As long as before, so that every place holds for the source too.
  const text = seen === yaml ? source : source.slice(0, yamlStart) + seen + source.slice(yamlEnd);
  const read = unseenBefore.test(seen) ? readBroken : readText;
  const map = read(text, parts, parseFull, (...fault) => faults.push(fault));
  pass(faults, report);
  return map;
}

/** `yaml`, which begins at `start`, with blanks for what is unseen behind the colon of a field. */
function withBlanks(yaml: string, start: number, report: Report): string {
  return yaml.replace(unseenBehind, (_all, lineEnd: string, key: string, gap: string, offset: number) => {
    const from = start + offset + lineEnd.length + key.length;
    report(
      'YAML_REPAIRED',
      { start: from, end: from + gap.length },
      'an invisible character follows the colon; it was read as a space',
      'type a space instead',
    );
    return lineEnd + key + ' '.repeat(gap.length);
  });
}

function readText(text: string, parts: SkillParts, parseFull: ParseFull, report: Report): YamlMap {
  const { yamlStart, yamlEnd } = parts;
  const plain = tryPlain(text, yamlStart, yamlEnd);
  if (plain === 'broken') return readBroken(text, parts, parseFull, report);
  if (plain !== null) return plain;
  if (isBlank(text, yamlStart, yamlEnd)) {
    report(
      'FRONTMATTER_EMPTY',
      { start: yamlStart, end: yamlStart },
      'there is nothing between the "---" lines',
      'write "name: …" and "description: …"',
    );
    return { kind: 'map', entries: [], flow: false, span: { start: yamlStart, end: yamlStart } };
  }
  const before: Fault[] = [];
  const full = parseFull(text, yamlStart, yamlEnd, (...fault) => before.push(fault));
  if (full !== null) {
    pass(before, report);
    return full;
  }
  const during: Fault[] = [];
  const repaired = repair(text, yamlStart, yamlEnd, (...fault) => during.push(fault), parseFull);
  pass(mergeFaults(before, during), report);
  return repaired;
}

function pass(faults: readonly Fault[], report: Report): void {
  for (const fault of faults.slice(0, maxFaults)) report(...fault);
}

/** The library would only say that it is broken; it is needed when another entry is unusual. */
function readBroken(text: string, parts: SkillParts, parseFull: ParseFull, report: Report): YamlMap {
  const faults: Fault[] = [];
  const repaired = repair(text, parts.yamlStart, parts.yamlEnd, (...fault) => faults.push(fault), parseFull);
  pass(faults, report);
  return repaired;
}

/** The syntax error is kept when something was dropped, or when nothing else reports a fault. */
function mergeFaults(before: readonly Fault[], during: readonly Fault[]): readonly Fault[] {
  const lost = during.some(([code]) => code === 'YAML_SYNTAX');
  const rest = during.filter(([code]) => code !== 'YAML_SYNTAX');
  const explained = !lost && rest.length > 0;
  if (during.length === 0 && before.every(([code]) => code === 'YAML_TOO_MANY_NODES')) return [];
  const repeated = new Set(rest.map(([code]) => code));
  const kept = before.filter(
    ([code]) =>
      !(explained && mootOnceRepaired.has(code)) && !(code === 'YAML_TOO_MANY_NODES' && repeated.has(code)),
  );
  return kept.length === 0 && lost ? during : [...kept, ...rest];
}

/** Whether the range holds only blank lines and comments. */
function isBlank(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    const unit = text.charCodeAt(at);
    if (unit === 35 /* # */) {
      const lineEnd = text.indexOf('\n', at);
      at = lineEnd < 0 || lineEnd >= end ? end : lineEnd + 1;
    } else if (unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xfeff) {
      at += 1;
    } else {
      return false;
    }
  }
  return true;
}

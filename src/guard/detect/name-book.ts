// Names that people know -> which of them a name can be taken for.
//
//   name -> skeleton (as a reader takes it) -> a known name with the same skeleton, or with one letter of difference
//
// N1. A skeleton has Latin letters for those that look like them, no separators, no word that only decorates (`official`, `pro`), and no
//     plural. A name that itself is shipped or well known is never taken for another.
// N2. One letter of difference leaves the beginning or the end as it is, so only names that share one of them are compared.
import { nearest } from '../../base/nearest.ts';
import { foldCharacter } from '../view/confusables.ts';

/** Names of skills and tools that squatters imitate. */
export const wellKnownNames: readonly string[] =
  'clawhub openclaw clawdbot moltbot skill-creator mcp-builder frontend-design webapp-testing canvas-design brand-guidelines algorithmic-art internal-comms slack-gif-creator theme-factory web-artifacts-builder artifacts-builder find-skills agent-browser react-best-practices web-design-guidelines supabase-postgres-best-practices remotion-best-practices vercel-deploy systematic-debugging test-driven-development writing-plans executing-plans brainstorming subagent-driven-development doc-coauthoring'.split(
    ' ',
  );

export interface NameBook {
  /** The known name that `name` can be taken for; `null`: none. */
  lookAlike(name: string): string | null;
}

export interface KnownNames {
  /** Of skills that come with techne. */
  readonly shipped: readonly string[];
  /** Of all other skills around, also those that are looked up. */
  readonly others: readonly string[];
}

const shortest = 6;
const longest = 100;
const longestSibling = 5;
const leastSiblings = 3;

export function createNameBook({ shipped, others }: KnownNames): NameBook {
  const originals = new Set([...wellKnownNames, ...shipped].map(plainName));
  const bySkeleton = new Map<string, string[]>();
  const byEdge = new Map<string, string[]>();
  /** Names with one word left open -> how many names fit. Made when it is first needed. */
  let frames: Map<string, number> | null = null;
  const all = new Set([...originals, ...others.map(plainName)]);
  for (const name of all) {
    for (const skeleton of skeletonsOf(name)) {
      add(bySkeleton, skeleton, name);
      if (skeleton.length >= shortest) for (const edge of edgesOf(skeleton)) add(byEdge, edge, skeleton);
    }
  }
  /** `doca-sha` and `doca-sta` of many such names: a short word that differs is another word. */
  const isSibling = (name: string, other: string): boolean => {
    const words = wordsOf(name);
    const otherWords = wordsOf(other);
    const at = words.findIndex((word, index) => word !== otherWords[index]);
    if (words.length !== otherWords.length || words.length < 2 || at === -1) return false;
    if (Math.max((words[at] as string).length, (otherWords[at] as string).length) > longestSibling)
      return false;
    const frame = framesOf(words)[at] as string;
    if (frame !== framesOf(otherWords)[at]) return false;
    if (frames === null) {
      frames = new Map();
      for (const one of all)
        for (const open of framesOf(wordsOf(one))) frames.set(open, (frames.get(open) ?? 0) + 1);
    }
    return (frames.get(frame) ?? 0) >= leastSiblings;
  };
  return {
    lookAlike(given) {
      const name = plainName(given);
      if (originals.has(name)) return null;
      const skeletons = skeletonsOf(name);
      for (const skeleton of skeletons)
        for (const other of bySkeleton.get(skeleton) ?? [])
          if (other !== name && !isOtherVersion(name, other)) return other;
      // Latin letters beside others that look like them: no name is written so by accident.
      if (name !== foldName(name) && /[a-z]/.test(name)) return foldName(name);
      for (const skeleton of skeletons) {
        const other = skeleton.length < shortest ? undefined : closeTo(skeleton, name);
        if (other !== undefined) return other;
      }
      return null;
    },
  };

  function closeTo(skeleton: string, name: string): string | undefined {
    for (const edge of edgesOf(skeleton))
      for (const close of byEdge.get(edge) ?? []) {
        if (close === skeleton || Math.abs(close.length - skeleton.length) > 1) continue;
        if (nearest(skeleton, [close], 1) === null) continue;
        const other = (bySkeleton.get(close) ?? []).find(
          (one) => one !== name && !isOtherVersion(name, one) && !isSibling(name, one),
        );
        if (other !== undefined) return other;
      }
    return undefined;
  }
}

function add(table: Map<string, string[]>, key: string, value: string): void {
  const list = table.get(key);
  if (list === undefined) table.set(key, [value]);
  else if (list.at(-1) !== value) list.push(value);
}

/** Of a short one fewer letters: a swap in its middle touches more of it. */
function edgesOf(skeleton: string): readonly string[] {
  const edges = [`^${skeleton.slice(0, 3)}`, `${skeleton.slice(-3)}$`];
  return skeleton.length > shortest + 1
    ? edges
    : [...edges, `^${skeleton.slice(0, 2)}`, `${skeleton.slice(-2)}$`];
}

function plainName(name: string): string {
  return name.slice(0, longest).normalize('NFC').toLowerCase().trim();
}

/** With Latin letters for those that look like them. */
function foldName(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase();
  return Array.from(name, (letter) => {
    const point = letter.codePointAt(0) as number;
    return point < 128 ? letter : (foldCharacter(point) ?? letter);
  })
    .join('')
    .toLowerCase();
}

const decorations = new Set(
  'official real original genuine verified trusted authentic new latest updated fixed patched secure safe pro plus premium free lite best the my hq app cli tool tools skill skills ultimate advanced enhanced improved better community'.split(
    ' ',
  ),
);

function wordsOf(name: string): readonly string[] {
  return foldName(name)
    .split(/[\s_./-]{1,4}/)
    .filter((word) => word !== '');
}

/** Without the words that decorate, and with them. */
function skeletonsOf(name: string): readonly string[] {
  const words = wordsOf(name);
  const telling = words.filter((word) => !decorations.has(word) && !/^v?\d{1,3}$/.test(word));
  const full = skeletonOf(words);
  const short = telling.join('').length < 3 ? full : skeletonOf(telling);
  return short === full ? [full] : [short, full];
}

function skeletonOf(words: readonly string[]): string {
  return words
    .map((word) => (word.length > 3 ? word.replace(/(?<=[^si])s$/, '') : word))
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replaceAll(/[1|]/g, 'l');
}

/** `bf3-deployment` and `bf4-deployment`: names that differ in a number only. */
function isOtherVersion(name: string, other: string): boolean {
  return /\d/.test(name) && /\d/.test(other) && name.replaceAll(/\d/g, '') === other.replaceAll(/\d/g, '');
}

function framesOf(words: readonly string[]): readonly string[] {
  return words.length < 2
    ? []
    : words.map((_, at) => words.map((word, i) => (i === at ? '*' : word)).join('-'));
}

// Which of several skills with one name counts.
//
//   candidates, highest precedence first -> one winner for each name, the others with the reason
//
// The winner is the first usable candidate: valid, and with everything it requires on this machine. An unusable
// candidate does not hide a usable one below it, and a diagnostic reports that. Where none is usable the first one stays,
// so that it can be explained. Winners whose names look alike are reported (look-alikes.ts); both stay.
import { append } from '../../base/json.ts';
import { severityOf } from '../../base/codes.ts';
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { FoundSkill } from './found-skill.ts';
import type { Shadowed } from '../types.ts';

interface Chosen {
  /** By name. */
  readonly skills: readonly FoundSkill[];
  readonly byName: ReadonlyMap<string, FoundSkill>;
  readonly shadowed: readonly Shadowed[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `whyUnusable` gives the first reason, or `null`; it is asked only where names collide. */
export function chooseWinners(
  candidates: readonly FoundSkill[],
  whyUnusable: (skill: FoundSkill) => string | null,
): Chosen {
  const byName = new Map<string, FoundSkill>();
  let collisions: Map<string, FoundSkill[]> | null = null;
  let isInOrder = true;
  let last = '';
  for (const candidate of candidates) {
    const { name } = candidate;
    const first = byName.get(name);
    if (first === undefined) {
      byName.set(name, candidate);
      isInOrder &&= last <= name;
      last = name;
      continue;
    }
    collisions ??= new Map();
    const group = collisions.get(name);
    if (group === undefined) collisions.set(name, [first, candidate]);
    else group.push(candidate);
  }
  const shadowed: Shadowed[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, group] of collisions ?? []) {
    const faults = group.map(whyUnusable);
    const chosen = Math.max(faults.indexOf(null), 0);
    const winner = group[chosen] as FoundSkill;
    byName.set(name, winner);
    for (const [at, skill] of group.entries()) {
      if (at === chosen) continue;
      const fault = faults[at];
      if (at < chosen) {
        shadowed.push({ skill, winner, reason: `it is unusable: ${fault}` });
        diagnostics.push(
          about(
            skill,
            'SKILL_WINNER_UNUSABLE',
            `unusable (${fault}), so "${name}" is taken from ${winner.file}`,
          ),
        );
      } else {
        const reason = whyAbove(winner, skill);
        shadowed.push({ skill, winner, reason });
        diagnostics.push(about(skill, 'SKILL_SHADOWED', `"${name}" is taken from ${winner.file}: ${reason}`));
      }
    }
  }
  append(diagnostics, findLookAlikes(byName));
  // A winner stands where the first of its name stood.
  const skills = [...byName.values()];
  return { skills: isInOrder ? skills : skills.sort(byNameOrder), byName, shadowed, diagnostics };
}

function whyAbove(winner: FoundSkill, loser: FoundSkill): string {
  if (winner.source !== loser.source) return `${winner.source} comes before ${loser.source}`;
  if (winner.root.path !== loser.root.path) return `${winner.root.path} comes before ${loser.root.path}`;
  return 'it comes first in the same root';
}

function about(skill: FoundSkill, code: DiagnosticCode, message: string): Diagnostic {
  return { code, severity: severityOf(code), path: skill.file, span: null, message, hint: null };
}

function byNameOrder(a: FoundSkill, b: FoundSkill): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

// Names that a reader would mistake for one another.
//
//   the winning skills, by name -> NAME_LOOKALIKE for each that looks like another
//
// Two names look alike when they are equal after NFKC, a small table of letters that are drawn like Latin ones, and lower
// case. Digits that resemble letters (0 and o, 1 and l) do not count: they are too common in names. A name in lower-case
// ASCII is its own skeleton, so only other names are converted.

const plain = /^[\x20-\x40\x5b-\x7e]*$/;

/** Drawn alike -> the ASCII characters in the same order. */
const tables: readonly (readonly [string, string])[] = [
  // Cyrillic, small and capital
  [
    '\u0430\u0441\u0435\u04bb\u0456\u0458\u043a\u04cf\u043e\u0440\u051b\u0455\u0443\u0445\u0501\u051d\u0475',
    'acehijklopqsyxdwv',
  ],
  [
    '\u0410\u0412\u0421\u0415\u041d\u0406\u0408\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u0423',
    'abcehijkmopstxy',
  ],
  // Greek, small and capital
  ['\u03b1\u03b3\u03b9\u03ba\u03bd\u03bf\u03c1\u03c5\u03c7', 'ayikvopux'],
  ['\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7', 'abezhikmnoptyx'],
  // Dotless i, script g, alpha; hyphens, dashes, minus
  ['\u0131\u0261\u0251\u2010\u2012\u2013\u2212', 'iga----'],
];
const drawnAs: ReadonlyMap<string, string> = new Map(
  tables.flatMap(([from, to]) => Array.from(from, (letter, at): [string, string] => [letter, to.charAt(at)])),
);

function drawn(text: string): string {
  return Array.from(text, (letter) => drawnAs.get(letter) ?? letter).join('');
}

/** What `name` looks like, in capitals as they are written and in small letters: some look like others only in one. */
function skeletonsOf(name: string): readonly string[] {
  const composed = name.normalize('NFKC');
  return [drawn(composed).toLowerCase(), drawn(composed.toLowerCase())];
}

/** `skills` has one for each name. */
function findLookAlikes(skills: ReadonlyMap<string, FoundSkill>): readonly Diagnostic[] {
  // One search through all names: nearly always there is nothing to find.
  if (plain.test([...skills.keys()].join(' '))) return [];
  const odd = [...skills.values()].filter(({ name }) => !plain.test(name));
  const first = new Map<string, FoundSkill>();
  const diagnostics: Diagnostic[] = [];
  for (const skill of odd) {
    const skeletons = skeletonsOf(skill.name);
    const other = skeletons
      .map((skeleton) => skills.get(skeleton) ?? first.get(skeleton))
      .find((found) => found !== undefined && found !== skill);
    for (const skeleton of skeletons) if (!first.has(skeleton)) first.set(skeleton, skill);
    if (other === undefined) continue;
    diagnostics.push({
      code: 'NAME_LOOKALIKE',
      severity: severityOf('NAME_LOOKALIKE'),
      path: skill.file,
      span: null,
      message: `the name "${skill.name}" looks like "${other.name}" of ${other.file}, but is another`,
      hint: 'rename one of them, or remove the one you do not know',
    });
  }
  return diagnostics;
}

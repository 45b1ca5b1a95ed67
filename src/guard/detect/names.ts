// Finds names that are easily taken for another: a letter off, or a letter that looks the same.
//
//   the name of the skill, the names people know -> the name it can be taken for
import { nearest } from '../../base/nearest.ts';
import type { Detector } from '../detector.ts';
import { foldCharacter } from '../view/confusables.ts';

/** Names of skills and tools that squatters imitate. */
export const wellKnownNames: readonly string[] =
  'clawhub openclaw clawdbot moltbot skill-creator mcp-builder frontend-design webapp-testing canvas-design brand-guidelines algorithmic-art internal-comms slack-gif-creator theme-factory web-artifacts-builder artifacts-builder find-skills agent-browser react-best-practices web-design-guidelines supabase-postgres-best-practices remotion-best-practices vercel-deploy systematic-debugging test-driven-development writing-plans executing-plans brainstorming subagent-driven-development doc-coauthoring'.split(
    ' ',
  );

const shortest = 6;

/** `known`: also the names of shipped and installed skills. */
export function createNameDetector(known: readonly string[]): Detector {
  const names = new Set(
    [...wellKnownNames, ...known].map((name) => name.toLowerCase()).filter((name) => name.length >= shortest),
  );
  return {
    name: 'names',
    findInSkill(skill, report) {
      for (const name of new Set([skill.name, skill.head?.declaredName ?? skill.name])) {
        const lower = name
          .normalize('NFC')
          .toLowerCase()
          .trim()
          .replaceAll(/[\s_]{1,4}/g, '-');
        if (names.has(lower)) continue;
        const other = lookAlike(lower, names);
        if (other === null) continue;
        const main = skill.texts.find(({ path }) => path === 'SKILL.md');
        const start = Math.max(0, main?.raw.indexOf(name) ?? 0);
        report({
          rule: 'LOOKALIKE_NAME',
          path: main?.path ?? 'SKILL.md',
          start,
          end: start + name.length,
          decoded: null,
          hiddenBy: [],
          message: `The name is easily taken for "${other}".`,
        });
      }
    },
  };
}

/** The known name that `name` can be taken for; `null`: none. */
export function lookAlike(name: string, known: ReadonlySet<string>): string | null {
  const folded = foldLookAlikes(name);
  if (folded !== name && (known.has(folded) || /[a-z]/.test(name)))
    return known.has(folded) ? folded : (nearest(folded, known, 1) ?? folded);
  if (name.length < shortest) return null;
  const other = nearest(folded, known, 1);
  if (other !== null) return isVariant(folded, other) ? null : other;
  const bare = folded.replace(/[-.]?\d{1,3}$/, '');
  return bare !== folded && known.has(bare) ? bare : null;
}

/** A plural or a number at the end is how honest names differ. */
function isVariant(name: string, other: string): boolean {
  return name === `${other}s` || other === `${name}s`;
}

/** As a reader takes it: Latin letters for those that look like them. */
function foldLookAlikes(name: string): string {
  return Array.from(name, (letter) => {
    const point = letter.codePointAt(0) as number;
    return point < 128 ? letter : (foldCharacter(point) ?? letter);
  })
    .join('')
    .toLowerCase();
}

// Finds what sentences tell the agent to do.
//
//   each view of a text -> sentences -> the sentence patterns of all rules -> findings
//
// D1. A sentence that only talks about such things (quoted, in a table, under a heading about attacks) counts one step less. Whoever writes
//     the skill decides how a sentence looks, so a private file on its way to an address is never only talked about.
// D2. What was hidden is never only talked about: a hidden sentence counts in full.
import type { Detector, ScannedSkill, View } from '../detector.ts';
import type { Sentence } from '../prose/read-prose.ts';
import { readProse } from '../prose/read-prose.ts';
import type { SentencePattern } from '../prose/sentence-pattern.ts';
import { findInSentence, parseSentencePattern } from '../prose/sentence-pattern.ts';
import { isHidden } from './hidden.ts';
import { rules } from '../rules/rules.ts';
import { hostsIn, hostsOf, isMadeUp } from './hosts.ts';
import { isAboutSecurity, neverQuoted, shownAs } from './topic.ts';

const patterns: readonly { readonly rule: string; readonly patterns: readonly SentencePattern[] }[] =
  rules.flatMap(({ code, sentences }) =>
    sentences === undefined ? [] : [{ rule: code, patterns: sentences.map(parseSentencePattern) }],
  );

/** Rules whose sentences count inside of code blocks too. */
const strong: ReadonlySet<string> = new Set(
  rules.filter(({ severity }) => severity === 'high').map(({ code }) => code),
);

/** Languages whose texts are read as prose; of scripts only what was hidden in them. */
const proseLanguages = new Set(['markdown', 'text', 'html', 'json', 'yaml', 'toml', 'notebook']);

export const sentenceDetector: Detector = {
  name: 'sentences',
  findInText(text, skill, report, work) {
    const { kindOf } = hostsOf(skill);
    for (const view of text.views) {
      // Joined lines make sentences of lists and tables; patterns look at them, sentences would be made up.
      if (!proseLanguages.has(view.language) || isJoined(view)) continue;
      const hidden = isHidden(view);
      for (const sentence of readProse(view.text, kindOf, work)) {
        if (sentence.concepts.size < 2) continue;
        work.charge(patterns.length * 4);
        for (const { rule, patterns: ways } of patterns) {
          const positions = firstMatch(ways, sentence);
          if (positions === null) continue;
          const mentioned =
            !hidden &&
            !(neverQuoted.has(rule) && !sentence.concepts.has('ATTACKER')) &&
            !givesAway(rule, sentence, view.text) &&
            isMentioned(sentence, positions, skill, strong.has(rule));
          report({
            rule,
            path: text.path,
            start: view.rawOffset(sentence.start),
            end: view.rawOffset(sentence.end),
            decoded: decodedOf(view, sentence),
            hiddenBy: view.hiddenBy,
            ...(mentioned
              ? { severity: isExplained(sentence, positions) ? ('low' as const) : shownAs(rule) }
              : hidden
                ? { severity: 'high' as const }
                : {}),
          });
        }
      }
    }
  },
};

/** A file of secrets and an address that somebody has, in one sentence: no example needs a real one. */
function givesAway(rule: string, { concepts, start, end }: Sentence, text: string): boolean {
  if (rule !== 'EXFIL_INSTRUCTION' || !concepts.has('SECRET_FILE') || !concepts.has('URL')) return false;
  return [...hostsIn(text.slice(start, end))].some(({ host }) => !isMadeUp(host));
}

/** Put together from lines or literals. */
function isJoined(view: View): boolean {
  return view.hiddenBy.includes('split-lines') || view.hiddenBy.includes('split-literals');
}

function decodedOf(view: View, sentence: Sentence): string | null {
  return view.kind === 'raw' ? null : view.text.slice(sentence.start, sentence.end);
}

function firstMatch(ways: readonly SentencePattern[], sentence: Sentence): readonly number[] | null {
  for (const way of ways) {
    const positions = findInSentence(way, sentence);
    if (positions !== null) return positions;
  }
  return null;
}

/** Quoted, in a sentence that speaks of attacks. */
function isExplained({ words, concepts }: Sentence, positions: readonly number[]): boolean {
  return concepts.has('ATTACKER') && positions.every((at) => words[at]?.quoted === true);
}

/** Talks about the thing rather than telling the agent to do it. */
function isMentioned(
  sentence: Sentence,
  positions: readonly number[],
  skill: ScannedSkill,
  isStrong: boolean,
): boolean {
  const { words, kind, around, concepts } = sentence;
  if (kind === 'row' || (kind === 'fence' && !isStrong)) return true;
  if (positions.length > 0 && positions.every((at) => words[at]?.quoted === true)) return true;
  const warned = around.has('ATTACKER') || concepts.has('ATTACKER');
  if (kind === 'item' && around.has('NOT')) return true;
  if (warned && (kind !== 'text' || concepts.has('ATTACKER'))) return true;
  return isAboutSecurity(skill) && kind !== 'text';
}

// Finds what sentences tell the agent to do.
//
//   each view of a text -> sentences -> the sentence patterns of all rules -> findings
//
// D1. A sentence that only talks about such things (quoted, in a table, under a heading about attacks) counts one step less. Whoever writes
//     the skill decides how a sentence looks, so a private file on its way to an address is never only talked about.
// D2. What was hidden is never only talked about: a hidden sentence counts in full.
// D3. What no pattern knows is weighed by its signs (prose/weigh/); of one passage the findings of patterns are enough.
import type { Detector, ScannedSkill, View } from '../detector.ts';
import type { Sentence } from '../prose/read-prose.ts';
import { readProse } from '../prose/read-prose.ts';
import type { SentencePattern } from '../prose/sentence-pattern.ts';
import { PatternIndex, findInSentence, parseSentencePattern } from '../prose/sentence-pattern.ts';
import type { Passage } from '../prose/weigh/weigh-passages.ts';
import { weighPassages } from '../prose/weigh/weigh-passages.ts';
import { isHidden } from './hidden.ts';
import { rules } from '../rules/rules.ts';
import { hostsIn, hostsOf, isMadeUp } from './hosts.ts';
import { isAboutSecurity, neverQuoted, shownAs } from './topic.ts';

const patterns: readonly { readonly rule: string; readonly pattern: SentencePattern }[] = rules.flatMap(
  ({ code, sentences }) =>
    (sentences ?? []).map((source) => ({ rule: code, pattern: parseSentencePattern(source) })),
);
const index = new PatternIndex(patterns.map(({ pattern }) => pattern));

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
      const sentences = readProse(view.text, kindOf, work);
      const reported = new Set<Sentence>();
      for (const sentence of sentences) {
        if (sentence.concepts.size < 2) continue;
        work.charge(patterns.length * 4);
        for (const { rule, positions } of matches(sentence)) {
          if (rule === 'UNUSUAL_ADDRESS' && isNamespace(view, sentence)) continue;
          const mentioned =
            !hidden &&
            !(neverQuoted.has(rule) && !sentence.concepts.has('ATTACKER')) &&
            !givesAway(rule, sentence, view.text) &&
            isMentioned(sentence, positions, skill, strong.has(rule));
          if (!mentioned) reported.add(sentence);
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
      // A part of a text has no rest that it could be compared with, unless it was hidden: then it should have none.
      const isWhole = view.kind === 'raw' || view.kind === 'normalised';
      if (!weighedLanguages.has(view.language) || !(isWhole || hidden)) continue;
      work.charge(view.text.length * 4);
      for (const passage of weighPassages(sentences, threshold)) {
        const [first, last] = [passage.sentences[0] as Sentence, passage.sentences.at(-1) as Sentence];
        if (passage.sentences.some((sentence) => reported.has(sentence))) continue;
        report({
          rule: 'STEP_AGAINST_USER',
          path: text.path,
          start: view.rawOffset(first.start),
          end: view.rawOffset(last.end),
          decoded: view.kind === 'raw' ? null : view.text.slice(first.start, last.end),
          hiddenBy: view.hiddenBy,
          message: messageOf(passage),
        });
      }
    }
  },
};

/** Of the honest skills that were left out of training, fewer than one in a hundred has a passage above it. */
const threshold = 0.3;

const weighedLanguages = new Set(['markdown', 'text']);

/** What the passage says, as far as signs have words for it. */
function messageOf({ signs }: Passage): string {
  const says = new Set(
    signs.flatMap(({ acts, takings }) => [...acts, ...takings].flatMap((one) => one.says ?? [])),
  );
  const listed = [...says].slice(0, 4);
  const end = listed.length === 0 ? '' : `: it ${listed.join(', ')}`;
  return `Taken together, the words of this step speak against the person the agent works for${end}.`;
}

/** The address of a schema of XML is a name: nothing is loaded from it. */
function isNamespace({ language, text }: View, { start, end }: Sentence): boolean {
  return (
    language === 'html' &&
    /\b(?:xmlns(?::\w{1,20})?|namespace|schemaLocation) ?=/.test(text.slice(start, end))
  );
}

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

/** Each rule once, with what its first pattern that matches goes by. */
function* matches(
  sentence: Sentence,
): Generator<{ readonly rule: string; readonly positions: readonly number[] }> {
  const can = index.candidates(sentence);
  let last = '';
  for (const [at, { rule, pattern }] of patterns.entries()) {
    if (can[at] === 0 || rule === last) continue;
    const positions = findInSentence(pattern, sentence);
    if (positions === null) continue;
    last = rule;
    yield { rule, positions };
  }
}

/** Quoted, in a sentence that speaks of attacks. */
function isExplained({ words, concepts }: Sentence, positions: readonly number[]): boolean {
  return concepts.has('ATTACKER') && positions.every((at) => words[at]?.quoted === true);
}

const places = ['UNKNOWN_HOST', 'EMAIL', 'CATCHER', 'ADDRESS'];

/** Talks about the thing rather than telling the agent to do it. */
function isMentioned(
  sentence: Sentence,
  positions: readonly number[],
  skill: ScannedSkill,
  isStrong: boolean,
): boolean {
  const { words, kind, around, concepts } = sentence;
  // A row that names where something goes says more than a row of a list of attacks needs to.
  const namesPlace = places.some((place) => concepts.has(place)) && !concepts.has('ATTACKER');
  if ((kind === 'row' && (!namesPlace || around.has('ATTACKER'))) || (kind === 'fence' && !isStrong))
    return true;
  if (positions.length > 0 && positions.every((at) => words[at]?.quoted === true)) return true;
  const warned = around.has('ATTACKER') || concepts.has('ATTACKER');
  if (kind === 'item' && around.has('NOT')) return true;
  if (warned && (kind !== 'text' || concepts.has('ATTACKER'))) return true;
  return isAboutSecurity(skill) && kind !== 'text';
}

// A compiled trigger and the words of a message -> where it fits, and the values of its variables.
//
// Words fit in order, by stem; a word of five letters or more also with one typo (spellings.ts). Between them may stand any determiners and politeness, and up to `limits.inserted` other
// words that start no new thought; in Chinese a number with its measure word, or a modifier that ends in 的. A fit never
// crosses the end of a clause, nor a comma, unless the trigger does or the comma separates politeness. A variable takes
// at least one word: up to the next word of the trigger, the end of the sentence, or what starts another thought: a
// comma with thanks or a new clause, "and tell me …"; after a colon of the trigger, up to the end of the sentence. It never ends inside a hyphenated word, unless the trigger fits in
// no other way. A trigger without its first verb (compile-trigger.ts) fits only where it opens a sentence, and where nothing but its details
// follow it. A trigger costs at most `limits.steps` steps, whatever the message holds.
import { stem } from '../text/stem.ts';
import type { CompiledTrigger, TriggerLiteral } from './compile-trigger.ts';
import type { Word } from './message-words.ts';
import { gaps } from './message-words.ts';
import {
  determiners,
  hanAfterVerb,
  hanBreak,
  hanFiller,
  hanJoin,
  hanThought,
  makes,
  parting,
  politeness,
  prepositions,
  pronouns,
  startsRequest,
  wants,
  works,
} from './word-classes.ts';
import { wordList } from '../text/unfold.ts';
import type { Shape } from './shapes.ts';
import { shapesOf, tellingOf } from './shapes.ts';

export interface Fit {
  /** From the first to the last word of the trigger's own; a variable before or after them is outside. */
  readonly start: number;
  readonly end: number;
  /** Where a variable at the end may stop: after each of its words, up to a comma; none of one after a colon, which is content. */
  readonly ends: readonly number[];
  readonly variables: readonly { readonly name: string; readonly start: number; readonly end: number }[];
  /** Words that stood between, and words that were misspelt or others of the same use. */
  readonly inserted: number;
}

export const fitLimits = { inserted: 3, modifier: 14, variable: 40, steps: 4000, fits: 8 } as const;

/** `on`: the next word, or after words that may stand between; `aside`: the same, and a comma before it parts only politeness off; `here`: this very word. */
type Where = 'on' | 'aside' | 'here';

interface State {
  steps: number;
  readonly words: readonly Word[];
  parts: Shape['parts'];
}

interface Ending {
  readonly at: number;
  readonly inserted: number;
  readonly variables: readonly { readonly name: string; readonly from: number; readonly to: number }[];
}

/** Every place where it fits, first to last, at most `limits.fits`. */
export function fitTrigger(trigger: CompiledTrigger, words: readonly Word[]): readonly Fit[] {
  const state: State = { steps: 0, words, parts: trigger.parts };
  const shapes = shapesOf(trigger);
  const found: Fit[] = [];
  for (
    let from = 0;
    from < words.length && found.length < fitLimits.fits && state.steps < fitLimits.steps;
    from += 1
  ) {
    const fitted = fitShapes(state, shapes, from);
    if (fitted === null) continue;
    const { ending, parts } = fitted;
    const first = parts[0];
    const piece = parts.at(-1);
    const last = piece?.kind === 'variable' ? ending.variables.at(-1) : undefined;
    found.push({
      start: (words[first?.kind === 'variable' ? (ending.variables[0]?.to ?? from) : from] as Word).start,
      end: (words[(last?.from ?? ending.at) - 1] as Word).end,
      ends: last === undefined || piece?.gap === gaps.end ? [] : endsOf(words.slice(last.from, last.to)),
      variables: ending.variables.map(({ name, from: a, to }) => ({
        name,
        start: (words[a] as Word).start,
        // 查北京的天气: 北京
        end: (words[to - (to < ending.at && to - a > 1 && words[to - 1]?.text === '的' ? 2 : 1)] as Word).end,
      })),
      inserted: ending.inserted,
    });
    from = Math.max(from, ending.at - 1);
  }
  return found;
}

interface Fitted {
  readonly ending: Ending;
  readonly parts: Shape['parts'];
}

/** In the first shape that fits from this word on. */
function fitShapes(state: State, shapes: readonly Shape[], from: number): Fitted | null {
  for (const { parts, begins, ends } of shapes) {
    if (!mayBegin(state.words, from, begins)) continue;
    state.parts = parts;
    const ending = fitFrom(state, 0, from, begins === null ? 0 : fitLimits.inserted, 'here');
    if (ending === null || !mayEnd(state.words, ending.at, ends)) continue;
    const isClause = begins === 'clause' || ends === 'asked';
    if (isClause && state.words.slice(from + 1, ending.at).some(({ gap }) => gap > gaps.none)) continue;
    return { ending, parts };
  }
  return null;
}

function mayBegin(words: readonly Word[], from: number, begins: Shape['begins']): boolean {
  if (begins === null) return true;
  if (begins === 'clause') return opensClause(words, from);
  let at = from;
  while (at > 0 && (words[at] as Word).gap < gaps.end && determiners.has((words[at - 1] as Word).text))
    at -= 1;
  if (at === 0 || (words[at] as Word).gap === gaps.end) return true;
  if (begins === 'opening') return false;
  while (at > 1 && politeness.has((words[at - 1] as Word).text)) at -= 1;
  const { text } = words[at - 1] as Word;
  return wants.has(text) || makes.has(text);
}

/** Also behind 把 and what asks politely: 麻烦把周报写一下. */
function opensClause(words: readonly Word[], from: number): boolean {
  if (hanOpenings.has((words[from] as Word).text)) return false;
  let at = from;
  while (at > 0 && (words[at] as Word).gap === gaps.none && hanOpenings.has((words[at - 1] as Word).text))
    at -= 1;
  return at === 0 || (words[at] as Word).gap > gaps.none;
}

function endsClause(words: readonly Word[], after: number): boolean {
  let to = after;
  let text = '';
  while (to < words.length && (words[to] as Word).gap === gaps.none) {
    text += (words[to] as Word).text;
    if (text.length > 4) return false;
    to += 1;
  }
  return text === '' || hanAfterVerb.test(text);
}

function mayEnd(words: readonly Word[], after: number, ends: Shape['ends']): boolean {
  if (ends === null) return true;
  if (ends === 'clause') return endsClause(words, after);
  if (ends === 'asked') return words[after - 1]?.asked === true;
  const at = pronouns.has(words[after]?.text ?? '') ? after + 1 : after;
  const next = words[at];
  if (next === undefined) return ends !== 'another';
  if (next.gap === gaps.end || politeness.has(next.text)) return !next.colon || ends !== 'another';
  return ends === 'details' && (next.gap > 0 || detail.has(next.text));
}

/** 帮我, 麻烦你, 请 and 把 before what is to be done. */
const hanOpenings = new Set(wordList`把 将 请 帮 我 们 给 麻 烦 你 您 再 先 那 就`);

function endsOf(words: readonly Word[]): readonly number[] {
  const comma = words.findIndex(({ gap }, at) => at > 0 && gap > 0);
  return words
    .slice(0, comma < 0 ? words.length : comma)
    .filter(({ text }) => !subjects.has(text))
    .map(({ end }) => end);
}

/** What follows them is said of them: "… so that I don't forget". */
const subjects = new Set(wordList`i we you he she it they that so and but who`);

/** "… since Monday" */
const detail = new Set(
  wordList`for on of about against before after between from since until using with without in at by to as and`,
);

function fitFrom(state: State, part: number, at: number, inserted: number, where: Where): Ending | null {
  state.steps += 1;
  if (state.steps > fitLimits.steps) return null;
  const { words, parts } = state;
  const piece = parts[part];
  if (piece === undefined) return { at, inserted, variables: [] };
  if (piece.kind === 'variable') return fitVariable(state, part, at, inserted);
  if (piece.optional) {
    const without = fitFrom(state, part + 1, at, inserted, where);
    if (without !== null) return without;
  }
  const word = words[at];
  if (word === undefined) return null;
  if (where !== 'on' || word.gap <= piece.gap || (word.colon && piece.light)) {
    const taken = takeLiteral(state, part, piece, at, inserted);
    if (taken !== null) return taken;
  }
  if (piece.light && part > 0) {
    const light = takeLight(state, part, at, inserted);
    if (light !== null) return light;
  }
  return where === 'here' ? null : skipWord(state, part, piece, at, inserted, where);
}

function takeLiteral(
  state: State,
  part: number,
  piece: TriggerLiteral,
  at: number,
  inserted: number,
): Ending | null {
  const { words, parts } = state;
  const word = words[at] as Word;
  // 部 counts phones in "14 部手机", and begins another word in "1.14 部署".
  const isSame = word.stem === piece.stem || (word.alone && word.text === piece.text);
  const isAlike = word.near?.has(piece.stem) === true || piece.alike?.has(word.stem) === true;
  if (isSame || isAlike) {
    const rest = fitFrom(state, part + 1, at + 1, inserted + (isSame ? 0 : 1), 'on');
    if (rest !== null) return rest;
  }
  if (word.alone) return null;
  // "code review" for "codereview".
  let joined = word.text;
  for (let next = at + 1; next < at + 4 && next < words.length && piece.text.startsWith(joined); next += 1) {
    const more = words[next] as Word;
    if (more.gap > 0 || more.alone) break;
    joined += more.text;
    if (stem(joined) === piece.stem) {
      const rest = fitFrom(state, part + 1, next + 1, inserted, 'on');
      if (rest !== null) return rest;
    }
  }
  // "voiceover" for "voice over".
  const following = parts[part + 1];
  if (following?.kind === 'literal' && !following.alone && word.stem === stem(piece.text + following.text))
    return fitFrom(state, part + 2, at + 1, inserted, 'on');
  return null;
}

/** Another preposition in the place of one, or a colon; neither where much else is said. */
function takeLight(state: State, part: number, at: number, inserted: number): Ending | null {
  const { words, parts } = state;
  const word = words[at] as Word;
  const isBeforeVariable = parts[part + 1]?.kind === 'variable';
  if (prepositions.has(word.text) && word.gap === 0)
    return fitFrom(state, part + 1, at + 1, inserted + 1, 'on');
  if (isBeforeVariable && !word.colon) return null;
  return isBeforeVariable || tellingOf(parts) > 2 ? fitFrom(state, part + 1, at, inserted + 1, 'on') : null;
}

function skipWord(
  state: State,
  part: number,
  piece: TriggerLiteral,
  at: number,
  inserted: number,
  where: Where,
): Ending | null {
  const word = state.words[at] as Word;
  if (word.gap === gaps.end) return null;
  if (word.alone) return skipHan(state, part, at, inserted);
  const polite = politeness.has(word.text);
  if (word.gap === gaps.comma && !polite && where !== 'aside') return null;
  if (polite) return fitFrom(state, part, at + 1, inserted, 'aside');
  if (determiners.has(word.text)) return fitFrom(state, part, at + 1, inserted, 'on');
  // "what has changed" for "what changed".
  if (piece.light && pronouns.has(word.text)) return fitFrom(state, part, at + 1, inserted, 'on');
  const isPerfect = /^(?:has|have|had)$/.test(word.text) && /(?:ed|en)$/.test(piece.text);
  if (inserted >= fitLimits.inserted || (parting.has(word.text) && !isPerfect) || piece.alone) return null;
  // "the release notes for 2.4" is no "release of {version}": a word before a preposition makes another thing of it, unless all else is as said.
  if (prepositions.has(piece.text) && (inserted > 0 || state.words[at + 1]?.text !== piece.text)) return null;
  return fitFrom(state, part, at + 1, inserted + 1, 'on');
}

function skipHan(state: State, part: number, at: number, inserted: number): Ending | null {
  const { words } = state;
  // A number with its measure word, and the like.
  let to = at;
  while (
    to < words.length &&
    to - at < 6 &&
    (words[to] as Word).alone &&
    (words[to] as Word).gap === 0 &&
    hanFiller.has((words[to] as Word).text)
  ) {
    to += 1;
    const rest = fitFrom(state, part, to, inserted, 'here');
    if (rest !== null) return rest;
  }
  if (inserted >= fitLimits.inserted) return null;
  // 审核这份租房合同 for 审核合同: a short modifier between a verb and its thing.
  if (part > 1 && state.parts.length - part > 1)
    for (const end = to + mostModifier; to < end && isModifier(words[to]); to += 1) {
      const rest = fitFrom(state, part, to + 1, inserted + 1, 'here');
      if (rest !== null) return rest;
    }
  for (
    to = at;
    to < words.length &&
    to - at < fitLimits.modifier &&
    (words[to] as Word).gap !== gaps.end &&
    (words[to] as Word).gap !== gaps.comma;
    to += 1
  ) {
    if ((words[to] as Word).text !== '的') continue;
    const rest = fitFrom(state, part, to + 1, inserted + 1, 'here');
    if (rest !== null) return rest;
  }
  return null;
}

const mostModifier = 3;

function isModifier(word: Word | undefined): boolean {
  return word !== undefined && word.alone && word.gap === gaps.none && !hanBreak.has(word.text);
}

function fitVariable(state: State, part: number, begin: number, inserted: number): Ending | null {
  const { words, parts } = state;
  const at = part > 0 && isABit(words, begin) ? begin + 2 : begin;
  const piece = parts[part];
  if (
    piece?.kind !== 'variable' ||
    words[at] === undefined ||
    (part > 0 && (words[at] as Word).gap > Math.max(piece.gap, gaps.comma) && !(words[at] as Word).colon)
  )
    return null;
  if (part === parts.length - 1) {
    const to = variableEnd(words, at, piece.name, (words[at] as Word).gap === gaps.end && part > 0);
    return { at: to, inserted, variables: [{ name: piece.name, from: at, to }] };
  }
  const longest = Math.min(words.length, at + fitLimits.variable);
  for (const insideWords of [false, true]) {
    for (let to = at + 1; to < longest && (words[to] as Word).gap !== gaps.end; to += 1) {
      if ((words[to] as Word).hyphened !== insideWords) continue;
      const rest = fitFrom(state, part + 1, to, inserted, 'here');
      if (rest !== null)
        return { ...rest, variables: [{ name: piece.name, from: at, to }, ...rest.variables] };
    }
  }
  return null;
}

/** 查一下北京的天气 */
function isABit(words: readonly Word[], at: number): boolean {
  return words[at]?.text === '一' && words[at + 1]?.text === '下' && words[at + 2]?.gap === gaps.none;
}

/** Where a variable at the end of a trigger stops, as a person would stop it. */
function variableEnd(words: readonly Word[], at: number, name: string, isContent: boolean): number {
  let to = at + 1;
  const longest = Math.min(words.length, at + fitLimits.variable);
  const isName = !isContent && proper.test(name);
  const goesOn = (next: number): boolean =>
    (words[next] as Word).gap !== gaps.end &&
    (isContent || !startsThought(words, next)) &&
    !(isName && aroundNames.has((words[next] as Word).text));
  while (to < longest && goesOn(to)) to += 1;
  const text = (place: number): string => words[place]?.text ?? '';
  while (
    to > at + 1 &&
    (politeness.has(text(to - 1)) ||
      text(to - 1) === 'for' ||
      (text(to - 1) === 'right' && text(to) === 'now'))
  )
    to -= 1;
  return to;
}

/** Variables that hold a name: "call {person}" has "Dr. Khan" of "call Dr. Khan about the lease". */
const proper =
  /(?:^|[_-])(?:person|people|whom?|name|recipient|contact|client|customer|colleague|friend|city|town|country|place|location|destination|region|airport|station|company|currency|language)$/i;
const aroundNames = new Set(wordList`
  about for in on at by with before after from since until regarding concerning re because when while if
  today tomorrow tonight
`);

const joins = new Set(wordList`and then & und dann et puis y`);
const objects = new Set(wordList`me us it them him mir uns`);
const few = 3;

function startsThought(words: readonly Word[], at: number): boolean {
  const { gap, text, alone } = words[at] as Word;
  const ahead = (from: number): string => words[from]?.text ?? '';
  if (alone && hanThought.test(hanAhead(words, at))) return gap === gaps.comma || hanJoin.has(text);
  if (gap === gaps.comma && (parting.has(text) || politeness.has(text))) return true;
  if (!joins.has(text)) return false;
  let next = at + 1;
  while (next < at + few && (joins.has(ahead(next)) || politeness.has(ahead(next)))) next += 1;
  if ((words[next]?.gap ?? gaps.end) === gaps.end) return false;
  // "and tell me", "and then I", "and save the rest", but not "and Roscoff", nor "and me".
  return (
    startsRequest.has(ahead(next)) ||
    (objects.has(ahead(next + 1)) && !parting.has(ahead(next))) ||
    (works.has(ahead(next)) && determiners.has(ahead(next + 1)))
  );
}

function hanAhead(words: readonly Word[], at: number): string {
  return words
    .slice(at, at + few)
    .map(({ text }) => text)
    .join('');
}

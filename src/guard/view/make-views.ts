// All ways to read a text, made once for all detectors.
//
//   text -> raw, normalised, joined, literals, and a fragment for each part that was hidden or encoded, layer by layer
//
// V1. Every offset of a view leads to a place of the raw text.
// V2. Bounded: five layers, one mebibyte of decoded text, a number of fragments. What goes beyond is a gap, never silently left out.
// V3. What a person does not see as a model reads it is noted, with what the model reads.
import type { Inflate, Gap } from '../classify/classify.ts';
import type { HiddenText, Language, View, ViewKind, Work } from '../detector.ts';
import { decodedParts } from './decode.ts';
import { disguisedLines } from './disguised-lines.ts';
import { guessLanguage } from './guess-language.ts';
import { hiddenParts, maxParts } from './hidden-markup.ts';
import { invisibleRuns } from './invisible.ts';
import { joinLiterals, joinProse } from './join.ts';
import type { Mapped } from './mapped-text.ts';
import { decodedPart, unchanged, within } from './mapped-text.ts';
import { normalise } from './normalise.ts';

export interface MadeViews {
  readonly views: readonly View[];
  readonly hidden: readonly HiddenText[];
  readonly gap: Gap | null;
}

const maxLayers = 5;
const maxDecoded = 1024 * 1024;
const maxFragments = 400;
const maxNotes = 4000;
/** What the making of all views costs for each character, in units of one look. */
const costPerCharacter = 20;

const partRules = {
  'html-comment': 'HIDDEN_COMMENT',
  'markdown-comment': 'HIDDEN_COMMENT',
  'hidden-style': 'HIDDEN_STYLE',
  padding: 'HIDDEN_PADDING',
} as const;

export function makeViews(text: string, language: Language, inflate: Inflate, work: Work): MadeViews {
  const views: View[] = [];
  const hidden: HiddenText[] = [];
  const seen = new Set<string>();
  let decoded = 0;
  let fragments = 0;
  let gap: Gap | null = null;

  readLayer(unchanged(text), language, [], 0);
  return { views, hidden, gap };

  function readLayer(layer: Mapped, tongue: Language, hiddenBy: readonly string[], depth: number): void {
    const own = layer.text;
    work.charge(own.length * costPerCharacter);
    const kindOf = (kind: ViewKind): ViewKind => (depth === 0 ? kind : 'fragment');
    const add = (kind: ViewKind, mapped: Mapped, ways: readonly string[], as: Language = tongue): void => {
      views.push(viewOf(kindOf(kind), mapped, [...hiddenBy, ...ways], as));
    };
    const note = (one: HiddenText): void =>
      keep({ ...one, start: layer.rawOffset(one.start), end: layer.rawOffset(one.end) });
    add('raw', layer, []);
    const plain = normalise(own, tongue, note);
    const normal = plain === null ? layer : within(layer, plain.mapped);
    if (plain !== null) add('normalised', normal, plain.ways);
    const prose = joinProse(normal.text);
    if (prose !== null) add('joined', within(normal, prose), [...(plain?.ways ?? []), 'split-lines']);
    const literal = joinLiterals(normal.text);
    const literals = literal === null ? null : within(normal, literal.mapped);
    if (literals !== null) add('literals', literals, [...(plain?.ways ?? []), ...(literal?.ways ?? [])]);

    for (const run of invisibleRuns(own))
      if (run.spelled !== '' && !run.usual)
        fragment(
          within(layer, decodedPart(run.spelled, run.start, run.end)),
          [...hiddenBy, [...run.ways].join('+')],
          depth,
        );
    if (/\u202E[^\u202C\n]{2000}/.test(own))
      gap ??= { reason: 'timed-out', message: 'it has more text in the other direction than is read' };
    for (const part of mirroredParts(own))
      fragment(within(layer, decodedPart(part.text, part.start, part.end)), [...hiddenBy, 'bidi'], depth);
    const parts = hiddenParts(normal.text, tongue === 'markdown' || tongue === 'html');
    if (parts.length >= maxParts)
      gap ??= { reason: 'timed-out', message: 'it hides more parts than are read' };
    for (const { way, start, end } of parts) {
      const inside = sliceOf(normal, start, end);
      const joined = joinProse(inside.text);
      const shown = joined === null ? inside : within(inside, joined);
      views.push(viewOf('fragment', shown, [...hiddenBy, way], tongue));
      keep({
        rule: partRules[way],
        way,
        start: inside.rawOffset(0),
        end: inside.rawOffset(inside.text.length),
        decoded: shown.text.trim(),
      });
    }
    for (const { text: line, way, start, end } of disguisedLines(normal.text)) {
      const rule = way === 'spaced-letters' ? 'HIDDEN_SPACED_LETTERS' : 'HIDDEN_DISGUISE';
      const part = within(normal, decodedPart(line, start, end));
      keep({ rule, way, start: part.rawOffset(0), end: normal.rawOffset(end), decoded: line.trim() });
      fragment(part, [...hiddenBy, way], depth);
    }
    const bases = [layer, ...(plain === null ? [] : [normal]), ...(literals === null ? [] : [literals])];
    for (const base of bases)
      for (const part of decodedParts(base.text, inflate, maxDecoded))
        fragment(
          within(base, decodedPart(part.text, part.start, part.end)),
          [...hiddenBy, ...part.ways],
          depth,
        );
  }

  function keep(one: HiddenText): void {
    if (hidden.length < maxNotes) hidden.push(one);
    else gap ??= { reason: 'timed-out', message: 'it hides more parts than are noted' };
  }

  function fragment(part: Mapped, hiddenBy: readonly string[], depth: number): void {
    const key = `${hiddenBy.at(-1)}\0${part.text}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (depth >= maxLayers || decoded + part.text.length > maxDecoded || fragments >= maxFragments) {
      gap ??= { reason: 'timed-out', message: 'it holds more encoded text than is decoded' };
      return;
    }
    decoded += part.text.length;
    fragments += 1;
    readLayer(part, guessLanguage(part.text), hiddenBy, depth + 1);
  }
}

export function viewOf(
  kind: ViewKind,
  mapped: Mapped,
  hiddenBy: readonly string[],
  language: Language,
): View {
  return { kind, text: mapped.text, hiddenBy, language, rawOffset: (offset) => mapped.rawOffset(offset) };
}

function sliceOf(mapped: Mapped, start: number, end: number): Mapped {
  return { text: mapped.text.slice(start, end), rawOffset: (offset) => mapped.rawOffset(start + offset) };
}

/** The text between a right-to-left override and its end is shown backwards. */
function* mirroredParts(
  text: string,
): Generator<{ readonly text: string; readonly start: number; readonly end: number }> {
  for (let at = text.indexOf('\u202E'); at !== -1;) {
    const part = /^[^\u202C\n]{1,2000}/.exec(text.slice(at + 1, at + 2001))?.[0] ?? '';
    if (part.length > 3)
      yield { text: Array.from(part).toReversed().join(''), start: at + 1, end: at + 1 + part.length };
    // What is inside of it was read with it.
    at = text.indexOf('\u202E', at + 1 + part.length);
  }
}

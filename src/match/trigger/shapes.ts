// A compiled trigger -> the orders in which people say it.
//
//   "write a brief for {project}"   as it is:     write [a] brief for <project>
//                                   its thing:    brief for <project>             opens a sentence, or is wanted; nothing follows
//                                   turned:       brief for <project> write [it]  opens a sentence; nothing follows
//                                   done to it:   brief written for <project>     is wanted
//                                   left open:    write [a] brief                 nothing follows
//   "review the contract"           named:        review of [the] contract        opens a sentence, or is wanted
//   "guest list sorter"             done:         sort [the] guest list
//
//   规划{地点}行程, 写周报            turned:       {地点}行程规划, 周报写           opens a clause, also after 把; only 一下 and the like follow
//                                   its thing:    {地点}行程, 周报                 opens a sentence; a question mark follows
//
// A shape that says less than the trigger has at least two telling words, so that no word alone stands for a trigger.
import { stem } from '../text/stem.ts';
import {
  type CompiledTrigger,
  type TriggerLiteral,
  type TriggerVariable,
  hanVerb,
  isDoer,
} from './compile-trigger.ts';
import { gaps } from './message-words.ts';
import { drafted, makes, parting, participles } from './word-classes.ts';

type Part = TriggerLiteral | TriggerVariable;

export interface Shape {
  readonly parts: readonly Part[];
  /** Where it may begin: `opening` a sentence, or also after a word that wants it; null is anywhere. */
  readonly begins: 'opening' | 'clause' | 'wanted' | null;
  /** What may follow: `details`, the end of the `sentence`, its question mark (`asked`), the end of a Chinese `clause`, or only `another` sentence; null is anything. */
  readonly ends: 'details' | 'sentence' | 'asked' | 'clause' | 'another' | null;
}

const of: TriggerLiteral = {
  kind: 'literal',
  text: 'of',
  stem: 'of',
  alone: false,
  optional: false,
  light: true,
  alike: null,
  gap: 0,
};

const known = new WeakMap<CompiledTrigger, readonly Shape[]>();

export function shapesOf(trigger: CompiledTrigger): readonly Shape[] {
  let shapes = known.get(trigger);
  if (shapes === undefined) known.set(trigger, (shapes = readShapes(trigger.parts)));
  return shapes;
}

function readShapes(parts: readonly Part[]): readonly Shape[] {
  const shapes: Shape[] = [{ parts, begins: null, ends: null }, ...hanShapes(parts)];
  const left = withoutEnd(parts);
  const [verb] = parts;
  const isLight = verb?.kind === 'literal' && (makes.has(verb.text) || parting.has(verb.text));
  const thing = parts.slice(isLight ? leadOf(parts) : 1).filter((part) => !isOptional(part));
  if (verb?.kind === 'literal' && thing[0]?.kind === 'literal') {
    if (isLight && tellingOf(thing) > 1) shapes.push({ parts: thing, begins: 'wanted', ends: 'details' });
    const named = thing.findIndex((part) => part.kind !== 'literal' || !particles.has(part.text));
    if (!isLight && !verb.alone && named >= 0 && tellingOf(parts) > 1)
      shapes.push({
        parts: [verb, ...thing.slice(0, named), of, ...thing.slice(named)],
        begins: 'wanted',
        ends: 'details',
      });
    if (makes.has(verb.text) || !parting.has(verb.text)) {
      shapes.push({ parts: [...thing, verb], begins: 'opening', ends: 'details' });
      const at = thing.findIndex((part) => part.kind === 'variable' || part.light);
      if (at !== 0 && !verb.alone)
        shapes.push({
          parts: at < 0 ? [...thing, done(verb)] : [...thing.slice(0, at), done(verb), ...thing.slice(at)],
          begins: 'wanted',
          ends: null,
        });
    }
  }
  const last = parts.at(-1);
  if (isDoer(last) && parts.length > 1)
    shapes.push({ parts: [last as TriggerLiteral, ...parts.slice(0, -1)], begins: null, ends: null });
  if (left.length < parts.length && tellingOf(left) > 1)
    shapes.push({ parts: left, begins: null, ends: parts.at(-1)?.gap === gaps.end ? 'another' : 'sentence' });
  return shapes;
}

function hanShapes(parts: readonly Part[]): readonly Shape[] {
  const verb = hanVerb(parts);
  if (verb === 0) return [];
  const thing = parts.slice(verb);
  return [
    { parts: [...thing, ...parts.slice(0, verb)], begins: 'clause', ends: 'clause' },
    { parts: thing, begins: 'opening', ends: 'asked' },
  ];
}

function done(verb: TriggerLiteral): TriggerLiteral {
  const participle = participles.get(verb.text);
  if (verb.alike !== null) return { ...verb, alike: drafted };
  return participle === undefined ? verb : { ...verb, text: participle, stem: stem(participle) };
}

/** They belong to the verb: "clean up". */
const particles = new Set(['up', 'off', 'out', 'down', 'back', 'through']);

/** Without a variable at the end, and the preposition before it. */
function withoutEnd(parts: readonly Part[]): readonly Part[] {
  if (parts.at(-1)?.kind !== 'variable') return parts;
  let end = parts.length - 1;
  for (let part = parts[end - 1]; part?.kind === 'literal' && part.light; part = parts[end - 1]) end -= 1;
  return parts.slice(0, end);
}

/** The verb that makes it, or the words that only ask: "what", "is this". */
function leadOf(parts: readonly Part[]): number {
  const [verb] = parts;
  if (verb?.kind === 'literal' && makes.has(verb.text)) return 1;
  return parts.findIndex((part) => !(part.kind === 'literal' && (part.light || part.optional)));
}

export function tellingOf(parts: readonly Part[]): number {
  return parts.reduce(
    (sum, part) =>
      sum + (part.kind === 'literal' && !part.light && !part.optional ? (part.alone ? 0.5 : 1) : 0),
    0,
  );
}

function isOptional(part: Part): boolean {
  return part.kind === 'literal' && part.optional;
}

// Advice on a skill that loads. Nothing here makes it unusable.
//
// A finding points at the field or item in the parsed frontmatter, never at the first text that looks like it. At most
// `referenceFindings` faults of references are listed; one line counts the rest.
import type { Report } from '../../base/diagnostic.ts';
import type { Span } from '../../base/span.ts';
import { findReferences } from '../body/parse-body.ts';
import { fieldOf, vendorKey } from '../fields/field-table.ts';
import type { Frontmatter } from '../frontmatter/read-frontmatter.ts';
import { isSafeRelativePath } from '../resources.ts';
import { foldedFieldOf } from '../fields/spelling.ts';
import type { SkillBody, SkillHead } from '../types.ts';
import type { YamlEntry, YamlMap, YamlScalar } from '../yaml/node.ts';
import { entryOf } from '../yaml/node.ts';

const triggerCount = { least: 2, most: 5 } as const;
const longTrigger = { words: 10, characters: 80 } as const;

const referenceFindings = 100;
/** Another skill of the same library, by its SKILL.md. */
const siblingSkill = /^\.\.\/[\w.-]+\/SKILL\.md$/;

/** `filePaths`: every file of the skill folder, relative with `/`. */
export function lintSkill(
  head: SkillHead,
  body: SkillBody,
  filePaths: readonly string[],
  { text, map }: Frontmatter,
  report: Report,
): void {
  lintTriggers(head, text, map, report);
  if (head.invocation.always) {
    report(
      'LINT_ALWAYS',
      alwaysSpan(map),
      'always: true puts the whole body into every prompt',
      'remove it unless every conversation needs the skill',
    );
  }
  if (head.descriptionFrom === 'frontmatter' && head.whenToUse === null && !saysWhen(head.description)) {
    report(
      'LINT_DESCRIPTION_WHEN',
      keySpan(map, 'description'),
      'the description does not say when to use the skill',
      'add a sentence such as "Use when the user asks for …"',
    );
  }
  if (body.text.trim() === '')
    report('BODY_EMPTY', null, 'the body is empty', 'write the instructions below the frontmatter');
  lintReferences(head, filePaths, findReferences(text, text.length - body.text.length), map, report);
  const tested =
    head.frontmatter['eval_prompts'] !== undefined || filePaths.some((path) => path.startsWith('evals/'));
  if (head.form !== 'instructions' && !tested) {
    report(
      'LINT_TEST_PROMPTS',
      null,
      `the ${head.form} has no test prompts`,
      'add evals/evals.json with messages that should and should not start it',
    );
  }
}

const operatorWords =
  /\b(?:dag|metaskills?|meta[- ]skills?|compositions?|sub-?agents?|orchestrat\w*|entry ?points?|internal|subprocess|run_metaskill|meta_invoke)\b|\w_\w/i;
const aboutSkill = /\?\s*$|^(?:what|how|why|when|which|who)\b.*\b(?:skill|work|works|mean|means)\b/i;

function lintTriggers(head: SkillHead, text: string, map: YamlMap, report: Report): void {
  const count = head.triggers.length;
  if (count === 0 && head.form !== 'composition') return;
  if (count < triggerCount.least || count > triggerCount.most) {
    report(
      'LINT_TRIGGER_COUNT',
      keySpan(map, 'triggers'),
      `the skill has ${count} trigger${count === 1 ? '' : 's'}; ${triggerCount.least} to ${triggerCount.most} are recommended`,
      'write phrases people type when they want it',
    );
  }
  const places = triggerSpans(map, text);
  for (const { phrase } of head.triggers) {
    const span = places.get(phrase)?.shift() ?? keySpan(map, 'triggers');
    const fault = triggerFault(phrase);
    if (fault !== null)
      report(
        'LINT_TRIGGER_WORDING',
        span,
        `the trigger "${shortened(phrase)}" ${fault}`,
        'write a short phrase with a subject and a goal, such as "review my changes"',
      );
  }
}

function triggerFault(phrase: string): string | null {
  const plain = phrase.replace(/\{[^{}]*\}/g, 'x');
  if (aboutSkill.test(plain)) return 'is a question about the skill, which should not start it';
  if (operatorWords.test(plain)) return 'describes how the skill is built, not what a person wants';
  if (plain.split(/\s+/).length > longTrigger.words || plain.length > longTrigger.characters)
    return 'is too long to be typed';
  if (phrase.replace(/\{[^{}]*\}/g, '').trim() === '') return 'is only a variable and fits every message';
  return null;
}

function shortened(phrase: string): string {
  return phrase.length > longTrigger.characters ? `${phrase.slice(0, longTrigger.characters)}…` : phrase;
}

function lintReferences(
  head: SkillHead,
  filePaths: readonly string[],
  references: ReturnType<typeof findReferences>,
  map: YamlMap,
  report: Report,
): void {
  const seen = new Set<string>();
  const existing = withFolders(filePaths);
  let findings = 0;
  const reportFault: Report = (...fault) => {
    findings += 1;
    if (findings <= referenceFindings) report(...fault);
  };
  const found: { path: string; span: Span | null }[] = [...references];
  if (head.output !== null && isPath(head.output))
    found.push({ path: head.output, span: keySpan(map, 'output') });
  for (const { path, span } of found) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (siblingSkill.test(path)) continue;
    if (!isSafeRelativePath(path))
      reportFault(
        'LINT_REFERENCE_ESCAPES',
        span,
        `"${path}" leads out of the skill folder`,
        'copy the file into the folder: the skill must work where it is installed',
      );
    else if (!existing.has(path))
      reportFault(
        'LINT_REFERENCE_MISSING',
        span,
        `"${path}" does not exist in the skill folder`,
        'add the file or correct the path',
      );
    else if (path.split('/').length > 2 && /\.(?:md|mdx|markdown)$/i.test(path))
      reportFault(
        'LINT_REFERENCE_DEEP',
        span,
        `"${path}" is more than one level deep`,
        'keep files directly in references/, scripts/ or assets/',
      );
  }
  const more = findings - referenceFindings;
  if (more > 0)
    report(
      'LINT_REFERENCES_MORE',
      null,
      `${more} more ${more === 1 ? 'reference has' : 'references have'} such a fault`,
      'correct those above first',
    );
}

/** Text like `assets/template.md`, and not a sentence. */
function isPath(output: string): boolean {
  return output.length <= 400 && /^[\w./-]+$/.test(output) && output.slice(1, -1).includes('/');
}

/** `paths`, and every folder on the way to one. */
function withFolders(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  for (const path of paths) {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
      all.add(path.slice(0, slash));
  }
  return all;
}

/** The top-level entry that is read as `field`, in whatever spelling. */
function entryFor(map: YamlMap, field: string): YamlEntry | undefined {
  return (
    entryOf(map, field) ?? map.entries.find(({ key }) => (fieldOf(key) ?? foldedFieldOf(key))?.name === field)
  );
}

function keySpan(map: YamlMap, field: string): Span | null {
  return entryFor(map, field)?.keySpan ?? null;
}

/** A host's own mapping below `metadata` may say it too. */
function alwaysSpan(map: YamlMap): Span | null {
  const own = keySpan(map, 'always');
  const metadata = entryFor(map, 'metadata')?.value;
  if (own !== null || metadata?.kind !== 'map') return own;
  for (const { key, keySpan: at, value } of metadata.entries) {
    const entry = value.kind === 'map' ? entryOf(value, 'always') : undefined;
    if (entry !== undefined) return entry.keySpan;
    if (vendorKey(key)?.name === 'always') return at;
  }
  return null;
}

/** Where each trigger phrase of a SKILL.md is written. */
export function triggerPlaces({ map, text }: Frontmatter): ReadonlyMap<string, readonly Span[]> {
  return triggerSpans(map, text);
}

/** Where each phrase is written, in the order of the list. */
function triggerSpans(map: YamlMap, text: string): ReadonlyMap<string, Span[]> {
  const places = new Map<string, Span[]>();
  const node = entryFor(map, 'triggers')?.value;
  if (node === undefined || node.kind === 'map') return places;
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    for (const scalar of item.kind === 'map' ? item.entries.map(({ value }) => value) : [item]) {
      if (scalar.kind === 'scalar')
        addPhrases(scalar, text.slice(scalar.span.start, scalar.span.end), places);
    }
  }
  return places;
}

/** The place of each line of `scalar`, which is `written` so; where that has escapes, the whole of it. */
function addPhrases(scalar: YamlScalar, written: string, places: Map<string, Span[]>): void {
  let from = 0;
  for (const line of scalar.raw.split('\n')) {
    const phrase = line.trim();
    if (phrase === '') continue;
    // Once a phrase is not found, the others are not looked for: that would be a search of the whole each.
    const inside = from === -1 ? -1 : written.indexOf(phrase, from);
    const span =
      inside === -1
        ? scalar.span
        : { start: scalar.span.start + inside, end: scalar.span.start + inside + phrase.length };
    from = inside === -1 ? -1 : inside + phrase.length;
    const known = places.get(phrase);
    if (known === undefined) places.set(phrase, [span]);
    else known.push(span);
  }
}

// Whether a description says when to use the skill.
//
// A heuristic for English that prefers silence: one word of condition or purpose is enough, and a text that is probably
// not English is not judged.

const english = new RegExp(
  [
    String.raw`\b(?:when(?:ever)?|if|while|before|after|during|upon|unless|until|in case|any ?time|as soon as)\b`,
    String.raw`\b(?:useful|helpful|ideal|suited|suitable|designed|intended|meant|needed|required|best|good|perfect|great) (?:for|to|in|with)\b`,
    String.raw`\b(?:use|uses|used|using|invoke|apply|call|run|activate|load|choose|pick|reach for|trigger(?:s|ed)?|consult)\b[^.]{0,60}\b(?:for|to|with|on|in|by|as)\b`,
    String.raw`\b(?:for|to) (?:any|all|every|each|people|users?|tasks?|requests?|questions?|teams?|developers?|work|working|handling|creating|building|writing|reviewing)\b`,
    String.raw`\b(?:user|users|someone|people) (?:ask|asks|want|wants|need|needs|say|says|mention|mentions|request|requests)\b`,
    String.raw`\b(?:trigger|triggers|use cases?|scenarios?)\s*:`,
    String.raw`\bfor\b`,
  ].join('|'),
  'i',
);

const foreignWords =
  /\b(?:und|oder|der|das|wenn|für|mit|eine?r?|nicht|el|los|las|para|cuando|con|una?|del|les|des|une|pour|quand|avec|dans|est|il|della|per|quando|che|het|een|voor|wanneer|met|och|att|när|til|og|że|dla|gdy|não|uma|com|ao|ile|için|ve)\b/gi;

export function saysWhen(description: string): boolean {
  if (english.test(description)) return true;
  const letters = description.match(/\p{L}/gu)?.length ?? 0;
  const ascii = description.match(/[A-Za-z]/g)?.length ?? 0;
  if (letters === 0 || (letters - ascii) / letters > 0.02) return true;
  return (description.match(foreignWords)?.length ?? 0) >= 2;
}

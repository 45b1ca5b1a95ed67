// A finding with its hint, and the text it is about -> edits that may correct it.
//
// Only hints that say what to write are followed. A candidate is a proposal: who offers it has to check the corrected text first
// (techne/editor/quick-fixes.ts), so a rule here may be wrong about a text without harm.
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Span } from '../../base/span.ts';
import { lineAt } from '../../base/span.ts';
import { readOutline } from '../outline.ts';
import { isStep } from '../names.ts';
import { addKey, ownerAt, removeEntry } from './entries.ts';
import { starlarkCandidates } from './starlark-candidates.ts';

export interface TextChange extends Span {
  readonly text: string;
}

export interface Candidate {
  readonly title: string;
  readonly changes: readonly TextChange[];
}

/** What a rule sees. `span` is null for a finding of the whole file. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
  readonly span: Span | null;
  readonly text: string;
}

type Rule = (finding: Finding) => readonly Candidate[];

export function candidatesFor({ code, message, hint, span }: Diagnostic, text: string): readonly Candidate[] {
  const finding: Finding = { code, message, hint: hint ?? '', span, text };
  const own =
    code.startsWith('STAR_') || code.startsWith('PROGRAM_')
      ? starlarkCandidates(finding)
      : (rules[code]?.(finding) ?? []);
  return [...meant(finding), ...own].slice(0, 8);
}

/** Did you mean "x"? */
const meant: Rule = ({ hint, span, text, message }) => {
  const named =
    /did you mean (?:"([^"\n]{1,128})"|\.?([\w.-]{1,128}))( where "([^"\n]+)" is written)?\?/.exec(hint);
  if (named === null || span === null) return [];
  const right = named[1] ?? (named[2] as string);
  const wrong = named[4];
  const title = `Write ${right}`;
  const spans =
    wrong === undefined ? placesOf(text, span, right, message) : wordsIn(text, around(text, span), wrong);
  return spans.map((one) => ({ title, changes: [{ ...one, text: right }] }));
};

/** Where the wrong word stands in the span: all of it, or what the message quotes. */
function placesOf(text: string, span: Span, right: string, message: string): readonly Span[] {
  const written = text.slice(span.start, span.end);
  if (/^["']/.test(written) && written.length > 1 && /^["'][\w.:-]*["']$/.test(written))
    return [{ start: span.start + 1, end: span.end - 1 }];
  if (/^[\w.:/-]+$/.test(written)) {
    // "outputs.sotr": the part that is meant, or all of it.
    const from = written.lastIndexOf('.') + 1;
    const part = from > 0 && !right.includes('.') ? [{ start: span.start + from, end: span.end }] : [];
    return [...part, span];
  }
  const quoted = [
    ...message.matchAll(/"([\w.:-]{1,128})"|\b(?:inputs|outputs|errors)\.([\w-]+)|undefined: (\w+)/g),
  ]
    .map(([, one, other, third]) => one ?? other ?? (third as string))
    .filter((word) => word !== right);
  return quoted.flatMap((word) => wordsIn(text, span, word)).slice(0, 4);
}

function wordsIn(text: string, { start, end }: Span, word: string): readonly Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(word, start); at >= 0 && at < end; at = text.indexOf(word, at + 1))
    if (!/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + word.length)))
      found.push({ start: at, end: at + word.length });
  return found;
}

/** The lines of the step or field that a finding is about. */
function around(text: string, span: Span): Span {
  const next = text.slice(span.end).search(/\n[ \t]*- id:|\n---/);
  return { start: lineAt(text, span.start).start, end: next < 0 ? text.length : span.end + next };
}

function replace(title: string, span: Span | null, text: string): readonly Candidate[] {
  return span === null ? [] : [{ title, changes: [{ ...span, text }] }];
}

function removed(title = 'Remove it'): Rule {
  return ({ text, span }) => (span === null ? [] : [{ title, changes: [removeEntry(text, span)] }]);
}

/** "write name: value": the key at the top of the frontmatter, in place of the one that is there. */
const writeField: Rule = ({ hint, text, span }) => {
  const found: Candidate[] = [];
  for (const [, key, value] of hint.matchAll(
    /(?:write|add|or) ([\w-]+): ([^\s,()]+(?:, [^\s,]+)*?)(?= or |,|$| for | beside| too)/g,
  )) {
    const field = `${key as string}: ${value as string}`;
    const changes = addKey(text, [], key as string, value as string, span);
    if (changes !== null && value !== 'followed' && value !== '…' && value !== 'some')
      found.push({ title: `Write ${field}`, changes });
  }
  return found;
};

/** "write key: true or key: false": the value behind the key. */
const writeChoice: Rule = ({ hint, text, span }) => {
  if (span === null) return [];
  const values = [...hint.matchAll(/(?:write|or) [\w.-]+: (\[[^\]]*\]|\{[^}]*\}|[\w.-]+)(?= or |,|$)/g)].map(
    ([, value]) => value as string,
  );
  const at = valueSpan(text, span);
  return values
    .filter((value) => value !== 'some' && value !== 'followed' && value !== 'below')
    .flatMap((value) => replace(`Write ${value}`, at, value));
};

/** Of a finding that may be at the key or at the value. */
function valueSpan(text: string, span: Span): Span {
  const owner = ownerAt(text, span.start);
  return owner !== null && owner.key !== null && span.start === owner.key.start ? owner.value : span;
}

const alias: Rule = ({ hint, span, text }) => {
  const name = /^write (\w[\w-]*)$/.exec(hint)?.[1];
  if (name === undefined || span === null) return [];
  const key = ownerAt(text, span.start)?.key ?? span;
  return [...replace(`Write ${name}`, span, name), ...replace(`Write ${name}`, key, name)];
};

/** One of a list in the message or hint: "must be low, medium or high". */
const oneOf: Rule = ({ message, hint, text, span }) => {
  const list =
    /(?:must be|there are|use|one of|the choices are|the steps are) ([\w-]+(?:, [\w-]+)*(?:,? (?:or|and) [\w-]+)?)/.exec(
      `${message} ; ${hint}`,
    )?.[1];
  if (list === undefined || span === null) return [];
  const words = list
    .split(/, (?:or |and )?| or | and /)
    .filter((word) => /^[\w-]+$/.test(word) && !['true', 'a', 'an'].includes(word));
  const at = valueSpan(text, span);
  return words.slice(0, 6).flatMap((word) => replace(`Write ${word}`, at, word));
};

const fence: Rule = ({ text, span, message, hint }) => {
  if (hint.startsWith('remove the text before')) {
    const at = text.search(/^---[ \t]*$/m);
    return at <= 0
      ? []
      : [{ title: 'Remove the text before the frontmatter', changes: [{ start: 0, end: at, text: '' }] }];
  }
  if (message.includes('missing'))
    return [{ title: 'Add the line "---"', changes: [{ start: 0, end: 0, text: '---\n' }] }];
  return replace('Write ---', span === null ? null : lineAt(text, span.start), '---');
};

const closeFence: Rule = ({ text }) => {
  const { entries } = readOutline(text);
  const candidates: Candidate[] = [];
  const heading = text.search(/^(?:\s*\n)?#{1,6} /m);
  if (heading > 0)
    candidates.push({
      title: 'Close the frontmatter before the heading',
      changes: [{ start: heading, end: heading, text: '---\n' }],
    });
  const last = entries.reduce((end, { value }) => Math.max(end, value.end), 0);
  const { end } = lineAt(text, last);
  candidates.push({ title: 'Close the frontmatter', changes: [{ start: end, end, text: '\n---' }] });
  return candidates;
};

const dependency: Rule = ({ hint, text, span }) => {
  const name = /^add (\S+) to depends_on$/.exec(hint)?.[1];
  if (name === undefined || span === null) return [];
  const { entries } = readOutline(text);
  const step = entries.findLast(({ path, key, value }) => isStep(path) && (key ?? value).start <= span.start);
  if (step === undefined) return [];
  const there = entries.find(
    ({ path }) =>
      path.length === step.path.length + 1 &&
      path.at(-1) === 'depends_on' &&
      path.every((one, at) => at >= step.path.length || one === step.path[at]),
  );
  const title = `Add ${name} to depends_on`;
  if (there === undefined) {
    const changes = addKey(text, step.path, 'depends_on', `[${name}]`, null);
    return changes === null ? [] : [{ title, changes }];
  }
  const written = text.slice(there.value.start, there.value.end);
  if (!written.startsWith('[') || !written.endsWith(']')) return [];
  const inner = written.slice(1, -1).trim();
  return [{ title, changes: [{ ...there.value, text: inner === '' ? `[${name}]` : `[${inner}, ${name}]` }] }];
};

const capability: Rule = ({ hint, text }) => {
  const name = /^add ([\w-]+) to capabilities/.exec(hint)?.[1];
  if (name === undefined) return [];
  const { entries } = readOutline(text);
  const there = entries.find(
    ({ path }) => path.at(-1) === 'techne.capabilities' || (path.length === 1 && path[0] === 'capabilities'),
  );
  if (there === undefined) return [];
  const inner = text
    .slice(there.value.start, there.value.end)
    .replace(/^["'[]|["'\]]$/g, '')
    .trim();
  const isList = text.charAt(there.value.start) === '[';
  const joined = inner === '' ? name : isList ? `${inner}, ${name}` : `${inner} ${name}`;
  return [
    {
      title: `Add ${name} to the capabilities`,
      changes: [
        { ...there.value, text: isList ? `[${joined}]` : joined.includes(' ') ? `"${joined}"` : joined },
      ],
    },
  ];
};

const risk: Rule = ({ hint, text }) => {
  const level = /write risk: (\w+)/.exec(hint)?.[1];
  if (level === undefined) return [];
  const { entries } = readOutline(text);
  const there = entries.find(
    ({ path }) => path.at(-1) === 'techne.risk' || (path.length === 1 && path[0] === 'risk'),
  );
  return there === undefined ? [] : replace(`Write ${level}`, there.value, level);
};

const name: Rule = (finding) => {
  const wanted = /^write name: (\S+)$/.exec(finding.hint)?.[1];
  if (wanted === undefined) return [];
  const changes = addKey(finding.text, [], 'name', wanted, null);
  return changes === null ? [] : [{ title: `Write name: ${wanted}`, changes }];
};

const described: Rule = ({ text }) => {
  const changes = addKey(text, [], 'description', '"Say what it does. Use when the user asks for it."', null);
  return changes === null ? [] : [{ title: 'Add a description to complete', changes }];
};

const tabs: Rule = ({ text, span }) => {
  if (span === null) return [];
  const { start, end } = lineAt(text, span.start);
  const blanks = /^[ \t]*/.exec(text.slice(start, end))?.[0] ?? '';
  const at = { start, end: start + blanks.length };
  return [
    ...replace('Indent with spaces', at, blanks.replaceAll('\t', '  ')),
    ...replace('Remove the indentation', at, ''),
  ];
};

const quotes: Rule = ({ text, span }) => {
  if (span === null) return [];
  const written = text.slice(span.start, span.end);
  const change =
    written.includes('"') || written.includes('\\') ? `'${written.replaceAll("'", "''")}'` : `"${written}"`;
  return [
    ...replace('Put it in quotes', span, change),
    ...(/^[[]/.test(written) ? replace('Close the list', span, `${written.trimEnd()}]`) : []),
    ...(/^\s*$/.test(written) ? replace('Type a space', span, ' ') : []),
  ];
};

const bound: Rule = ({ hint, text, span }) => {
  const filters = /^write \{\{ … \| (.+) \}\}$/.exec(hint)?.[1];
  if (filters === undefined || span === null) return [];
  const close = text.indexOf('}}', span.start);
  if (close < 0) return [];
  let at = close;
  while (/[\s-]/.test(text.charAt(at - 1))) at -= 1;
  return [{ title: `Add | ${filters}`, changes: [{ start: at, end: at, text: ` | ${filters}` }] }];
};

const prefixed: Rule = ({ hint, text, span }) => {
  const wanted = /^write ((?:inputs|outputs)\.[\w-]+)$/.exec(hint)?.[1];
  if (wanted === undefined || span === null) return [];
  const word = wanted.split('.')[1] as string;
  return wordsIn(text, span, word).flatMap((one) => replace(`Write ${wanted}`, one, wanted));
};

const inert: Rule = (finding) => [...alias(finding), ...removed()(finding)];

const rules: { readonly [code in DiagnosticCode]?: Rule } = {
  ENCODING_NUL: ({ span }) => replace('Remove the NUL character', span, ''),
  FRONTMATTER_MISSING: fence,
  FRONTMATTER_FENCE: fence,
  FRONTMATTER_UNCLOSED: closeFence,
  YAML_TABS: tabs,
  YAML_REPAIRED: quotes,
  YAML_DUPLICATE_KEY: removed('Remove the repetition'),
  YAML_FORBIDDEN_KEY: removed(),
  YAML_ALIAS: quotes,
  YAML_TAG: ({ text, span }) =>
    span === null
      ? []
      : replace(
          'Remove the tag',
          { start: span.start, end: span.end + (text.charAt(span.end) === ' ' ? 1 : 0) },
          '',
        ),
  NAME_MISSING: name,
  NAME_INVALID: name,
  NAME_NOT_FOLDER: name,
  NAME_TOO_LONG: name,
  DESCRIPTION_MISSING: described,
  FIELD_TYPE: (finding) => [...writeChoice(finding), ...removed()(finding)],
  FIELD_VALUE: (finding) => [...oneOf(finding), ...writeChoice(finding), ...removed()(finding)],
  FIELD_MISSPELT: alias,
  FIELD_UNKNOWN: removed(),
  FIELD_CONFLICT: removed(),
  METADATA_NESTED: removed(),
  LANGUAGE_UNSUPPORTED: writeField,
  FORM_INCOMPLETE: writeField,
  LINT_ALWAYS: removed('Remove always'),
  NOTE_DECLARATION: writeField,
  PLAN_ALIAS: alias,
  PLAN_VALUE: oneOf,
  PLAN_TYPE: writeChoice,
  PLAN_FIELD_MISPLACED: removed(),
  PLAN_KEY_UNKNOWN: inert,
  PLAN_KEY_INERT: removed(),
  PLAN_KEY_MISSPELT: removed(),
  PLAN_UNQUOTED: quotes,
  PLAN_REFERENCE: prefixed,
  PLAN_REFERENCE_ORDER: dependency,
  PLAN_STEP_UNKNOWN: (finding) => [...oneOf(finding), ...removed()(finding)],
  PLAN_SUBSTITUTE: removed(),
  PLAN_CYCLE: removed(),
  PLAN_INPUT_UNKNOWN: removed('Remove the input'),
  RISK_UNDERSTATED: risk,
  CAPABILITY_UNDECLARED: capability,
  TAINT_PROMPT: bound,
  TAINT_TOOL: bound,
  TAINT_ARGUMENT: bound,
  TEMPLATE_UNCLOSED: ({ hint, text, span }) => {
    const tag = /\{% \w+ %\}/.exec(hint)?.[0];
    if (span === null) return [];
    const { end } = lineAt(text, span.start);
    return [
      ...(tag === undefined ? [] : [{ title: `Add ${tag}`, changes: [{ start: end, end, text: tag }] }]),
      ...(hint.includes('brackets or quotes')
        ? [{ title: 'Close the tag', changes: [{ start: end, end, text: ' }}' }] }]
        : []),
    ];
  },
  SCRIPT_UNKNOWN_KEY: removed(),
};

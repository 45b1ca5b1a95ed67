// The names of a field, in the three ways people write them.
//
//   Read Grep Bash(git:*)          spaces
//   Read, Grep, Bash(git *, npm *) commas
//   [Read, "Bash(git *)"]          a list
//
// What is inside parentheses belongs to the tool before them. Names that look misspelt are reported here, too.
import type { Report } from '../../base/diagnostic.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import { readText } from '../fields/read-value.ts';
import { guessLimit } from '../fields/spelling.ts';
import type { YamlNode, YamlScalar } from '../yaml/node.ts';
import { agentToolNames, isAgentTool, plainToolName } from './tool-fence.ts';

/** Names in `text`, split at commas (and spaces, unless `commasOnly`) outside parentheses. */
function splitTools(
  text: string,
  commasOnly: boolean,
): { readonly names: string[]; readonly balanced: boolean } {
  const names: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 40 /* ( */) depth += 1;
    else if (unit === 41 /* ) */) depth = Math.max(0, depth - 1);
    const splits =
      at === text.length || (depth === 0 && (unit === 44 /* , */ || (!commasOnly && isSpace(unit))));
    if (!splits) continue;
    // Most spaces follow another separator.
    const name = at === start ? '' : text.slice(start, at).trim();
    if (name !== '') names.push(name);
    start = at + 1;
  }
  return { names, balanced: depth === 0 };
}

function isSpace(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit > 126 && /\s/.test(String.fromCharCode(unit));
}

/**
 * `null` when not given; an empty list when declared as none. What cannot be read narrows: it allows nothing, and disallows
 * everything that it may have meant.
 */
export function readToolList(label: string, node: YamlNode, report: Report): readonly string[] | null {
  if (node.kind === 'scalar' && node.value === null) return null;
  const denies = label === 'disallowed-tools';
  if (node.kind === 'map') {
    report(
      'FIELD_TYPE',
      node.span,
      `${label} must be names, not a mapping`,
      `write ${label}: Read Grep "Bash(git *)"`,
    );
    return denies ? ['*'] : [];
  }
  const names: string[] = [];
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    const text = readText(node.kind === 'seq' ? `an item of ${label}` : label, item, report);
    if (text === null) {
      if (denies) names.push('*');
      continue;
    }
    const split = splitTools(text, node.kind === 'seq');
    if (!split.balanced) report('FIELD_VALUE', item.span, `a parenthesis in ${label} is never closed`);
    // One by one: a call takes only so many arguments.
    for (const name of split.names) names.push(denies && !split.balanced ? name.replace(/\(.*$/, '') : name);
  }
  return names;
}

// Names that look misspelt.
//
// Hosts have tools of their own, so an unknown name is fine. Only a name one letter away from a known one (or with two
// neighbours swapped) is reported, since it allows, or forbids, nothing. Case, `_`, `-` and a plural are not misspellings:
// other hosts write their tools that way. In a short name only swapped and doubled letters count: "Exit" is a word of its
// own, not "Edit".

/** As skills are written: ours, and those that other hosts have besides. */
const known: readonly string[] = [
  'Read',
  'Write',
  'Edit',
  'MultiEdit',
  'Glob',
  'Grep',
  'Bash',
  'Skill',
  ...agentToolNames,
  'WebFetch',
  'WebSearch',
  'Task',
  'Agent',
  'TodoRead',
  'TodoWrite',
  'NotebookRead',
  'NotebookEdit',
  'BashOutput',
  'KillShell',
  'PowerShell',
  'AskUserQuestion',
  'SlashCommand',
  'EnterPlanMode',
  'ExitPlanMode',
];

const byPlainName: ReadonlyMap<string, string> = new Map(known.map((name) => [plainToolName(name), name]));

/** `text` is the file that the places are in. */
export function reportMisspeltTools(label: string, node: YamlNode, text: string, report: Report): void {
  const guessed = new Set<string>();
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    if (item.kind !== 'scalar' || typeof item.value !== 'string') continue;
    for (const tool of splitTools(item.value, node.kind === 'seq').names) {
      const word = /^[\w-]{4,40}(?=\s*(?:\(|$))/.exec(tool)?.[0] ?? null;
      if (
        word === null ||
        word.includes('__') ||
        isAgentTool(word) ||
        guessed.has(word) ||
        guessed.size >= guessLimit
      )
        continue;
      guessed.add(word);
      const meant = meantBy(plainToolName(word));
      if (meant !== null)
        report(
          'TOOL_MISSPELT',
          placeOf(word, item, text),
          `"${printableLine(word)}" in ${label} is not a tool that techne knows, and has no effect`,
          `did you mean "${meant}"?`,
        );
    }
  }
}

function meantBy(word: string): string | null {
  if (byPlainName.has(word) || byPlainName.has(word.replace(/s$/, ''))) return null;
  const close = nearest(word, byPlainName.keys(), 1);
  return close === null || !isSlip(word, close) ? null : (byPlainName.get(close) as string);
}

/** In a short name only swapped and doubled letters count. */
function isSlip(word: string, meant: string): boolean {
  const letters = (of: string): string => of.split('').sort().join('');
  return meant.length > 5 || letters(word) === letters(meant) || word.replace(/(.)\1/, '$1') === meant;
}

/** The word itself, or the whole value where it is not written as it is read. */
function placeOf(word: string, { span }: YamlScalar, text: string): YamlScalar['span'] {
  const inside =
    new RegExp(`(?<![\\w-])${word}(?![\\w-])`).exec(text.slice(span.start, span.end))?.index ?? null;
  return inside === null ? span : { start: span.start + inside, end: span.start + inside + word.length };
}

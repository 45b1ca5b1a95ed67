// allowed-tools, disallowed-tools -> names that look misspelt.
//
// Hosts have tools of their own, so an unknown name is fine. Only a name one letter away from a known one (or with two
// neighbours swapped) is reported, since it allows, or forbids, nothing. Case, `_`, `-` and a plural are not misspellings:
// other hosts write their tools that way. In a short name only swapped and doubled letters count: "Exit" is a word of its
// own, not "Edit".
import type { Report } from '../../base/diagnostic.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import { guessLimit } from '../fields/spelling.ts';
import { agentToolNames, isAgentTool } from './tool-fence.ts';
import { splitTools } from './tool-list.ts';
import type { YamlNode, YamlScalar } from '../yaml/node.ts';

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

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
const byPlainName: ReadonlyMap<string, string> = new Map(known.map((name) => [plain(name), name]));

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
      const meant = meantBy(plain(word));
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

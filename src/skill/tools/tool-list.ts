// allowed-tools, disallowed-tools, tools -> names, in the three ways people write them.
//
//   Read Grep Bash(git:*)          spaces
//   Read, Grep, Bash(git *, npm *) commas
//   [Read, "Bash(git *)"]          a list
//
// What is inside parentheses belongs to the tool before them.
import type { Report } from '../../base/diagnostic.ts';
import { readText } from '../fields/read-value.ts';
import type { YamlNode } from '../yaml/node.ts';

/** Names in `text`, split at commas (and spaces, unless `commasOnly`) outside parentheses. */
export function splitTools(
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

/** `null` when not given or of the wrong type; an empty list when declared as none. */
export function readToolList(label: string, node: YamlNode, report: Report): readonly string[] | null {
  if (node.kind === 'scalar' && node.value === null) return null;
  if (node.kind === 'map') {
    report(
      'FIELD_TYPE',
      node.span,
      `${label} must be names, not a mapping`,
      `write ${label}: Read Grep "Bash(git *)"`,
    );
    return null;
  }
  const names: string[] = [];
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    const text = readText(node.kind === 'seq' ? `an item of ${label}` : label, item, report);
    if (text === null) continue;
    const split = splitTools(text, node.kind === 'seq');
    if (!split.balanced) report('FIELD_VALUE', item.span, `a parenthesis in ${label} is never closed`);
    // One by one: a call takes only so many arguments.
    for (const name of split.names) names.push(name);
  }
  return names;
}

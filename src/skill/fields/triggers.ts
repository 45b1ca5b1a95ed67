// triggers -> phrases with their variables.
//
//   "explain {concept}" -> { phrase, variables: ["concept"] }
//
// One scalar is one phrase; a block scalar is one phrase per line. In a list each item is a phrase, or a mapping with the
// phrase under `phrase`, `pattern`, `trigger` or `text`. The name of a variable has letters of any script, digits, "_"
// and "-", and does not begin with a digit or "-", as the keys of inputs that it fills. Code that reads phrases uses
// `triggerVariable`: with another pattern a name could be a variable here and a literal there.
import type { Report } from '../../base/diagnostic.ts';
import { describeValue, readText } from './read-value.ts';
import type { Trigger } from '../types.ts';
import type { YamlNode } from '../yaml/node.ts';
import { entryOf } from '../yaml/node.ts';

const variable = /\{([^{}]*)\}/g;

function parseTrigger(phrase: string, node: YamlNode, report: Report): Trigger {
  if (!phrase.includes('{')) return { phrase, variables: [] };
  const variables = new Set<string>();
  for (const [, inner] of phrase.matchAll(variable)) {
    const name = (inner as string).trim();
    if (!isVariableName(name)) {
      report(
        'FIELD_VALUE',
        node.span,
        `{${name}} in a trigger is not a variable name`,
        'use letters, digits, "_" or "-", as in {topic}',
      );
    } else if (variables.has(name)) {
      report('FIELD_VALUE', node.span, `{${name}} is captured twice in one trigger`);
    } else variables.add(name);
  }
  return { phrase, variables: [...variables] };
}

function phraseOf(node: YamlNode, report: Report): string | null {
  if (node.kind !== 'map') return readText('a trigger', node, report);
  for (const key of ['phrase', 'pattern', 'trigger', 'text']) {
    const entry = entryOf(node, key);
    if (entry !== undefined) return readText(`${key} of a trigger`, entry.value, report);
  }
  report(
    'FIELD_TYPE',
    node.span,
    'a trigger must be a phrase, not a mapping',
    'write the phrase itself: - review my changes',
  );
  return null;
}

export function readTriggers(node: YamlNode, report: Report): readonly Trigger[] {
  if (node.kind === 'map') {
    report(
      'FIELD_TYPE',
      node.span,
      `triggers must be a list of phrases, not ${describeValue(node)}`,
      'write triggers: followed by lines "- phrase"',
    );
    return [];
  }
  const triggers: Trigger[] = [];
  for (const item of node.kind === 'seq' ? node.items : [node]) {
    const text = phraseOf(item, report);
    if (text === null) continue;
    for (const line of text.split('\n')) {
      const phrase = line.trim();
      if (phrase !== '') triggers.push(parseTrigger(phrase, item, report));
    }
  }
  return triggers;
}

/** With blanks around the name, which is the first group. */
export const triggerVariable = /\{\s*([\p{L}_][\p{L}\p{M}\p{N}_-]*)\s*\}/gu;

function isVariableName(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u.test(text);
}

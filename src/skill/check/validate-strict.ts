// What `techne check --strict` asks for beyond the standard (check-standard.ts).
//
// Every fault is reported at its place; nothing is repaired. A skill of the form `instructions` must be portable: each
// field outside the six, nested metadata and inline collections make other hosts refuse it. An executable skill is for
// techne: known fields and `x_` extensions are fine, unknown fields are not, faults of its inputs are STRICT_INPUTS, and a
// form that cannot be executed is STRICT_FORM.
import { severityOf } from '../../base/codes.ts';
import type { Report } from '../../base/diagnostic.ts';
import type { Span } from '../../base/span.ts';
import { recommendedBytes } from '../parse-head.ts';
import { fieldOf, isExtensionKey, standardFields } from '../fields/field-table.ts';
import type { HeadContext, SkillHead } from '../types.ts';
import { readInputs } from '../fields/inputs.ts';
import type { Frontmatter } from '../frontmatter/read-frontmatter.ts';
import { yamlText } from '../fields/read-value.ts';
import { suggestionFor } from '../fields/spelling.ts';
import type { YamlEntry, YamlNode } from '../yaml/node.ts';
import { checkStandard } from './check-standard.ts';

export interface StrictContext extends Pick<HeadContext, 'folderName' | 'entries' | 'fileBytes'> {
  /** Whether the bytes were valid UTF-8 (default true). */
  readonly validUtf8?: boolean;
  /** The place of what bars the skill from being executed (default: none). */
  readonly barred?: Span | null;
}

/** `head` is that of `frontmatter`. */
export function validateStrict(
  head: Pick<SkillHead, 'form' | 'bar'>,
  frontmatter: Frontmatter,
  context: StrictContext,
  report: Report,
): void {
  const portable = head.form === 'instructions';
  checkStandard(frontmatter, { ...context, executable: !portable }, report);
  if (context.fileBytes > recommendedBytes)
    report(
      'STRICT_FILE',
      null,
      `SKILL.md has ${context.fileBytes} bytes, over ${recommendedBytes}`,
      'move detail into references/',
    );
  const { text, parts, map } = frontmatter;
  if (parts === null) return;
  for (const entry of map.entries) checkEntry(entry, portable, report);
  if (portable) {
    reportFlow(map, report);
    const inner = text.slice(parts.yamlStart, parts.yamlEnd).indexOf('---');
    if (inner !== -1) {
      const start = parts.yamlStart + inner;
      report(
        'STRICT_FRONTMATTER',
        { start, end: start + 3 },
        'the reference validator ends the frontmatter at any "---", also inside a value',
        'write a dash or a colon instead',
      );
    }
  }
  if (head.bar !== null)
    report('STRICT_FORM', context.barred ?? null, `the ${head.form} cannot be executed: ${head.bar.message}`);
}

function checkEntry(entry: YamlEntry, portable: boolean, report: Report): void {
  const { key, keySpan, value } = entry;
  if (standardFields.includes(key)) return;
  if (portable) {
    report(
      'STRICT_FIELD',
      keySpan,
      `"${key}" is outside the standard's fields: ${standardFields.join(', ')}`,
      `other hosts refuse this field; move it under metadata: as text${key === 'version' ? ', which publishes it as that version' : ''}`,
    );
    return;
  }
  if (isExtensionKey(key)) return;
  const field = fieldOf(key);
  if (field?.name === 'inputs') {
    readInputs(value, (code, at, message, hint) => {
      if (severityOf(code) !== 'info') report('STRICT_INPUTS', at, message, hint);
    });
  }
  if (field?.name === key) return;
  const suggestion = field?.name ?? suggestionFor(key);
  report(
    'STRICT_FIELD',
    keySpan,
    `"${key}" is not a known field`,
    suggestion === null
      ? `use the prefix x_ for a field of your own: ${yamlText(`x_${key}`)}`
      : `did you mean "${suggestion}"?`,
  );
}

function reportFlow(node: YamlNode, report: Report): void {
  if (node.kind === 'scalar') return;
  if (node.flow) {
    report(
      'YAML_FLOW_STYLE',
      node.span,
      `inline ${node.kind === 'map' ? '{…}' : '[…]'} is refused by the reference validator`,
      'write one item per line',
    );
    return;
  }
  for (const child of node.kind === 'seq' ? node.items : node.entries.map((entry) => entry.value))
    reportFlow(child, report);
}

// Plans in tests: the text of a frontmatter -> the plan, and what is said about it.
import type { DiagnosticCode } from '../../src/base/codes.ts';
import { severityOf } from '../../src/base/codes.ts';
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { collectInto, compareDiagnostics } from '../../src/base/diagnostic.ts';
import { placeOf } from '../../src/base/span.ts';
import { nodeFrontmatter, nodeParseFull } from '../../src/node/yaml.ts';
import { compilePlan } from '../../src/plan/compile-plan.ts';
import type { Fix } from '../../src/base/fix.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { PlanWorld } from '../../src/plan/world.ts';
import { emptyWorld } from '../../src/plan/world.ts';
import { parseHead } from '../../src/skill/parse-head.ts';
import type { SkillHead } from '../../src/skill/types.ts';

export interface CompiledText {
  readonly text: string;
  readonly plan: Plan | null;
  readonly fixes: readonly Fix[];
  readonly diagnostics: readonly Diagnostic[];
  /** `CODE "what it points at"`, in the order of the text. */
  readonly found: readonly string[];
}

export function headOf(text: string, folderName = 'sample'): SkillHead {
  const head = parseHead(
    text,
    { folderName, entries: [], complete: true, fileBytes: text.length, parseFull: nodeParseFull },
    () => undefined,
  );
  if (head === 'more') throw new Error('the text is not whole');
  return head;
}

/** `text`: a whole SKILL.md. */
export function compileSkill(text: string, world: Partial<PlanWorld> = {}, strict = false): CompiledText {
  const diagnostics: Diagnostic[] = [];
  const { plan, fixes } = compilePlan(
    { head: headOf(text), frontmatter: nodeFrontmatter(text), world: { ...emptyWorld, ...world }, strict },
    collectInto(diagnostics, 'SKILL.md'),
  );
  diagnostics.sort(compareDiagnostics);
  return {
    text,
    plan,
    fixes,
    diagnostics,
    found: diagnostics.map((one) => `${one.code} ${pointed(text, one)}`),
  };
}

function pointed(text: string, { span }: Diagnostic): string {
  if (span === null) return '(whole file)';
  const [line = ''] = text.slice(span.start, span.end).split('\n');
  return JSON.stringify(line).slice(0, 90);
}

export function placeText(text: string, { span }: Diagnostic): string {
  if (span === null) return '-';
  const { line, column } = placeOf(text, span.start);
  return `${line}:${column}`;
}

const start = 'name: sample\ndescription: Does it. Use when it is needed.\n';

/** A composition with these lines below `steps:`, each indented by four blanks. */
export function composition(steps: string, more = ''): string {
  return `---\n${start}kind: meta\ntriggers: [do it, do it now]\n${more}composition:\n  steps:\n${steps.replace(/^(?=.)/gm, '    ')}\n---\n\nBody.\n`;
}

/** A frontmatter with these lines. */
export function skillWith(lines: string): string {
  return `---\n${start}${lines.trimEnd()}\n---\n\nBody.\n`;
}

export const chat = (id: string, more = ''): string =>
  `- id: ${id}\n  kind: llm_chat\n  with: {task: think}\n${more.replace(/^(?=.)/gm, '  ')}${more === '' || more.endsWith('\n') ? '' : '\n'}`;

/** Findings apart from what every small sample has. */
export function faults({ found }: CompiledText, ...codes: readonly DiagnosticCode[]): readonly string[] {
  return found.filter((one) =>
    codes.length === 0
      ? severityOf(one.split(' ')[0] as DiagnosticCode) === 'error'
      : codes.some((code) => one.startsWith(`${code} `)),
  );
}

// Pumped texts against everything that reads a SKILL.md, from a seed.
//
//   seed -> fragments with a short piece repeated between them -> the worst CPU time and every broken promise
//
// K1. The same seed gives the same inputs.
// K2. Promises checked of parseFrontmatter, headOfFrontmatter, parseBody, lintSkill, validateStrict, inspectText and
//     renderDiagnostic: nothing throws; every place is inside the text; the body is the end of the text; time is measured
//     for each of them, so that one slow reader cannot hide behind four fast ones.
// A repeated piece is what makes a pattern with two ways to match take quadratic time; random damage
// (`frontmatter-fuzz.ts`) hardly ever finds that.
import type { Diagnostic } from '../../src/base/diagnostic.ts';
import { collectInto } from '../../src/base/diagnostic.ts';
import { renderDiagnostic } from '../../src/base/render-diagnostic.ts';
import { inspectText } from '../../src/skill/check/inspect-text.ts';
import { lintSkill } from '../../src/skill/check/lint.ts';
import { parseBody } from '../../src/skill/body/parse-body.ts';
import { parseWholeFrontmatter } from '../../src/skill/frontmatter/read-frontmatter.ts';
import { headOfFrontmatter } from '../../src/skill/parse-head.ts';
import { validateStrict } from '../../src/skill/check/validate-strict.ts';
import { parseFull } from '../../src/skill/yaml/bundled-parser.ts';
import { createRandom } from './frontmatter-fuzz.ts';

export interface SkillFuzzOptions {
  readonly seed: number;
  readonly runs: number;
  readonly maxLength: number;
  /** CPU milliseconds used so far. */
  readonly cpuMs: () => number;
}

export interface SkillFuzzResult {
  readonly worstMs: number;
  /** The reader that took it. */
  readonly worstStage: string;
  readonly worstInput: string;
  readonly failures: readonly { readonly why: string; readonly input: string }[];
}

const pieces = [
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  ':',
  '`',
  '``',
  '_',
  '*',
  '#',
  '[',
  ']',
  '](',
  '(',
  ')',
  '|',
  '-',
  '- ',
  '---',
  '...',
  '\n---\n',
  '\n...\n',
  '>',
  '> ',
  '<',
  '<!--',
  '-->',
  '<a>',
  '![',
  '![a](b)',
  '/',
  '../',
  '{',
  '}',
  '{{',
  '?',
  '\\',
  '"',
  "'",
  ',',
  '&a ',
  '*a ',
  '!a ',
  '%',
  '@',
  '~',
  'a',
  'a ',
  'a_',
  'é',
  '\0',
  '\u00a0',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\ufe0f',
  '\u{1F469}\u200d',
  '\ud800',
  '\u001b',
  'a: b\n',
  'a: b: c\n',
  '  a: b\n',
  '- a\n',
  '- a: b\n',
  '\ta: b\n',
  '# a\n',
  '## Purpose\n',
  '## Purpose ##',
  'Input keys',
  '- `a`: b\n',
  '  more\n',
  '(optional) ',
  '[a](b)',
  '[a](b "c',
  '`scripts/a`',
  '`a',
  '{baseDir}/',
  'orchestrat',
  'what skill ',
  'use ',
  '1. ',
  '1',
  '.',
  '=',
  '\n\n',
  'name: a\n',
  'description:\n',
  '%YAML 1.2\n',
  '----\n',
  ' ---\n',
  '- name: a\n',
] as const;

const fragments = [
  '',
  '',
  '',
  '---\n',
  '\n---\n',
  '---\nname: tides\ndescription: ',
  '---\nname: tides\ndescription: Tells tides.\n---\n',
  '---\nname: tides\ntriggers: [',
  '---\noutput: ',
  '---\nalways: true\nmetadata:\n  a: ',
  '---\nallowed-tools: ',
  '---\ninputs:\n  ',
  '---\nrequires:\n  bins: [',
  '\n',
  '# ',
  '## ',
  '## Purpose',
  'Input keys:\n',
  'Input keys:\n- ',
  'Input keys',
  '- `a`',
  '`scripts/',
  '`',
  '[a](',
  '[a](b "',
  '!',
  'x',
  ' x',
  '\u2028x',
  '#',
  ':',
  '"',
  "'",
  ']',
  '}',
  '```\n',
  '~~~',
  '<!--',
  '<a',
  '\ufeff',
  '- ',
  '| ',
  '>-\n  ',
  '\u{1F469}',
] as const;

/** Fragments with a repeated piece after each; a few get nearly all of `maxLength`. */
export function pumpedText(random: (below: number) => number, maxLength: number): string {
  let text = '';
  const times = 1 + random(3);
  for (let time = 0; time < times; time += 1) {
    const piece = Array.from({ length: 1 + random(2) }, () => pieces[random(pieces.length)] as string).join(
      '',
    );
    const room = random(3) === 0 ? 40 : Math.floor(maxLength / times) - 100;
    text +=
      (fragments[random(fragments.length)] as string) +
      (fragments[random(fragments.length)] as string) +
      piece.repeat(1 + random(Math.max(1, Math.floor(room / piece.length))));
  }
  return (text + (fragments[random(fragments.length)] as string)).slice(0, maxLength);
}

/** What is said of one text is shown up to here; the rest only costs as much again. */
const maxRendered = 300;

/** Reads `input` with everything; `spent` hears what each reader took. What is wrong with the answers, or `null`. */
export function readWhole(
  input: string,
  cpuMs: () => number,
  spent: (stage: string, ms: number) => void,
): string | null {
  const diagnostics: Diagnostic[] = [];
  const report = collectInto(diagnostics, 'SKILL.md');
  const context = { folderName: 'tides', entries: [], fileBytes: input.length };
  const timed = <Result>(stage: string, work: () => Result): Result => {
    const before = cpuMs();
    const result = work();
    spent(stage, cpuMs() - before);
    return result;
  };
  try {
    timed('inspectText', () => inspectText(input, true, report));
    const frontmatter = timed('parseFrontmatter', () => parseWholeFrontmatter(input, parseFull));
    const head = timed('headOfFrontmatter', () => headOfFrontmatter(frontmatter, context, report));
    const body = timed('parseBody', () => parseBody(input));
    if (!input.endsWith(body.text)) return 'the body is not the end of the text';
    timed('lintSkill', () => lintSkill(head, body, ['SKILL.md', 'scripts/a'], frontmatter, report));
    timed('validateStrict', () => validateStrict(head, frontmatter, context, report));
    const astray = diagnostics.find(
      ({ span }) => span !== null && !(span.start >= 0 && span.start <= span.end && span.end <= input.length),
    );
    if (astray !== undefined) return `bad span in ${astray.code}`;
    timed('renderDiagnostic', () =>
      diagnostics.slice(0, maxRendered).map((diagnostic) => renderDiagnostic(diagnostic, input)),
    );
    return null;
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

export function fuzzSkills({ seed, runs, maxLength, cpuMs }: SkillFuzzOptions): SkillFuzzResult {
  const random = createRandom(seed);
  const failures: { why: string; input: string }[] = [];
  let worst = { ms: 0, stage: '', input: '' };
  for (let run = 0; run < runs; run += 1) {
    const input = pumpedText(random, maxLength);
    const why = readWhole(input, cpuMs, (stage, ms) => {
      if (ms > worst.ms) worst = { ms, stage, input };
    });
    if (why !== null) failures.push({ why, input });
  }
  return { worstMs: worst.ms, worstStage: worst.stage, worstInput: worst.input, failures };
}

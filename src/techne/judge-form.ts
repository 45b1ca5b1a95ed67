// The bytes of a program or plan -> why it can never be executed, or null.
//
// What is certain to fail whatever the input: a text that is not UTF-8, a program that does not compile or has no
// `run(input)`, a plan with errors. What depends on other skills, tools and trust is asked when a run is to start.
// Loaded when a skill of such a form was found that the index cache does not have.
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto, describeFaults } from '../base/diagnostic.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import { nodeParseFull } from '../node/yaml.ts';
import { compilePlan } from '../plan/compile-plan.ts';
import { emptyWorld } from '../plan/world.ts';
import type { JudgeForm } from '../registry/types.ts';
import { parseBody } from '../skill/body/parse-body.ts';
import { checkProgram } from '../skill/form.ts';
import { parseWholeFrontmatter } from '../skill/frontmatter/read-frontmatter.ts';
import type { FormBar, SkillHead } from '../skill/types.ts';

export const judgeForm: JudgeForm = async ({ head, files }) =>
  head.program === null ? planBar(head, files) : programBar(head.program, files.get(head.program));

function planBar(head: SkillHead, files: ReadonlyMap<string, Uint8Array>): FormBar | null {
  const textOf = (path: string): string | null => {
    const bytes = files.get(path);
    return bytes === undefined ? null : decodeUtf8(bytes).text;
  };
  const text = textOf('SKILL.md') ?? '';
  const diagnostics: Diagnostic[] = [];
  const { plan } = compilePlan(
    {
      head,
      frontmatter: parseWholeFrontmatter(text, nodeParseFull),
      world: { ...emptyWorld, file: textOf, paths: () => [...files.keys()] },
      bodyInputs: parseBody(text).inputKeys,
      lints: false,
    },
    collectInto(diagnostics, 'SKILL.md'),
    (path) => collectInto(diagnostics, path),
  );
  return plan === null
    ? {
        code: 'PLAN_INVALID',
        message: `the plan has errors: ${onOneLine(describeFaults(diagnostics, text))}`,
      }
    : null;
}

async function programBar(path: string, bytes: Uint8Array | undefined): Promise<FormBar | null> {
  if (bytes === undefined)
    return { code: 'PROGRAM_MISSING', message: `the program "${path}" does not exist` };
  const { text, valid } = decodeUtf8(bytes);
  const bar = checkProgram(text, bytes.length);
  if (bar !== null) return bar;
  if (!valid || text.includes('\0'))
    return { code: 'PROGRAM_NOT_TEXT', message: `the program "${path}" is not a text in UTF-8` };
  const { checkSkillProgram } = await import('./check/check-skill-program.ts');
  const faults = describeFaults(checkSkillProgram(text, path).filter(isCertain), text);
  return faults === ''
    ? null
    : { code: 'PROGRAM_INVALID', message: `the program has errors: ${onOneLine(faults)}` };
}

/** An option that does not exist fails only the call that gives it, which may never be made. */
function isCertain({ code }: Diagnostic): boolean {
  return code !== 'PROGRAM_OPTION';
}

function onOneLine(lines: string): string {
  return lines.replaceAll('\n', '; ');
}

// Advice on a skill that loads: nothing here stops it.
//
// Every finding has a place in SKILL.md where there is one to point at.
import type { Report } from '../base/diagnostic.ts';
import type { Span } from '../base/span.ts';
import { bodyTokenLimit } from './estimate-tokens.ts';
import { findReferences } from './find-references.ts';
import { saysWhen } from './says-when.ts';
import { bodyStartOf } from './parse-body.ts';
import { isSafeRelativePath } from './resources.ts';
import type { SkillBody, SkillHead } from './types.ts';

export const triggerCount = { least: 2, most: 5 } as const;
const longTrigger = { words: 10, characters: 80 } as const;

/** `filePaths`: every file of the skill folder, relative with `/`. `text`: the whole SKILL.md. */
export function lintSkill(head: SkillHead, body: SkillBody, filePaths: readonly string[], text: string, report: Report): void {
  lintTriggers(head, text, report);
  if (head.invocation.always) {
    report('LINT_ALWAYS', keySpan(text, 'always'), 'always: true puts the whole body into every prompt', 'remove it unless every conversation needs the skill');
  }
  if (head.descriptionFrom === 'frontmatter' && head.whenToUse === null && !saysWhen(head.description)) {
    report('LINT_DESCRIPTION_WHEN', keySpan(text, 'description'), 'the description does not say when to use the skill', 'add a sentence such as "Use when the user asks for …"');
  }
  if (body.text.trim() === '') report('BODY_EMPTY', null, 'the body is empty', 'write the instructions below the frontmatter');
  if (body.estimatedTokens > bodyTokenLimit) {
    report('BODY_LONG', null, `the body has about ${body.estimatedTokens} tokens, over ${bodyTokenLimit}`, 'move detail into references/');
  }
  lintReferences(head, filePaths, text, report);
  const tested = head.frontmatter['eval_prompts'] !== undefined || filePaths.some((path) => path.startsWith('evals/'));
  if (head.form !== 'instructions' && !tested) {
    report('LINT_TEST_PROMPTS', null, `the ${head.form} has no test prompts`, 'add evals/evals.json with messages that should and should not start it');
  }
}

const operatorWords = /\b(?:dag|metaskills?|meta[- ]skills?|compositions?|sub-?agents?|orchestrat\w*|entry ?points?|internal|subprocess|run_metaskill|meta_invoke)\b|\w_\w/i;
const aboutSkill = /\?\s*$|^(?:what|how|why|when|which|who)\b.*\b(?:skill|work|works|mean|means)\b/i;

function lintTriggers(head: SkillHead, text: string, report: Report): void {
  const count = head.triggers.length;
  if (count === 0 && head.form !== 'composition') return;
  if (count < triggerCount.least || count > triggerCount.most) {
    report('LINT_TRIGGER_COUNT', keySpan(text, 'triggers'), `the skill has ${count} trigger${count === 1 ? '' : 's'}; ${triggerCount.least} to ${triggerCount.most} are recommended`, 'write phrases people type when they want it');
  }
  for (const { phrase } of head.triggers) {
    const fault = triggerFault(phrase);
    if (fault !== null) report('LINT_TRIGGER_WORDING', phraseSpan(text, phrase), `the trigger "${phrase}" ${fault}`, 'write a short phrase with a subject and a goal, such as "review my changes"');
  }
}

function triggerFault(phrase: string): string | null {
  const plain = phrase.replace(/\{[^{}]*\}/g, 'x');
  if (aboutSkill.test(plain)) return 'is a question about the skill, which should not start it';
  if (operatorWords.test(plain)) return 'speaks of how the skill is built, not of what a person wants';
  if (plain.split(/\s+/).length > longTrigger.words || plain.length > longTrigger.characters) return 'is too long to be typed';
  if (phrase.replace(/\{[^{}]*\}/g, '').trim() === '') return 'is only a variable and fits every message';
  return null;
}

function lintReferences(head: SkillHead, filePaths: readonly string[], text: string, report: Report): void {
  const seen = new Set<string>();
  const found = findReferences(text, bodyStartOf(text)).map(({ path, span }): { path: string; span: Span | null } => ({ path, span }));
  if (head.output !== null && /^[\w./-]+\/[\w./-]+$/.test(head.output)) found.push({ path: head.output, span: keySpan(text, 'output') });
  for (const { path, span } of found) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (!isSafeRelativePath(path)) {
      report('LINT_REFERENCE_ESCAPES', span, `"${path}" leads out of the skill folder`, 'copy the file into the folder: the skill must work where it is installed');
      continue;
    }
    const exists = filePaths.some((file) => file === path || file.startsWith(`${path}/`));
    if (!exists) report('LINT_REFERENCE_MISSING', span, `"${path}" does not exist in the skill folder`, 'add the file or correct the path');
    else if (path.split('/').length > 2) report('LINT_REFERENCE_DEEP', span, `"${path}" is more than one level deep`, 'keep files directly in references/, scripts/ or assets/');
  }
}

/** The key of a top-level field; the frontmatter is at the start, so the first line that matches is it. */
function keySpan(text: string, key: string): Span | null {
  const at = text.search(new RegExp(`^${key}[ \\t]*:`, 'm'));
  return at === -1 ? null : { start: at, end: at + key.length };
}

function phraseSpan(text: string, phrase: string): Span | null {
  const at = text.indexOf(phrase);
  return at === -1 ? keySpan(text, 'triggers') : { start: at, end: at + phrase.length };
}

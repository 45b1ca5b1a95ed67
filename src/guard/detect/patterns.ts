// Finds what the text patterns of the rules match, in every view.
import type { Detector, Language } from '../detector.ts';
import { compilePatterns } from '../patterns.ts';
import type { GuardPattern } from '../patterns.ts';
import { rules } from '../rules/rules.ts';
import { isHidden } from './hidden.ts';
import { isAboutSecurity, neverQuoted, shownAs } from './topic.ts';

const scriptLanguages: ReadonlySet<Language> = new Set([
  'shell',
  'python',
  'javascript',
  'powershell',
  'ruby',
  'perl',
  'php',
  'starlark',
  'notebook',
  'html',
]);

const all: GuardPattern[] = [];
const codeOnly: GuardPattern[] = [];
for (const { code, patterns = [] } of rules)
  for (const pattern of patterns)
    (pattern.in === 'code' ? codeOnly : all).push({
      id: code,
      literals: pattern.literals,
      regex: pattern.regex,
      reach: 600,
    });

const everywhere = compilePatterns(all);
const inCode = compilePatterns(codeOnly);

export const patternDetector: Detector = {
  name: 'patterns',
  findInText(text, skill, report, work) {
    const quotes = isAboutSecurity(skill);
    for (const view of text.views) {
      const hidden = isHidden(view);
      const sets = scriptLanguages.has(view.language) || hidden ? [everywhere, inCode] : [everywhere];
      for (const set of sets)
        for (const { id, start, end } of set.find(view.text, work)) {
          // Joined lines put together what stands apart; only an override is long enough to be told from that.
          if (view.kind === 'joined' && view.language === 'markdown' && id !== 'OVERRIDE_INSTRUCTIONS')
            continue;
          const low =
            !hidden &&
            text.language === 'markdown' &&
            !neverQuoted.has(id) &&
            (quotes || isQuoted(view.text, start));
          report({
            rule: id,
            path: text.path,
            start: view.rawOffset(start),
            end: view.rawOffset(end),
            decoded: view.kind === 'raw' ? null : view.text.slice(start, end),
            hiddenBy: view.hiddenBy,
            ...(low ? { severity: isExplained(view.text, start) ? 'low' : shownAs(id) } : {}),
          });
        }
    }
    for (const block of text.embedded) {
      if (!scriptLanguages.has(block.language)) continue;
      for (const { id, start, end } of inCode.find(block.text, work))
        report({
          rule: id,
          path: text.path,
          start: block.rawOffset(start),
          end: block.rawOffset(end),
          decoded: block.hiddenBy.length === 0 ? null : block.text.slice(start, end),
          hiddenBy: block.hiddenBy,
          ...(quotes ? { severity: shownAs(id) } : {}),
        });
    }
  },
};

const about =
  /attack|malicious|\binject|\bdetect|\bflag(?:s|ged)?\b|suspicious|forbid|prohibit|threat|jailbreak|phish|\brefus|\breject|red flag|unsafe|vulnerab|✗|❌|伪装|注入|恶意|攻击/i;

/** In quotation marks, and on a line that warns of it: only both together are what an explanation looks like. */
function isExplained(text: string, start: number): boolean {
  if (!/["“'‘`]\s?$/.test(text.slice(Math.max(0, start - 2), start))) return false;
  const newline = text.indexOf('\n', start);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  return about.test(
    text.slice(
      Math.max(lineStart, start - 150),
      Math.min(newline === -1 ? text.length : newline, start + 150),
    ),
  );
}

/** In a row of a table, in quotation marks, or on a line that warns of it. */
function isQuoted(text: string, start: number): boolean {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(Math.max(lineStart, start - 150), start);
  if (/^\s{0,3}\|/.test(text.slice(lineStart, lineStart + 5)) || /["“'‘]\s?$/.test(before)) return true;
  const newline = text.indexOf('\n', start);
  return (
    about.test(before) ||
    about.test(text.slice(start, Math.min(newline === -1 ? text.length : newline, start + 150)).slice(20))
  );
}

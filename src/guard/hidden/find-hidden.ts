// Reports what the making of views noted as hidden, at most so many for each rule, severity and file; the last one says how many more there are.
import type { Detector, HiddenText, ScannedText } from '../detector.ts';
import type { Severity } from '../report.ts';

const maxForRule = 20;
/** Words that speak to a model or of commands: with them, what is merely odd is suspicious. */
const telling =
  /ignore|disregard|override|instruction|system\s{0,4}prompt|you must|do not (?:tell|mention|show)|without (?:telling|asking)|assistant|credential|password|secret|api.?key|token|curl|wget|bash|eval|exec|upload|https?:\/\//i;

const raised: { readonly [rule: string]: Severity } = {
  HIDDEN_STYLED_LETTERS: 'medium',
  HIDDEN_SPACED_LETTERS: 'medium',
  HIDDEN_SOFT_HYPHEN: 'medium',
};

/** Letters that formulas and names of molecules are written with: `FcγRIIIa`. What they spell is judged all the same. */
const symbols = /^[\p{Script=Latin}\d\s_α-ωΔΣΩΓΛΦΨΘ-]+$/u;

/** `undefined`: as the rule says. What pages and examples of code hide is how pages work, unless it speaks to a model. */
function severityOf(
  { rule, start, end, decoded }: HiddenText,
  { raw, language }: ScannedText,
  fences: readonly (readonly [number, number])[],
): Severity | undefined {
  if (telling.test(decoded)) return raised[rule];
  if (rule === 'HIDDEN_STYLE')
    return language === 'html' || fences.some(([from, to]) => from <= start && end <= to) ? 'low' : undefined;
  const isSymbol =
    rule === 'HIDDEN_LOOK_ALIKES' &&
    symbols.test(raw.slice(start, end)) &&
    !/[οικνυ]/.test(raw.slice(start, end));
  return isSymbol ? 'low' : undefined;
}

/** Where the fenced code blocks of Markdown begin and end. */
function fencesOf({ raw, language }: ScannedText): readonly (readonly [number, number])[] {
  if (language !== 'markdown') return [];
  const found: [number, number][] = [];
  let open: { readonly fence: string; readonly start: number } | null = null;
  for (const match of raw.matchAll(/^[ \t>]{0,12}(`{3,40}|~{3,40})[^\n`]{0,200}$/gm)) {
    const fence = match[1] as string;
    if (open === null) open = { fence, start: match.index };
    else if (fence.startsWith(open.fence)) {
      found.push([open.start, match.index]);
      open = null;
    }
  }
  return found;
}

export const findHidden: Detector = {
  name: 'hidden-text',
  findInText(text, _skill, report) {
    const counts = new Map<string, number>();
    const keyOf = (rule: string, severity: Severity | undefined): string => `${rule} ${severity ?? ''}`;
    const fences = fencesOf(text);
    const totals = new Map<string, number>();
    for (const one of text.hidden) {
      const key = keyOf(one.rule, severityOf(one, text, fences));
      totals.set(key, (totals.get(key) ?? 0) + 1);
    }
    for (const one of text.hidden) {
      const { rule, way, start, end, decoded } = one;
      const severity = severityOf(one, text, fences);
      // Many harmless ones must not use up the place of one that is not.
      const key = keyOf(rule, severity);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      if (count >= maxForRule) continue;
      const more = count === maxForRule - 1 ? (totals.get(key) as number) - maxForRule : 0;
      report({
        rule,
        path: text.path,
        start,
        end,
        decoded: decoded === '' ? null : decoded,
        hiddenBy: [way],
        ...(severity === undefined ? {} : { severity }),
        ...(more > 0 ? { message: `This file hides text in the same way at ${more} more places.` } : {}),
      });
    }
  },
};

// Reports what the making of views noted as hidden, at most so many for each rule, severity and file; the last one says how many more there are.
import type { Detector } from '../detector.ts';
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

export const findHidden: Detector = {
  name: 'hidden-text',
  findInText(text, _skill, report) {
    const counts = new Map<string, number>();
    const keyOf = (rule: string, severity: Severity | undefined): string => `${rule} ${severity ?? ''}`;
    const totals = new Map<string, number>();
    for (const { rule, decoded } of text.hidden) {
      const key = keyOf(rule, telling.test(decoded) ? raised[rule] : undefined);
      totals.set(key, (totals.get(key) ?? 0) + 1);
    }
    for (const { rule, way, start, end, decoded } of text.hidden) {
      const severity = telling.test(decoded) ? raised[rule] : undefined;
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

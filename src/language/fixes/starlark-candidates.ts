// A fault of a program -> edits that may correct it.
import type { Span } from '../../base/span.ts';
import { lineAt } from '../../base/span.ts';
import type { Candidate, Finding } from './candidates.ts';

type Rule = (
  finding: Finding & { readonly span: Span; readonly line: Span; readonly written: string },
) => readonly Candidate[];

export function starlarkCandidates(finding: Finding): readonly Candidate[] {
  if (finding.code === 'PROGRAM_RUN_MISSING') return missingRun(finding);
  const { span, text } = finding;
  const rule = rules[finding.code];
  if (span === null || rule === undefined) return [];
  return rule({
    ...finding,
    span,
    line: lineAt(text, span.start),
    written: text.slice(span.start, span.end),
  });
}

function replace(title: string, { start, end }: Span, text: string): readonly Candidate[] {
  return [{ title, changes: [{ start, end, text }] }];
}

function missingRun({ text, span }: Finding): readonly Candidate[] {
  if (span !== null) {
    const { start, end } = lineAt(text, span.start);
    return replace('Write def run(input):', { start, end }, 'def run(input):');
  }
  const lead = text === '' || text.endsWith('\n') ? '' : '\n';
  return replace(
    'Add def run(input):',
    { start: text.length, end: text.length },
    `${lead}\ndef run(input):\n    return {"answer": ""}\n`,
  );
}

/** The first match of `pattern` from the finding on, on its line. */
function onLine(
  { text, line, span }: { readonly text: string; readonly line: Span; readonly span: Span },
  pattern: RegExp,
): Span | null {
  for (const from of [span.start, line.start]) {
    const found = pattern.exec(text.slice(from, line.end));
    if (found !== null) return { start: from + found.index, end: from + found.index + found[0].length };
  }
  return null;
}

function instead(pattern: RegExp, by: string, title = `Write ${by}`): Rule {
  return (finding) => {
    const at = onLine(finding, pattern);
    return at === null ? [] : replace(title, at, by);
  };
}

const rules: { readonly [code: string]: Rule } = {
  STAR_TABS: ({ text }) => {
    const made = text.replace(/^[ \t]*\t[ \t]*/gm, (blanks) => ' '.repeat(columnsOf(blanks)));
    return replace('Indent with spaces', { start: 0, end: text.length }, made);
  },
  STAR_IS: (finding) => [...instead(/\bis not\b/, '!=')(finding), ...instead(/\bis\b/, '==')(finding)],
  STAR_WALRUS: instead(/:=/, '='),
  STAR_ELSE_IF: instead(/\belse\s+if\b/, 'elif'),
  STAR_OPERATOR: (finding) => [
    ...instead(/&&/, 'and')(finding),
    ...instead(/\|\|/, 'or')(finding),
    ...instead(/<>/, '!=')(finding),
    ...instead(/!(?!=)\s*/, 'not ')(finding),
  ],
  STAR_INCREMENT: (finding) => {
    const at = onLine(finding, /[\w.[\]]+\s*(?:\+\+|--)/);
    if (at === null) return [];
    const [, name = '', sign = ''] = /^(.*?)\s*(\+\+|--)$/.exec(finding.text.slice(at.start, at.end)) ?? [];
    const made = `${name} ${sign.charAt(0)}= 1`;
    return replace(`Write ${made}`, at, made);
  },
  STAR_NUMBER: ({ hint, span }) =>
    [...hint.matchAll(/\b(0o[0-7]+|\d[\d.e+-]*)\b/g)]
      .map(([, number]) => replace(`Write ${number as string}`, span, number as string))
      .flat(),
  STAR_ESCAPE: ({ span, written }) =>
    written.startsWith('\\')
      ? replace('Double the backslash', { start: span.start, end: span.start + 1 }, '\\\\')
      : [],
  STAR_PRINT: (finding) => {
    const { text, line } = finding;
    const found = /\bprint\s+(.*\S)/.exec(text.slice(line.start, line.end));
    if (found === null) return [];
    const start = line.start + found.index;
    return replace('Write print(…)', { start, end: start + found[0].length }, `print(${found[1] as string})`);
  },
  STAR_SET_DISPLAY: ({ text, line }) => {
    const found = /\{([^{}:]*)\}/.exec(text.slice(line.start, line.end));
    if (found === null) return [];
    const start = line.start + found.index;
    return replace(
      `Write set([${found[1] as string}])`,
      { start, end: start + found[0].length },
      `set([${found[1] as string}])`,
    );
  },
  STAR_GENERATOR: ({ text, line, span }) => {
    const open = text.lastIndexOf('(', span.start);
    const close = text.indexOf(')', span.start);
    if (open < line.start || close < 0 || close > line.end) return [];
    return [
      {
        title: 'Write a list comprehension',
        changes: [
          { start: open + 1, end: open + 1, text: '[' },
          { start: close, end: close, text: ']' },
        ],
      },
    ];
  },
  STAR_STRING_CONCATENATION: ({ span }) =>
    replace('Put + between the strings', { start: span.start, end: span.start }, '+ '),
  STAR_CHARACTER: ({ text, line, span }) => {
    const shown = text.slice(line.start, line.end);
    const straight = shown
      .replace(/[“”„‟]/g, '"')
      .replace(/[‘’‚‛]/g, "'")
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/\u00a0/g, ' ');
    return [
      ...(straight === shown ? [] : replace('Write plain characters', line, straight)),
      ...replace('Remove it', span, ''),
    ];
  },
  STAR_SYNTAX: ({ hint, text, line }) =>
    hint === "end the line with ':'"
      ? replace("End the line with ':'", { start: endOfCode(text, line), end: endOfCode(text, line) }, ':')
      : [],
  STAR_ANNOTATION: (finding) => {
    const { text, line } = finding;
    const shown = text.slice(line.start, line.end);
    const plain = shown
      .replace(/(\b\w+)\s*:\s*[\w[\], .|]+?(?=\s*[,)=])/g, '$1')
      .replace(/\)\s*->\s*[^:]+:/, '):');
    return plain === shown ? [] : replace('Remove the annotations', line, plain);
  },
  STAR_DECORATOR: ({ text, line }) =>
    replace('Remove the decorator', { start: line.start, end: Math.min(text.length, line.end + 1) }, ''),
  STAR_ASYNC: instead(/\b(?:async|await)\s+/, '', 'Remove it'),
  STAR_FORMAT: ({ written, span }) => {
    const plain = /^%[-+ 0#]*\d*(?:\.\d+)?([a-zA-Z])$/.exec(written)?.[1];
    return plain === undefined ? [] : replace(`Write %${plain}`, span, `%${plain}`);
  },
  STAR_FSTRING: ({ text, line, span }) => {
    const found = /^f(["'])((?:[^\\\n])*?)\1/.exec(text.slice(span.start, line.end));
    if (found === null) return [];
    const values: string[] = [];
    const template = (found[2] as string).replace(/\{([^{}:!]+)\}/g, (_all, value: string) => {
      values.push(value);
      return '{}';
    });
    const quote = found[1] as string;
    return replace(
      'Write it with format',
      { start: span.start, end: span.start + found[0].length },
      `${quote}${template}${quote}.format(${values.join(', ')})`,
    );
  },
  STAR_ASSERT: ({ text, line }) => {
    const found = /^([ \t]*)assert\s+(.+?)(?:,\s*(.+))?$/.exec(text.slice(line.start, line.end));
    if (found === null) return [];
    const [, blanks = '', condition = '', message = '"assertion failed"'] = found;
    return replace('Write if not …: fail(…)', line, `${blanks}if not (${condition}): fail(${message})`);
  },
  STAR_CHAINED_COMPARISON: ({ text, line }) => {
    const found = /([\w.]+)\s*(<=?|>=?|==|!=)\s*([\w.]+)\s*(<=?|>=?|==|!=)\s*([\w.]+)/.exec(
      text.slice(line.start, line.end),
    );
    if (found === null) return [];
    const [all, a = '', one = '', b = '', other = '', c = ''] = found;
    const start = line.start + found.index;
    return replace(
      'Join two comparisons with and',
      { start, end: start + all.length },
      `${a} ${one} ${b} and ${b} ${other} ${c}`,
    );
  },
  STAR_BRACKET: ({ span, written, text, line }) =>
    /^[)\]}]$/.test(written)
      ? replace('Remove it', span, '')
      : replace('Close the bracket', { start: endOfCode(text, line), end: endOfCode(text, line) }, ')'),
  STAR_WHILE: ({ text, line }) => {
    const found = /^([ \t]*)while\s+(True|1)\s*:/.exec(text.slice(line.start, line.end));
    return found === null
      ? []
      : replace(
          'Write a bounded for loop',
          { start: line.start, end: line.start + found[0].length },
          `${found[1] as string}for _ in range(1000):`,
        );
  },
  STAR_TRAILING_COMMA: ({ span }) => replace('Remove the comma', span, ''),
};

/** Before a comment and blanks. */
function endOfCode(text: string, { start, end }: Span): number {
  const comment = /\s*(?:#[^"']*)?$/.exec(text.slice(start, end));
  return comment === null ? end : start + comment.index;
}

function columnsOf(blanks: string): number {
  let columns = 0;
  for (const unit of blanks) columns += unit === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}

// The tags that are not understood, and what to say about them.
import type { DiagnosticCode } from '../../base/codes.ts';

interface Refusal {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
}

const hermetic = (what: string): Refusal => ({
  code: 'TEMPLATE_HERMETIC',
  message: `a template cannot ${what}`,
  hint: 'templates see nothing but their variables; put the text here, or pass it in as a variable',
});
const absent = (message: string, hint: string): Refusal => ({ code: 'TEMPLATE_TAG', message, hint });

/** Tags without an end tag. */
export const refusedTags: ReadonlyMap<string, Refusal> = new Map([
  ['include', hermetic('include another one')],
  ['import', hermetic('import from another one')],
  ['from', hermetic('import from another one')],
  ['extends', hermetic('extend another one')],
  [
    'do',
    absent(
      'there is no tag "do"',
      'values never change here, so there would be nothing to do; use {% set %}',
    ),
  ],
  ['break', absent('a loop cannot be left early', 'choose the items with "for … if …"')],
  [
    'continue',
    absent(
      'a round of a loop cannot be skipped',
      'choose the items with "for … if …", or use {% if %} inside the loop',
    ),
  ],
  ['debug', absent('there is no tag "debug"', 'print a value with {{ value | tojson }}')],
  ['while', absent('there is no tag "while"', 'loop over a list with {% for %}')],
  ['elseif', absent('there is no tag "elseif"', 'write "elif"')],
]);

interface RefusedBlock {
  readonly end: string;
  readonly message: string;
  readonly hint: string;
}

/** Tags that open a block. */
export const blockTags: ReadonlyMap<string, RefusedBlock> = new Map([
  [
    'block',
    {
      end: 'endblock',
      message: 'there are no named blocks',
      hint: 'they are for templates that extend others; use {% macro %}, or put the text here',
    },
  ],
  [
    'autoescape',
    {
      end: 'endautoescape',
      message: 'nothing is escaped by itself',
      hint: 'escape each value: {{ value | xml_escape }}',
    },
  ],
  ['trans', { end: 'endtrans', message: 'there is no translation', hint: 'pass the text in as a variable' }],
]);

/** Tags that only mean something inside a block. */
export const aloneTags: ReadonlySet<string> = new Set([
  'elif',
  'else',
  'endif',
  'endfor',
  'endset',
  'endwith',
  'endmacro',
  'endcall',
  'endfilter',
  'endraw',
  'endblock',
  'endautoescape',
  'endtrans',
  'pluralize',
]);

/** For "did you mean". */
export const knownTags: readonly string[] = [
  'if',
  'for',
  'set',
  'with',
  'macro',
  'call',
  'filter',
  'print',
  'raw',
  ...aloneTags,
];

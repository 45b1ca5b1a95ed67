// Our answer against Jinja's.
//
// Q1. Equal text, or an error of the same kind; for what is undefined or unsafe, also of the same words.
// Q2. A difference is only accepted for a reason that is listed here and in docs/decisions/0012-templates.md.
import { compileExpression, compileTemplate, type Data } from '../../../src/template/template.ts';
import type { DiagnosticCode } from '../../../src/base/codes.ts';

export interface Question {
  readonly template?: string;
  readonly expression?: string;
  readonly variables: { readonly [name: string]: Data };
}

export interface OracleAnswer {
  readonly text?: string;
  readonly truth?: boolean;
  readonly error?: string;
  readonly message?: string;
  readonly phase?: 'compile' | 'render';
}

export interface OwnAnswer {
  readonly value?: string | boolean;
  readonly code?: DiagnosticCode;
  readonly message?: string;
}

export function ownAnswer(question: Question): OwnAnswer {
  const { template, expression, variables } = question;
  if (expression !== undefined) {
    const compiled = compileExpression(expression);
    if (!compiled.ok) return notCompiled(compiled.diagnostics);
    const outcome = compiled.expression.test(variables);
    return outcome.ok
      ? { value: outcome.value }
      : { code: outcome.diagnostic.code, message: outcome.diagnostic.message };
  }
  const compiled = compileTemplate(template as string);
  if (!compiled.ok) return notCompiled(compiled.diagnostics);
  const outcome = compiled.template.render(variables);
  return outcome.ok
    ? { value: outcome.value }
    : { code: outcome.diagnostic.code, message: outcome.diagnostic.message };
}

function notCompiled(
  diagnostics: readonly { readonly code: DiagnosticCode; readonly message: string }[],
): OwnAnswer {
  const [first] = diagnostics;
  return { code: first?.code as DiagnosticCode, message: first?.message as string };
}

const kinds: { readonly [error: string]: readonly string[] } = {
  UndefinedError: ['EVAL_UNDEFINED'],
  SecurityError: ['EVAL_UNSAFE'],
  TypeError: ['EVAL_TYPE', 'EVAL_ARGUMENTS', 'EVAL_UNHASHABLE'],
  ValueError: ['EVAL_VALUE'],
  UnicodeEncodeError: ['EVAL_VALUE'],
  UnicodeDecodeError: ['EVAL_VALUE'],
  LookupError: ['EVAL_VALUE'],
  OverflowError: ['EVAL_VALUE', 'INT_LIMIT', 'MEMORY_LIMIT'],
  MemoryError: ['MEMORY_LIMIT'],
  ZeroDivisionError: ['EVAL_ZERO_DIVISION'],
  KeyError: ['EVAL_KEY'],
  IndexError: ['EVAL_INDEX'],
  AttributeError: ['EVAL_ATTRIBUTE'],
  FilterArgumentError: ['EVAL_ARGUMENTS'],
  TemplateRuntimeError: ['EVAL_ARGUMENTS'],
  RecursionError: ['DEPTH_LIMIT', 'TEMPLATE_TOO_DEEP'],
};

function isSyntaxError(error: string): boolean {
  return error === 'TemplateSyntaxError' || error === 'TemplateAssertionError' || error === 'SyntaxError';
}

/** `same`, the reason why it may differ, or what is wrong. */
export type Verdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'justified'; readonly reason: string }
  | { readonly kind: 'different' };

const same: Verdict = { kind: 'same' };
const different: Verdict = { kind: 'different' };
const justified = (reason: string): Verdict => ({ kind: 'justified', reason });

export function compare(own: OwnAnswer, oracle: OracleAnswer): Verdict {
  const expected = oracle.text ?? oracle.truth;
  if (expected !== undefined) {
    if (own.value === expected) return same;
    // The text of a method, an iterator or the like holds its address in memory.
    if (typeof expected === 'string' && / at 0x[0-9a-f]+|[0-9a-f]+x0 ta |<bound method/i.test(expected))
      return justified('address');
    return excused(own) ?? different;
  }
  const error = oracle.error as string;
  if (isSyntaxError(error)) return own.code?.startsWith('TEMPLATE_') === true ? same : different;
  const isOfTheKind = own.code !== undefined && kinds[error]?.includes(own.code) === true;
  const saysTheSame =
    (error !== 'UndefinedError' && error !== 'SecurityError') || own.message === oracle.message;
  if (isOfTheKind && saysTheSame) return same;
  // Jinja works out constants when it compiles: what fails in them fails there, before anything else and also in a
  // branch that is never taken.
  if (oracle.phase === 'compile') return justified('constant folded');
  // A constant that is infinite is written into Jinja's code by a name that is not there.
  if (error === 'NameError') return justified('constant folded');
  return excused(own) ?? different;
}

/** What we say no to, and Jinja does not. */
function excused({ code, message = '' }: OwnAnswer): Verdict | null {
  if (message.includes('cannot be given by name')) return justified('character by name');
  // A constant that is cut into parts, although it has none, is undefined to Jinja, and a failure when it is no constant.
  if (message.endsWith('object is not subscriptable')) return justified('constant folded');
  if (code === 'INT_LIMIT') return justified('limit');
  if (message.includes('a power that is not whole')) return justified('complex number');
  // To Jinja, "{{" in an expression begins a dict whose key is a dict, which fails when it runs.
  if (message.includes('is written without "{{ }}"')) return justified('checked early');
  // Jinja looks for a filter or test inside an `if` only when it is used.
  const isEarly =
    code === 'TEMPLATE_FILTER' ||
    code === 'TEMPLATE_TEST' ||
    code === 'TEMPLATE_HERMETIC' ||
    message.includes('a part of a value cannot be assigned to');
  if (isEarly) return justified('checked early');
  // Jinja takes a comment or raw block that begins at the very end for a whole one.
  return code === 'TEMPLATE_UNCLOSED' && /^the (?:comment|raw block)/.test(message)
    ? justified('unclosed at the end')
    : null;
}

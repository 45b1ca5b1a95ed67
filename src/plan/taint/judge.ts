// What a template writes, and where to -> what is unsafe about it.
//
//   prompt, person, tool, exec   user text must be escaped and bounded; step output bounded or escaped
//   data                         user text must be bounded; step output bounded or escaped, or handed over whole
//   argv                         bounded, and not able to begin with a dash
//   tool-argv                    as tool, and not able to begin with a dash
//   shell                        letters, digits, "-" and "_" only
//   program                      nothing from outside
//   name                         nothing from outside: which skill, tool or model it is
//
// There is one finding for each `{{ … }}`, about its worst part. A lone `{{ … }}` in a `data` place passes the value
// itself; it does not become text.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Sink } from '../draft.ts';
import type { Atom } from './abstract-value.ts';
import { mostCharacters } from './abstract-value.ts';
import { textAtoms } from './as-text.ts';
import { lostText } from './lost-value.ts';
import type { Piece } from './written-piece.ts';

export interface TaintFinding {
  readonly code: DiagnosticCode;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly hint: string;
  /** Filters that would fix it, as they are written: `xml_escape | truncate(2000)`. */
  readonly filters: string | null;
}

const userCharacters = 2000;
const outputCharacters = 4000;

export function judgeTaint(pieces: readonly Piece[], sink: Sink, guarded: boolean): readonly TaintFinding[] {
  if (sink === 'none') return [];
  const written = pieces.filter(
    ({ value }) => !(typeof value.constant === 'string' && value.constant === ''),
  );
  const lone = written.length === 1 && written[0]?.lone === true;
  const findings: TaintFinding[] = [];
  let leads = true;
  for (const piece of written) {
    const finding = judgePiece(piece, sink, guarded || !leads, lone);
    if (finding !== null) findings.push(finding);
    if (piece.certain && typeof piece.value.constant === 'string') leads = false;
  }
  return findings;
}

function judgePiece(
  { value, start, end, isOutput }: Piece,
  sink: Sink,
  behind: boolean,
  lone: boolean,
): TaintFinding | null {
  const bounded = (one: Atom): boolean => one.bound <= mostCharacters;
  const found = (
    code: DiagnosticCode,
    one: Atom,
    message: string,
    filters: string | null,
    hint?: string,
  ): TaintFinding => ({
    code,
    start,
    end,
    message: `${nameOf(one)} ${message}`,
    filters: isOutput && !one.crumb ? filters : null,
    hint:
      hint ??
      (one.crumb
        ? 'cut the text before it is taken apart, such as (text | truncate(2000)).split()'
        : `write {{ … | ${filters} }}`),
  });
  const atoms = textAtoms(value);
  const foreign = atoms.filter(({ origin }) => origin !== 'given');
  switch (sink) {
    case 'name': {
      const [one] = atoms;
      return one === undefined
        ? null
        : found(
            'TAINT_COMMAND',
            one,
            'decides what is run',
            null,
            'choose among literal names, such as {{ "one" if … else "two" }}',
          );
    }
    case 'program': {
      const [one] = atoms;
      return one === undefined
        ? null
        : found(
            'TAINT_COMMAND',
            one,
            'becomes part of the command itself',
            null,
            'write the command as it is, and hand values over in args, env or stdin',
          );
    }
    case 'shell': {
      const one = atoms.find(({ slug }) => !slug);
      return one === undefined
        ? null
        : found(
            'TAINT_COMMAND',
            one,
            'becomes part of a command line, where only letters, digits, "-" and "_" are safe',
            null,
            'write the command as a list, with it as an argument of its own, or use slugify',
          );
    }
    case 'argv': {
      const long = foreign.find((one) => !bounded(one));
      if (long !== undefined)
        return found(
          'TAINT_ARGUMENT',
          long,
          'reaches an argument of a command without a bound',
          `truncate(${userCharacters})`,
        );
      return dashFinding();
    }
    case 'data': {
      const user = foreign.find((one) => one.origin === 'user' && !bounded(one));
      if (user !== undefined)
        return found('TAINT_TOOL', user, 'is handed on without a bound', `truncate(${userCharacters})`);
      const output = lone
        ? undefined
        : foreign.find((one) => one.origin === 'output' && !bounded(one) && !one.escaped);
      return output === undefined
        ? null
        : found(
            'TAINT_TOOL',
            output,
            'becomes part of a text without a bound',
            `truncate(${outputCharacters})`,
          );
    }
    case 'none':
      return null;
    case 'prompt':
    case 'person':
    case 'tool':
    case 'tool-argv':
    case 'exec': {
      const code =
        sink === 'prompt' || sink === 'person'
          ? 'TAINT_PROMPT'
          : sink === 'tool-argv'
            ? 'TAINT_ARGUMENT'
            : 'TAINT_TOOL';
      const place = {
        prompt: 'a prompt',
        person: 'a question',
        tool: 'a tool',
        'tool-argv': 'an argument of a command',
        exec: 'the entry point of a skill',
      }[sink];
      const user = foreign.find((one) => one.origin === 'user' && !(one.escaped && bounded(one)));
      if (user !== undefined) {
        const lacks =
          !user.escaped && !bounded(user)
            ? 'unescaped and without a bound'
            : user.escaped
              ? 'without a bound'
              : 'unescaped';
        const filters = [
          ...(user.escaped ? [] : ['xml_escape']),
          ...(bounded(user) ? [] : [`truncate(${userCharacters})`]),
        ].join(' | ');
        return found(code, user, `reaches ${place} ${lacks}`, filters);
      }
      const output = foreign.find((one) => one.origin === 'output' && !bounded(one) && !one.escaped);
      if (output !== undefined)
        return found(code, output, `reaches ${place} without a bound`, `truncate(${outputCharacters})`);
      return sink === 'tool-argv' ? dashFinding() : null;
    }
  }

  function dashFinding(): TaintFinding | null {
    const dashed = behind ? undefined : foreign.find(({ dash, behind: isBehind }) => dash && !isBehind);
    return dashed === undefined
      ? null
      : found(
          'TAINT_ARGUMENT',
          dashed,
          'may begin with "-" and be read as an option',
          null,
          'put "--" before it, or write it as --name={{ … }}',
        );
  }
}

function nameOf({ what, origin }: Atom): string {
  if (what === lostText) return what;
  if (what === 'error' || what.startsWith('errors')) return `${what}, the text of an error,`;
  return origin === 'user'
    ? `${what}, which a person wrote,`
    : origin === 'output'
      ? `${what}, the output of a step,`
      : `${what}, which the caller of the skill gives,`;
}

// Explains a syntax error of the YAML library to an author.
//
//   error, place -> message, hint
import { lineAt } from '../../base/span.ts';

const quoteIt = 'put the value in quotes';
const badIndent = {
  message: 'the indentation does not fit the lines above',
  hint: 'give entries of one map or list the same indentation',
};

/** An error of the library, whose own type stays in `parse-full.ts`. */
interface SyntaxFault {
  readonly code: string;
  readonly message: string;
}

export function explainSyntax(
  error: SyntaxFault,
  text: string,
  at: number,
): { message: string; hint: string } {
  switch (error.code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      return explainColon(text.slice(at, lineAt(text, at).end));
    case 'MULTILINE_IMPLICIT_KEY':
      return {
        message: 'a line is neither "key: value" nor indented under the key before it',
        hint: 'indent the text by two spaces, or use "key: >-" and indent it below',
      };
    case 'BAD_SCALAR_START':
      return { message: `a value cannot begin with "${text.charAt(at)}"`, hint: quoteIt };
    case 'TAB_AS_INDENT':
      return { message: 'a tab is used as indentation', hint: 'indent with spaces' };
    case 'BAD_DQ_ESCAPE':
      return {
        message: `"${text.slice(at, at + 2)}" is not an escape in double quotes`,
        hint: 'write the backslash twice, or use single quotes',
      };
    case 'BAD_INDENT': {
      const closing = /end with a ([}\]])/.exec(error.message)?.[1];
      if (closing !== undefined)
        return {
          message: `a "${closing === '}' ? '{' : '['}" is never closed, or continues on a line that is not indented`,
          hint: `close it with "${closing}"`,
        };
      return badIndent;
    }
    case 'MULTIPLE_DOCS':
      return {
        message: 'a second document begins here',
        hint: 'keep the frontmatter one document; a "---" line closes it',
      };
    case 'KEY_OVER_1024_CHARS':
      return { message: 'a key is over 1024 characters', hint: quoteIt };
    case 'MISSING_CHAR':
      if (error.message.startsWith('Sequence item without')) return badIndent;
      if (error.message.includes('Implicit map keys'))
        return {
          message: 'a line has no ":" after its key',
          hint: 'write "key: value", or indent the line under the key before it',
        };
      return {
        message: missing(error.message),
        hint: error.message.includes('closing')
          ? 'close it with the same quote; a quote inside is written twice, or the value goes into the other kind of quotes'
          : quoteIt,
      };
    default: {
      const line = lineAt(text, at);
      const list = /^\s*-\s/.test(text.slice(line.start, Math.min(line.end, line.start + 200)));
      return {
        message: `this is not valid YAML: ${firstLine(error.message)}`,
        hint: list ? 'put the item in quotes' : quoteIt,
      };
    }
  }
}

/** `line` is what is left of the line. The ": " may be in a line below, which its indentation makes a part of the value. */
function explainColon(line: string): { message: string; hint: string } {
  if (/:(?:\s|$)/.test(line)) return { message: 'a value that contains ": " needs quotes', hint: quoteIt };
  if (/^\s*-(?:\s|$)/.test(line)) return badIndent;
  return {
    message: 'the next line is indented, so it is part of this value, which then cannot contain a ":"',
    hint: 'give the line the indentation of this one, or put the value in quotes',
  };
}

function missing(message: string): string {
  if (message.includes('closing')) return 'a quoted value is never closed';
  return `this is not valid YAML: ${firstLine(message)}`;
}

function firstLine(message: string): string {
  const text = (message.split('\n', 1)[0] ?? '').slice(0, 120);
  return text.charAt(0).toLowerCase() + text.slice(1);
}

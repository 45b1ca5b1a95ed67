// Whether a text is safe to pass to the YAML library.
//
//   text[start, end) -> null | why not
//
// One pass, before the library: it recurses once per bracket, per `- ` or `? ` on a line and per `: ` chained on a line,
// and makes several objects (and an Error per fault) for each token. The counts ignore quoting, so they are upper bounds;
// real files are far below the limits.
import type { DiagnosticCode } from '../../base/codes.ts';
import type { Span } from '../../base/span.ts';
import { yamlLimits } from './node.ts';

/** Brackets or indicators open at one place. The exact depth limit is applied to the tree. */
const maxOpen = 4 * yamlLimits.depth;
/**
 * Indicators in all. The library takes up to 15 µs for each (an unknown directive, a bad escape), so
 * this keeps the worst input under 50 ms; what is longer is read entry by entry (`repair`).
 */
const maxIndicators = 2000;

interface Overload {
  readonly code: DiagnosticCode;
  readonly span: Span;
  readonly message: string;
  readonly hint: string;
}

export function measureLoad(text: string, start: number, end: number): Overload | null {
  if (end - start > yamlLimits.bytes)
    return overload(
      'FRONTMATTER_TOO_LARGE',
      start,
      `the frontmatter has ${end - start} characters; the limit is ${yamlLimits.bytes}`,
    );
  let open = 0;
  let chained = 0;
  let indicators = 0;
  for (let at = start; at < end; at += 1) {
    switch (text.charCodeAt(at)) {
      case 10 /* newline */:
      case 44 /* , */:
        chained = 0;
        break;
      case 34 /* " */:
      case 39 /* ' */:
        chained = 0;
        break;
      case 91 /* [ */:
      case 123 /* { */:
        open += 1;
        break;
      case 93 /* ] */:
      case 125 /* } */:
        if (open > 0) open -= 1;
        break;
      case 45 /* - */:
      case 63 /* ? */:
      case 58 /* : */: {
        const next = text.charCodeAt(at + 1);
        if (next > 32) continue;
        chained += 1;
        break;
      }
      case 92 /* \ */:
      case 38 /* & */:
      case 42 /* * */:
      case 33 /* ! */:
        break;
      default:
        continue;
    }
    indicators += 1;
    if (open > maxOpen || chained > maxOpen)
      return overload(
        'YAML_TOO_DEEP',
        at,
        `more than ${maxOpen} levels are open here; the limit is ${yamlLimits.depth}`,
      );
    if (indicators > maxIndicators)
      return overload(
        'YAML_TOO_MANY_NODES',
        at,
        `the frontmatter is not plain YAML and has more than ${maxIndicators} indicators and lines`,
      );
  }
  return null;
}

function overload(code: DiagnosticCode, at: number, message: string): Overload {
  return { code, span: { start: at, end: at + 1 }, message, hint: 'move data into a file of its own' };
}

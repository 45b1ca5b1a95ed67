// One line about diagnostics that a list has seen: it reads only heads, `techne check` reads everything.
import { counted } from '../base/render-table.ts';

/** null if there are none. */
export function problemsText(
  { error, warning }: { readonly error: number; readonly warning: number },
  quiet = false,
): string | null {
  if (error + warning === 0) return null;
  const parts = [
    ...(error > 0 ? [counted(error, 'error')] : []),
    ...(warning > 0 ? [counted(warning, 'warning')] : []),
  ];
  return `${parts.join(' and ')} in skill files${quiet ? '' : '; "techne check" shows them'}`;
}

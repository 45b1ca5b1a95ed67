// What was seen of skill files in passing: heads alone are read for a list, `techne check` reads everything.
import { counted } from '../base/render-table.ts';

/** null when nothing was seen. */
export function problemsText(
  { error, warning }: { readonly error: number; readonly warning: number },
  quiet = false,
): string | null {
  if (error + warning === 0) return null;
  const parts = [
    ...(error > 0 ? [counted(error, 'error')] : []),
    ...(warning > 0 ? [counted(warning, 'warning')] : []),
  ];
  return `${parts.join(' and ')} seen in skill files${quiet ? '' : '; "techne check" looks at all of them, and closer'}`;
}

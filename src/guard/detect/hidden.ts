// Whether a view shows what a person does not see.
import type { View } from '../detector.ts';
import { normalisations } from '../view/hidden-by.ts';

/** Ways to hide text from a person; the other views only tidy text that is visible anyway. */
export function isHidden(view: Pick<View, 'kind' | 'hiddenBy'>): boolean {
  return view.kind === 'fragment' && view.hiddenBy.some((way) => !normalisations.has(way));
}

// All ways to read a text, made once for all detectors.
//
//   text -> raw, normalised, joined, and one view for each part that was hidden or encoded
import type { Language, View, ViewKind } from '../detector.ts';
import type { Mapped } from './mapped-text.ts';
import { unchanged } from './mapped-text.ts';

export function makeViews(text: string, language: Language): readonly View[] {
  return [viewOf('raw', unchanged(text), [], language)];
}

export function viewOf(
  kind: ViewKind,
  mapped: Mapped,
  hiddenBy: readonly string[],
  language: Language,
): View {
  return { kind, text: mapped.text, hiddenBy, language, rawOffset: (offset) => mapped.rawOffset(offset) };
}

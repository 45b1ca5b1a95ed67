// What a template writes, piece by piece, and the text that pieces make.
import type { Abstract } from './abstract-value.ts';
import { make } from './abstract-value.ts';
import { changed, concatenated, orNothing, textAtoms } from './as-text.ts';

export interface Piece {
  readonly value: Abstract;
  readonly start: number;
  readonly end: number;
  /** `{{ … }}`, which a filter can be added to. */
  readonly isOutput: boolean;
  /** Always written. */
  readonly certain: boolean;
  /** Written once for each round of a loop. */
  readonly repeated: boolean;
  /** The whole template: its value is passed on, not its text. */
  readonly lone: boolean;
}

export type Write = (piece: Piece) => void;

/** The text that pieces make. */
export function textOfPieces(pieces: readonly Piece[]): Abstract {
  const text = concatenated(
    pieces.map(({ value, certain, repeated }) => {
      if (certain) return value;
      return repeated ? make({ text: textAtoms(value) }) : orNothing(value);
    }),
  );
  // Taken together they are one text, which can be cut.
  return textAtoms(text).some(({ crumb }) => crumb)
    ? changed(text, (one) => ({ ...one, crumb: false }))
    : text;
}

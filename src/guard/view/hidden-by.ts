// How a text can be hidden: the words in `hiddenBy`.

/** Ways that concern all of a text; a finding counts as hidden only if the text it found stands there otherwise. */
export const normalisations: ReadonlySet<string> = new Set([
  'zero-width',
  'bidi',
  'soft-hyphen',
  'variation-selector',
  'combining-marks',
  'fullwidth',
  'look-alike',
  'entity',
  'markup-in-word',
  'split-lines',
  'split-literals',
  'spaced-letters',
  'escapes',
]);

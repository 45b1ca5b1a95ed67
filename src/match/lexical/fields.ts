// The fields of a skill, and how much a word counts in each (BM25F).
//
//   tf' = Σ fields  weight · tf / (1 − b + b · length / pivot)        impact = tf' / (k1 + tf')
//
// The length of a field is measured against a fixed pivot, not against the average of the installed skills: the impact
// of a word depends on its skill alone, so one skill can change without the others. Sentences of a description about
// what the skill is not for count next to nothing.

export interface Field {
  readonly weight: number;
  /** How far a long field is discounted, 0 to 1. */
  readonly b: number;
  /** Words of a usual field. */
  readonly pivot: number;
}

export const fieldName = 0;
export const fieldTriggers = 1;
export const fieldDescription = 2;
export const fieldTitles = 3;
export const fieldBody = 4;
export const fieldNotFor = 5;

export const fields: readonly Field[] = [
  { weight: 2, b: 0.75, pivot: 3 },
  { weight: 1, b: 0.75, pivot: 20 },
  { weight: 1, b: 0.75, pivot: 60 },
  { weight: 0.2, b: 0.75, pivot: 30 },
  { weight: 0.2, b: 0.75, pivot: 1000 },
  { weight: 0.04, b: 0.75, pivot: 30 },
];

export const saturation = 1.5;

/** What one occurrence adds to tf', in a field of `length` words. */
export function countsFor(field: number, length: number): number {
  const { weight, b, pivot } = fields[field] as Field;
  return weight / (1 - b + (b * length) / pivot);
}

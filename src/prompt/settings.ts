// How much of the skills a conversation shows: `prompt` of the configuration.

/** `prompt` of the configuration: preloading, disclosure, and limits of bodies. */
export interface PromptSettings {
  readonly turnTokens: number;
  readonly preload: readonly string[];
  readonly preloadTokens: number;
  readonly disclosure: 'on-demand' | 'eager';
  readonly eagerSkills: number;
  readonly eagerTokens: number;
  readonly activations: number;
  readonly warnTokens: number;
  readonly capTokens: number;
}

export const defaultPromptSettings: PromptSettings = {
  turnTokens: 1000,
  preload: ['always'],
  preloadTokens: 10_000,
  disclosure: 'on-demand',
  eagerSkills: 3,
  eagerTokens: 6000,
  activations: 3,
  warnTokens: 10_000,
  capTokens: 30_000,
};

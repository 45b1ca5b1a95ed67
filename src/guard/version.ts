// The version of a verdict: a part of its own, because looking up a kept verdict must not load the rules.

/** Of what reads the files, then of the detectors (`detectorsVersion` in rules/rules.ts). Changes whenever a verdict can change. */
export const rulesVersion = '5.8';

// All rules of the detectors, and their version: it changes whenever a verdict can change.
import type { Rule } from '../rule.ts';

export const rules: readonly Rule[] = [];

export const detectorsVersion = '1';

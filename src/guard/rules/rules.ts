// All rules of the detectors, and their version: it changes whenever a verdict can change.
import type { Rule } from '../rule.ts';
import { dataRules } from './data.ts';
import { deliveryRules } from './delivery.ts';
import { instructionRules } from './instructions.ts';
import { machineRules } from './machine.ts';
import { packageRules } from './package.ts';
import { systemRules } from './system.ts';

export const rules: readonly Rule[] = [
  ...instructionRules,
  ...dataRules,
  ...deliveryRules,
  ...machineRules,
  ...packageRules,
  ...systemRules,
];

export const detectorsVersion = '8';

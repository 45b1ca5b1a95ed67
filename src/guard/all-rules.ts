// All rules and detectors of a scan, and their version.
import { detectors } from './detect/detectors.ts';
import type { Detector } from './detector.ts';
import { findHidden } from './hidden/find-hidden.ts';
import { hiddenRules } from './hidden/hidden-rules.ts';
import { rules } from './rules/rules.ts';
import type { Rule } from './rule.ts';

export const allDetectors: readonly Detector[] = [findHidden, ...detectors];

export const allRules: readonly Rule[] = [...hiddenRules, ...rules].toSorted((a, b) =>
  a.code < b.code ? -1 : 1,
);

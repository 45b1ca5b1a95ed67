// All detectors, in the order in which they are asked.
import type { Detector } from '../detector.ts';

export const detectors: readonly Detector[] = [];

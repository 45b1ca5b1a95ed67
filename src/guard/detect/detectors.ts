// All detectors, in the order in which they are asked.
import type { Detector } from '../detector.ts';
import { commandDetector } from './commands.ts';
import { nameDetector } from './names.ts';
import { packageDetector } from './package.ts';
import { patternDetector } from './patterns.ts';
import { sentenceDetector } from './sentences.ts';

export const detectors: readonly Detector[] = [
  sentenceDetector,
  patternDetector,
  commandDetector,
  packageDetector,
  nameDetector,
];

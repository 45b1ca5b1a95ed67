// All detectors, in the order in which they are asked.
import type { Detector } from '../detector.ts';
import { commandDetector } from './commands.ts';
import { createNameDetector } from './names.ts';
import { packageDetector } from './package.ts';
import { patternDetector } from './patterns.ts';
import { sentenceDetector } from './sentences.ts';

/** `knownNames`: of shipped and installed skills, besides the well-known ones. */
export function createDetectors(knownNames: readonly string[]): readonly Detector[] {
  return [
    sentenceDetector,
    patternDetector,
    commandDetector,
    packageDetector,
    createNameDetector(knownNames),
  ];
}

export const detectors: readonly Detector[] = createDetectors([]);

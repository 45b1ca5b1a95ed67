// The outcome of a test of a skill as data: {name, file, line, ok, faults: [{what, message, expected, got, line}]}.
import { placeOf } from '../../base/span.ts';
import type { TestOutcome } from './skill-test.ts';
import type { SkillTests } from './test-skills.ts';

export function describeOutcome({ texts }: Pick<SkillTests, 'texts'>, { test, ok, faults }: TestOutcome) {
  const lineOf = (start: number): number => placeOf(texts.get(test.path) ?? '', start).line;
  return {
    name: test.name,
    file: test.path,
    line: lineOf(test.span.start),
    ok,
    faults: faults.map(({ what, message, expected, got, span }) => ({
      what,
      message,
      expected,
      got,
      line: lineOf(span.start),
    })),
  };
}

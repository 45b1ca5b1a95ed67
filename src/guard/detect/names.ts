// Finds names that are easily taken for another: a letter off, or a letter that looks the same (name-book.ts).
import type { Detector } from '../detector.ts';

export const nameDetector: Detector = {
  name: 'names',
  findInSkill(skill, report) {
    for (const name of skill.calledNames) {
      const other = skill.names.lookAlike(name);
      if (other === null) continue;
      const main = skill.texts.find(({ path }) => path === 'SKILL.md');
      const start = Math.max(0, main?.raw.indexOf(name) ?? 0);
      report({
        rule: 'LOOKALIKE_NAME',
        path: main?.path ?? 'SKILL.md',
        start,
        end: start + name.length,
        decoded: null,
        hiddenBy: [],
        message: `The name is easily taken for "${other}".`,
      });
    }
  },
};

import { describe, expect, it } from 'vitest';
import { triggerCollisions } from './trigger-collisions.ts';

const owner = (
  name: string,
  phrases: readonly string[],
  priority = 0,
): Parameters<typeof triggerCollisions>[0][number] => ({
  name,
  file: `${name}/SKILL.md`,
  priority,
  triggers: phrases.map((phrase, index) => ({ phrase, span: { start: index, end: index + 1 } })),
});
const told = (...owners: Parameters<typeof triggerCollisions>[0]): readonly string[] =>
  triggerCollisions(owners).map(({ file, message }) => `${file}: ${message}`);

describe('triggerCollisions', () => {
  it('tells of equal phrases, whatever their case, width and punctuation', () => {
    expect(told(owner('a', ['Review my changes!']), owner('b', ['ｒeview  my changes']))).toEqual([
      'b/SKILL.md: the trigger "ｒeview  my changes" is also one of the skill "a"',
    ]);
  });

  it('tells of a phrase that holds another, word by word', () => {
    expect(told(owner('a', ['please review my changes now']), owner('b', ['review my changes']))).toEqual([
      'a/SKILL.md: the trigger "please review my changes now" holds "review my changes", a trigger of the skill "b"',
    ]);
    expect(told(owner('a', ['preview my changes']), owner('b', ['review my changes']))).toEqual([]);
  });

  it('takes variables for equal, and not alone', () => {
    expect(told(owner('a', ['explain {topic}']), owner('b', ['explain {concept}']))).toHaveLength(1);
    expect(told(owner('a', ['explain {topic}']), owner('b', ['{anything}']))).toEqual([]);
  });

  it('reads scripts without spaces letter by letter', () => {
    expect(told(owner('a', ['调查错误日志']), owner('b', ['错误日志']))).toHaveLength(1);
    expect(told(owner('a', ['诊断 traceback']), owner('b', ['traceback']))).toHaveLength(1);
  });

  it('says nothing of one skill with itself, and tells each pair once', () => {
    expect(told(owner('a', ['trace', 'stack trace']))).toEqual([]);
    expect(told(owner('a', ['trace', 'log']), owner('b', ['trace', 'log']))).toHaveLength(1);
  });

  it('says who wins', () => {
    expect(triggerCollisions([owner('a', ['go'], 5), owner('b', ['go'])]).map(({ hint }) => hint)).toEqual([
      '"a" wins by meta_priority; make one of them more specific if that is not meant',
    ]);
  });
});

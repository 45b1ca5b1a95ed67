// The skills that ship have triggers in Chinese, too: requests fire them, and what asks for nothing does not.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { matchDocument } from '../../src/match/document.ts';
import { createMatcher } from '../../src/match/matcher.ts';
import { parseSkill } from '../../src/skill/parse-skill.ts';

const folder = fileURLToPath(new URL('../../skills/', import.meta.url));
const matcher = createMatcher();
for (const folderName of readdirSync(folder)) {
  const { head, body } = await parseSkill(readFileSync(`${folder}${folderName}/SKILL.md`, 'utf8'), {
    folderName,
  });
  matcher.set(matchDocument(head, body.text));
}

describe('requests in Chinese for shipped skills', () => {
  it.each([
    ['帮我写今天的会议纪要', 'meeting-note'],
    ['把这些整理成会议纪要', 'meeting-note'],
    ['给我列一份搬家的清单', 'checklist'],
    ['请修复失败的测试，别改接口', 'test-fix'],
    ['记到日记里：今天没跑步', 'daily-note'],
    ['写一篇关于复利的概念笔记', 'concept-note'],
    ['这个分支可以合并了吗', 'pr-review'],
  ])('%s -> %s', (message, skill) => {
    expect(matcher.match(message).matches[0]).toMatchObject({ skill, mode: 'trigger' });
  });

  it.each([
    '昨天写会议纪要写到半夜',
    '以后再写会议纪要',
    '写会议纪要难吗？',
    '别写会议纪要',
    '同事在写读书笔记',
  ])('%s fires nothing', (message) => {
    expect(matcher.match(message).matches.filter(({ mode }) => mode === 'trigger')).toEqual([]);
  });
});

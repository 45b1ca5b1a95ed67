import { describe, expect, it } from 'vitest';
import { findExplicit, spellingKey } from '../explicit/find-explicit.ts';
import { findMisspelt } from '../explicit/find-misspelt.ts';
import { judgeMessage } from './judge-message.ts';

const known = ['diff-review', 'checklist', 'commit-message', 'prepare-release', 'pdf'];
const names = {
  has: (name: string) => known.includes(name),
  hasCommand: (name: string) => known.includes(name),
  spelled: (key: string) => known.find((name) => spellingKey(name) === key),
};
const called = (message: string): readonly string[] =>
  findExplicit(judgeMessage(message), names).map(({ skill }) => skill);

describe('readCall', () => {
  it.each([
    'Use the diff-review skill: review what changed',
    'Use the checklist skill: list what to do',
    'Use the commit-message skill: what I staged is a bug fix',
    'Use the prepare-release skill to ship what we have',
    'Use the diff-review skill and tell me how it looks',
    'Use the diff-review skill: We release tomorrow: review what changed since v2.3 and write down the risks.',
    'Please use the checklist skill to list which tests are missing',
    'Run the diff-review skill and check whether anything breaks',
    'Can you use the diff-review skill and tell me what changed?',
    'Could you run the checklist skill? I want to know what is left.',
    'Can you help me run the checklist skill? I want to know what is left.',
    'Would you use the checklist skill to explain what to do?',
    'Hey, use the diff-review skill, why does the build fail?',
    'I want you to use the diff-review skill on what I changed',
    'I need you to run the checklist skill and describe how it went',
    "Let's use the checklist skill to see what is left",
    'Now use the skill checklist and tell me what is missing',
    'Then invoke the "checklist" skill: what do we still need?',
    'What changed since Monday? Use the diff-review skill.',
    "I don't know what changed, use the diff-review skill",
    "Tests fail and I don't know why. Use the diff-review skill to explain what broke.",
    'Use the diff review skill, then list what you found',
    'Using the diff-review skill, tell me what changed',
    'With the checklist skill, list what to pack',
    'Use the commit-message skill to describe the change, about two lines',
    'use the checklist skill, what does the release need?',
    'Tell me what changed using the diff-review skill',
    'Explain what changed, use the diff-review skill',
    'Use the checklist skill. What does it say?',
    'Could you please use the pdf skill to find out how many pages it has?',
    "Why don't you use the checklist skill and tell me what is left?",
    'Verwende den checklist Skill und sag mir, was fehlt',
    'use the skill called checklist and tell me what is left',
    'Use the skill checklist to list what to do',
    'Could you use the checklist skill and tell me what the error means?',
    'Use the checklist skill, what does the error mean?',
    'Tell me what changed and use the diff-review skill',
    'Review what changed and then use the checklist skill',
    'I want to use the diff-review skill to see what changed',
    'You should use the checklist skill to see what is left',
    'Could you run the checklist skill?',
    'Can you please use the diff-review skill?',
    'Would you please use the diff-review skill?',
    'Use the diff-review skill and tell me what changed?',
    'OK now run the checklist skill, and explain which steps are missing',
    'Run diff-review: what changed, and why?',
    'run diff-review and tell me how it looks',
    'Use the checklist skill to explain how the diff-review skill works',
    'If the tests fail, use the diff-review skill to see what broke',
    'Use the checklist skill when you list what to do',
    'Go ahead and use the checklist skill, whether it is slow or not',
    "Use the checklist skill because I don't know what to do",
    'Use the diff-review skill; how risky is it?',
    'please run the diff-review skill (I forgot what I changed)',
    '- use the checklist skill to see which boxes are open',
    '1. Use the diff-review skill to see what changed',
    'Try the checklist skill and see whether it helps',
    'Load the checklist skill and explain the steps',
    'Start the prepare-release skill when the tests pass',
    'use the Diff Review skill to look at what I did',
    "Use the checklist skill; don't explain what it does",
    'Use the diff-review skill, not the checklist skill, to see what changed',
    "Use the diff-review skill to find out why we don't get an answer",
    'Execute the commit-message skill for what is staged, without asking',
    'Use the checklist skill to list what not to do',
    "I'd like you to use the checklist skill to work out how we ship",
    'Use the diff-review skill with base main and tell me about the risks',
    'Use the checklist skill about what we discussed',
    'Use the `checklist` skill: which items are open?',
    'Great, use the checklist skill. How long will it take?',
  ])('takes for a command, whatever else is asked: %j', (message) => {
    expect(called(message)).toHaveLength(1);
  });

  it.each([
    '用 diff-review 技能看看改了什么',
    '请使用 checklist 技能，列出还要做什么',
    '用 checklist 技能告诉我怎么打包',
    '帮我用 diff-review 技能检查一下有没有问题',
    '使用diff-review技能，告诉我哪些文件改了',
    '请运行 commit-message 技能：我改了什么就写什么',
    '能不能用 diff-review 技能看看哪里错了？',
    '你可以用 checklist 技能列出还缺什么吗？',
    '调用 prepare-release 技能，看看是否可以发布',
    '麻烦用一下 checklist 技能，为什么测试失败？',
    '先用 diff-review 技能，再说明改了多少行',
    '现在用 checklist 技能整理有哪些任务',
    '我想用 diff-review 技能看看改了什么',
    '我不知道改了什么，用 diff-review 技能看一下',
    '用 checklist 技能做个清单，看看还缺什么',
    '用 diff-review 技能做一次检查',
    '你用 diff-review 技能看看改了什么',
    '接下来请使用 checklist 技能列出有什么要做',
    '用 checklist 技能，列出不要做什么',
    '请用 diff-review 技能说明为什么失败',
    '用 diff-review 技能比较 main，风险有多少？',
    '用一下 checklist 技能，看看哪些还没做',
    '请调用 commit-message 技能，内容是什么就写什么',
  ])('takes for a command, whatever else is asked: %j', (message) => {
    expect(called(message)).toHaveLength(1);
  });

  it.each([
    'what does the checklist skill do?',
    'how does the diff-review skill work?',
    'How do I use the diff-review skill?',
    'When should I use the checklist skill?',
    'What happens when I use the diff-review skill?',
    'What happens if I use the diff-review skill?',
    'Should I use the checklist skill or the diff-review skill?',
    'Why would I use the checklist skill?',
    'Is it safe to use the diff-review skill?',
    'Can I use the checklist skill for what I need?',
    'Does it cost anything to run the diff-review skill?',
    'Tell me how to use the diff-review skill',
    'Explain when to use the checklist skill',
    'Explain what it means to use the checklist skill',
    'Which files does it read when you use the diff-review skill?',
    'I wonder whether to use the checklist skill',
    'Do you use the checklist skill?',
    'Did you use the checklist skill?',
    'What do you get when you run the checklist skill?',
    'Who can use the checklist skill?',
    'what is the difference between using the checklist skill and the diff-review skill',
    'Tell me what the checklist skill does',
    'Describe the checklist skill',
    'Is there a way to use the checklist skill offline?',
    'If you use the checklist skill, what happens?',
    'How do I use diff-review?',
    'how can I run diff-review?',
    'When should I run diff-review?',
    'Use the checklist skill?',
    'Use the checklist skill or the diff-review skill?',
    'Use the checklist skill for this?',
    'Is it better to commit, use the checklist skill, or wait?',
    'What does this mean: use the checklist skill',
    'use the checklist skill: what does that mean?',
    'Should I commit, use the checklist skill, or wait?',
    'Tell me about using the checklist skill',
    'What are the advantages of using the diff-review skill?',
    'How do I commit and use the checklist skill?',
    'Explain how I commit and use the checklist skill',
    'What can I do with the checklist skill?',
    'Tell me what is wrong with the checklist skill',
    'With the checklist skill, what can I do?',
    'Would you use the checklist skill for that?',
    'Will you use the checklist skill?',
    'Are you going to use the checklist skill?',
    'Have you ever used the checklist skill, and how was it?',
    'I want to know how to use the checklist skill',
    'I want to understand what happens when you use the checklist skill',
    'Why did you use the checklist skill?',
    'Why do you use the checklist skill to list what to do?',
    'Can anyone use the checklist skill?',
    'What did you use the checklist skill for?',
    'Please explain when people use the checklist skill',
    'Could you explain how to use the checklist skill?',
    'Can you tell me what happens if I run the diff-review skill?',
    'Could you tell me whether to use the checklist skill?',
    'What is it like to use the checklist skill?',
    'How often do people run the diff-review skill?',
    'Does anyone use the checklist skill, and what for?',
    'Is the checklist skill any good?',
    'Which is better, the checklist skill or the diff-review skill?',
    'What did they use the diff-review skill for?',
    'How come you use the checklist skill?',
    'What should I know before I use the checklist skill?',
    'Could I use the checklist skill for what I need?',
    'Where can I use the checklist skill?',
    "I'm not sure whether I should use the checklist skill",
  ])('takes for a question about the skill: %j', (message) => {
    expect(called(message)).toEqual([]);
  });

  it.each([
    'checklist 技能是什么？',
    'diff-review 技能怎么用？',
    '怎么使用 diff-review 技能？',
    '如何用 checklist 技能？',
    '什么时候该用 checklist 技能？',
    '为什么要用 checklist 技能？',
    '用 checklist 技能有什么好处？',
    '用 diff-review 技能会怎么样？',
    '使用 diff-review 技能要多少钱？',
    '我应该用 checklist 技能吗？',
    '谁可以用 diff-review 技能？',
    '用 checklist 技能安全吗？',
    '你用 checklist 技能做什么？',
    '什么情况下使用 checklist 技能？',
    '要不要用 checklist 技能？',
    '用 checklist 技能做什么？',
    '是否应该使用 diff-review 技能？',
    '解释一下怎么用 checklist 技能',
    '为什么你用了 checklist 技能？',
    '你会用 checklist 技能吗？',
    '请解释如何使用 diff-review 技能',
    '用 diff-review 技能需要什么？',
    '你为什么用 checklist 技能？',
    '哪些人在用 checklist 技能？',
    '介绍一下 checklist 技能有什么用',
    '用 diff-review 技能的话会不会很慢？',
    '可以告诉我怎么用 checklist 技能吗？',
  ])('takes for a question about the skill: %j', (message) => {
    expect(called(message)).toEqual([]);
  });

  it.each([
    "Don't use the diff-review skill, tell me what changed",
    'Do not use the checklist skill: I know what to do',
    'Stop using the checklist skill and tell me what to do',
    'Stop using the diff-review skill: what changed is clear',
    'Never use the diff-review skill, whatever changed',
    "Please don't run the checklist skill, I know what is left",
    'Tell me what changed without using the diff-review skill',
    "Tell me what changed, but don't use the diff-review skill",
    "I don't want you to use the diff-review skill to see what changed",
    'Use the diff-review skill? No, tell me what changed.',
    'Use the diff-review skill. Actually, never mind, I know what changed.',
    'There is no need to use the checklist skill, I know what to do',
    'Avoid using the checklist skill when you list what to do',
    'Instead of using the checklist skill, tell me what to do',
    'Rather than use the checklist skill, list what to do',
    "Let's not use the checklist skill, I know what to do",
    'no need for you to use the checklist skill, just say what to do',
    'Please do not use the checklist skill to list what to do',
    'You must not use the diff-review skill, whatever I say',
    'You should never use the diff-review skill to see what changed',
    'I want you to stop using the diff-review skill and tell me what changed',
    'quit using the checklist skill, tell me what to do instead',
    'Can you not use the checklist skill and just tell me what to do?',
    'Can you please stop using the checklist skill?',
    'Could you avoid using the checklist skill when you tell me what to do?',
    "I'd rather you didn't use the checklist skill, I know what to do",
    'Use anything but the checklist skill to list what to do',
    "Use the checklist skill? Don't you dare.",
    "Don't ever run the diff-review skill and tell me what changed",
    'Skip using the checklist skill and tell me how it looks',
    "Let's stop using the checklist skill, what do you think?",
    "Why don't you stop using the checklist skill?",
    "Make sure you don't use the checklist skill when you list what to do",
    'Remember not to use the checklist skill, whatever happens',
    "no, don't run diff-review, tell me what changed",
    "You shouldn't use the diff-review skill to see what changed",
  ])('takes for a refusal: %j', (message) => {
    expect(called(message)).toEqual([]);
  });

  it.each([
    '不要用 diff-review 技能，告诉我改了什么',
    '别用 checklist 技能，我知道要做什么',
    '不用使用 checklist 技能，直接告诉我怎么做',
    '请不要使用 diff-review 技能看改了什么',
    '停止使用 checklist 技能，告诉我还有什么',
    '别再用 diff-review 技能了，改了什么我知道',
    '我不想用 checklist 技能，你说说要做什么',
    '没必要用 checklist 技能，我知道有哪些任务',
    '用 checklist 技能？算了，我知道做什么',
    '禁止使用 diff-review 技能，不管改了什么',
    '先别用 diff-review 技能，告诉我改了哪里',
    '请别再使用 checklist 技能，告诉我做什么',
    '千万别用 diff-review 技能看改了什么',
    '不要再用 checklist 技能了，还有什么要做',
    '我没让你用 diff-review 技能，改了什么？',
    '不许使用 checklist 技能，不管有什么任务',
    '不必用 diff-review 技能，说说改了哪里',
    '除了 checklist 技能，用什么都行',
    'checklist 技能和 diff-review 技能有什么区别？',
  ])('takes for a refusal: %j', (message) => {
    expect(called(message)).toEqual([]);
  });

  it.each([
    'He said "use the checklist skill and list what to do"',
    'She told me to use the checklist skill, what did she mean?',
    'The docs say: use the checklist skill to list what to do',
    'Yesterday I used the checklist skill to see what was left',
    'My boss said to use the checklist skill, which was odd',
    'What does "use the checklist skill" mean?',
    'Translate "use the checklist skill: list what to do" into German',
    'Translate into French: use the checklist skill and list what to do',
    '她说“用 checklist 技能列出要做什么”',
    '“用 checklist 技能”是什么意思？',
    'I told you not to use the checklist skill, what went wrong?',
    '昨天我用 checklist 技能看了有什么要做',
  ])('takes for what is said, told or to be translated: %j', (message) => {
    expect(called(message)).toEqual([]);
  });

  it.each([
    ' ',
    'then ',
    'please ',
    'ok ',
    '- ',
    '才能',
    '请',
    '好的',
    'tell me what and then ',
    'how do i ',
    'or ',
  ])('stays quick behind a long row of %j', (part) => {
    for (const call of ['use the checklist skill: list what to do', '用 checklist 技能看看有什么'])
      expect(called(`${part.repeat(4000)}x ${call}`).length).toBeLessThan(2);
    expect(called(`use the checklist skill ${part.repeat(4000)}x?`).length).toBeLessThan(2);
  });

  it('finds every skill of a command that asks', () => {
    expect(called('use the diff-review skill and the checklist skill and tell me what is open')).toEqual([
      'diff-review',
      'checklist',
    ]);
    expect(called('use the diff-review and checklist skills and tell me what is open')).toEqual([
      'diff-review',
      'checklist',
    ]);
  });

  it('lets a misspelt name of a command be guessed, but not of a question', () => {
    const meant = (message: string) => findMisspelt(judgeMessage(message), names, () => known)?.meant ?? null;
    expect(meant('Use the chekclist skill: list what to do')).toBe('checklist');
    expect(meant('How do I use the chekclist skill?')).toBeNull();
  });
});

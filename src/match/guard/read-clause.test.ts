import { describe, expect, it } from 'vitest';
import { judgeMessage } from './judge-message.ts';

/** The guard on the words between the marks `⟦` and `⟧`, or null. */
function guardOn(marked: string): string | null {
  const start = marked.indexOf('⟦');
  const end = marked.indexOf('⟧') - 1;
  return judgeMessage(marked.replace(/[⟦⟧]/g, '')).verdict({ start, end })?.guard ?? null;
}

/** By rule: messages that ask, and similar ones that do not. */
const rules: readonly (readonly [
  rule: string,
  asks: readonly string[],
  others: readonly (readonly [guard: string, message: string])[],
])[] = [
  [
    'a request, then what is to be done',
    [
      'Would love some help to ⟦plan my trip⟧',
      'Open the file and ⟦plan my trip⟧',
      'Today is the day to ⟦plan my trip⟧',
      'The board meets on Friday\n⟦plan my trip⟧\nthanks',
      'My flight leaves in an hour 😱 ⟦plan my trip⟧',
      "I don't want to do it by hand so ⟦plan my trip⟧",
    ],
    [],
  ],
  [
    'who does it, and how often',
    [
      "I can't do the ⟦travel plans⟧ myself",
      'I usually need ⟦travel plans⟧ by Friday',
      "I'm going to need ⟦travel plans⟧",
      'Our client needs ⟦travel plans⟧',
      'Next: ⟦travel plans⟧',
      "Don't skip the ⟦travel plans⟧ this time",
      '我自己做不来，⟦旅行规划⟧',
      '每周五都⟦旅行规划⟧',
    ],
    [
      ['narration', "I'm going to do the ⟦travel plans⟧ tomorrow"],
      ['narration', 'I do the ⟦travel plans⟧ myself'],
      ['narration', 'I normally do ⟦travel plans⟧ on Fridays'],
      ['narration', 'Every spring our agent writes the ⟦travel plans⟧'],
      ['narration', 'They promised us ⟦travel plans⟧'],
      ['narration', 'Our policy requires ⟦travel plans⟧ for each trip'],
      ['narration', 'just wrapped up the ⟦travel plans⟧'],
      ['narration', '⟦travel plans⟧ already done by Kim'],
      ['narration', 'maybe later: ⟦travel plans⟧'],
      ['question', '⟦travel plans⟧ vs package tour'],
      ['narration', '我明天自己⟦整理行程⟧'],
      ['narration', '每周五我们都⟦整理行程⟧'],
      ['narration', '本来想⟦整理行程⟧，后来没去'],
      ['narration', '谢谢你昨天帮我⟦整理行程⟧'],
    ],
  ],
  [
    'a question that is a request, or wants to know',
    [
      'How soon can you ⟦plan my trip⟧?',
      'Who can ⟦plan my trip⟧ for me?',
      'Explain to me how to ⟦plan my trip⟧',
      'Let me know when you can ⟦plan my trip⟧',
      'Mind if I ask you to ⟦plan my trip⟧?',
      'Is now a good time to ⟦plan my trip⟧?',
    ],
    [
      ['question', 'What permissions do you need in order to ⟦plan my trip⟧?'],
      ['question', 'Do you have a command that would ⟦plan my trip⟧?'],
      ['question', 'Explain what happens when someone asks you to ⟦plan my trip⟧.'],
      ['question', 'Tell me about the limits of your ability to ⟦plan my trip⟧.'],
      ['question', "I'd like to know more about ⟦travel plans⟧"],
      ['question', 'Suppose someone says ⟦plan my trip⟧; which skill runs?'],
      ['question', 'Name two tools that ⟦plan my trip⟧.'],
      ['question', 'If a user told you to ⟦plan my trip⟧, would you ask first?'],
      ['question', 'Will you charge me if I tell you to ⟦plan my trip⟧?'],
      ['question', 'Do you ⟦plan my trip⟧ automatically or only on request?'],
      ['question', 'Can you ⟦plan my trip⟧ offline, or do you need the network?'],
    ],
  ],
  [
    'a statement that is a wish, or narrates',
    [
      'My manager told me to ⟦plan my trip⟧',
      'It still needs a ⟦travel plan⟧',
      "It's late and I need you to ⟦plan my trip⟧",
      'I could use a ⟦travel plan⟧',
      "I've finally decided to ⟦plan my trip⟧",
      'The simplest path forward is that you ⟦plan my trip⟧ and I handle the rest',
      'The only way to save this is to ⟦plan my trip⟧.',
      'What we agreed on is that you ⟦plan my trip⟧.',
      'My boss just called and wants us to ⟦plan my trip⟧.',
      "I've read the docs twice and still can't work out how to ⟦plan my trip⟧.",
      'I meant to ⟦plan my trip⟧ last week; please do it now.',
      'The release is tomorrow and the notes are missing, ⟦plan my trip⟧.',
      'My colleague mentioned that you can ⟦plan my trip⟧',
      'You forgot to ⟦plan my trip⟧',
    ],
    [
      ['narration', 'Yesterday I asked the bot to ⟦plan my trip⟧ and it took forty minutes.'],
      ['narration', 'Karen will ⟦plan my trip⟧ (done)'],
      ['narration', 'Back in March the other team handled the ⟦travel plan⟧.'],
      ['narration', 'When I asked Gemini to ⟦plan my trip⟧, it hung.'],
      ['narration', 'In episode three the hero orders his droid to ⟦plan my trip⟧.'],
      ['narration', 'I remember asking you to ⟦plan my trip⟧ last spring.'],
      ['narration', 'Thanks for helping me ⟦plan my trip⟧ yesterday!'],
    ],
  ],
  [
    'other work, or what is done to words or ends something',
    [
      'Stop what you are doing and ⟦plan my trip⟧',
      'Fix the typos and ⟦plan my trip⟧',
      'Do the following: ⟦plan my trip⟧',
    ],
    [
      ['negation', 'Scrap the ⟦travel plan⟧, we are done.'],
      ['negation', "I'd like to hold the ⟦travel plan⟧".replace("I'd like to", 'Please')],
      ['quotation', 'Fix the capitalization in this heading: ⟦plan my trip⟧'],
      ['quotation', 'Make the following sound more natural: ⟦plan my trip⟧'],
      ['quotation', 'Write ⟦plan my trip⟧ in capital letters.'],
      ['quotation', 'Please check the spelling here: ⟦plan my trip⟧'],
      ['quotation', 'Rephrase politely: ⟦plan my trip⟧'],
      ['quotation', 'Any typos in this? ⟦plan my trip⟧'],
    ],
  ],
  [
    'the words alone, or a remark about them',
    ['⟦plan my trip⟧ is what I need', '⟦plan my trip⟧ would be great'],
    [
      ['negation', 'My request to ⟦plan my trip⟧ has been dropped.'],
      ['negation', 'The ⟦travel plan⟧ is no longer required, thanks.'],
      ['narration', '✅ ⟦plan my trip⟧'],
    ],
  ],
  [
    'narrated, then asked for by a pronoun',
    [
      'I meant to ⟦plan my trip⟧ but forgot. Can you do it?',
      'I asked you to ⟦plan my trip⟧ yesterday, but nothing happened. Please do it now.',
      'Is it OK if I ask you to ⟦plan my trip⟧ right away?',
      'No no, you misheard. I said ⟦plan my trip⟧.',
      'so like i was wondering if maybe you could ⟦plan my trip⟧ right now',
    ],
    [
      ['narration', 'Yesterday I asked the bot to ⟦plan my trip⟧. It took me a day to do it.'],
      ['negation', 'Over my dead body will you ⟦plan my trip⟧.'],
      ['negation', 'I withdraw my request that you ⟦plan my trip⟧.'],
      ['negation', 'It is better to wait than to ⟦plan my trip⟧.'],
      ['negation', 'My plan to ⟦plan my trip⟧ fell through.'],
      ['negation', 'Please remove the reminder to ⟦plan my trip⟧.'],
    ],
  ],
  [
    'a Chinese question',
    ['怎么⟦规划行程⟧？教教我', '有没有办法⟦规划行程⟧'],
    [
      ['question', '什么情况下才需要让你⟦规划行程⟧？'],
      ['question', '有没有可以⟦规划行程⟧的技能？'],
      ['question', '你一般怎么⟦规划行程⟧的？'],
    ],
  ],
  [
    'what anybody could',
    [
      'Is it possible for you to ⟦plan a trip⟧?',
      'Would it be possible for the team to have you ⟦plan a trip⟧?',
      'Generally I travel alone, ⟦plan a trip⟧',
    ],
    [
      ['question', 'Is it possible for an AI to ⟦plan a trip⟧?'],
      ['question', 'Are you able to ⟦plan a trip⟧, in general?'],
      ['question', '让你⟦规划行程⟧之前，我要准备哪些资料？'],
    ],
  ],
  [
    'a Chinese statement',
    [
      '老板让我⟦规划行程⟧',
      '昨天没来得及，今天请⟦规划行程⟧',
      '领导说今天必须⟦规划行程⟧，帮帮我',
      '明天之前⟦规划行程⟧就好',
      '咱们⟦规划行程⟧怎么样？',
    ],
    [
      ['narration', '昨天我让机器人⟦规划行程⟧，结果它卡了半个小时。'],
      ['narration', '小王负责⟦规划行程⟧，已完成'],
      ['narration', '他们公司靠⟦规划行程⟧赚钱'],
      ['narration', '我妈上周让我爸⟦规划行程⟧，结果吵起来了。'],
      ['narration', '前天老板要求小王⟦规划行程⟧'],
    ],
  ],
  [
    'a Chinese condition',
    ['如果能⟦规划行程⟧就好了'],
    [['question', '如果有人让你⟦规划行程⟧，你会执行哪些步骤？']],
  ],
  [
    'a Chinese refusal',
    [
      '别聊了，⟦规划行程⟧',
      '别忘了⟦规划行程⟧，我下午要用。',
      '我想让你⟦规划行程⟧，做好了跟我说一声',
      '那个 你帮我⟦规划行程⟧呗',
      '麻烦你把⟦规划行程⟧这件事做了',
    ],
    [
      ['negation', '少给我⟦规划行程⟧'],
      ['negation', '把⟦规划行程⟧从清单里删掉'],
      ['negation', '⟦规划行程⟧这件事同事已经做完了'],
      ['negation', '我改主意了，不⟦规划行程⟧了'],
      ['negation', '谁让你⟦规划行程⟧了？'],
      ['negation', '⟦规划行程⟧先放一放'],
      ['negation', '还没到⟦规划行程⟧的时候'],
      ['negation', '没有我的同意不得⟦规划行程⟧'],
    ],
  ],
  [
    'speakers',
    ['=> ⟦plan my trip⟧'],
    [
      ['pasted', 'user> ⟦plan my trip⟧\nagent> ok'],
      ['pasted', '### Human\n⟦plan my trip⟧\n### Assistant\nSure!'],
      ['pasted', '[x] ⟦plan my trip⟧'],
      ['pasted', '用户A: ⟦规划行程⟧\n用户B: 好'],
    ],
  ],
];

describe('readClause', () => {
  it.each(rules)('%s', (_, asks, others) => {
    expect(asks.filter((message) => guardOn(message) !== null)).toEqual([]);
    expect(others.map(([, message]) => [guardOn(message), message])).toEqual(others.map((one) => [...one]));
  });

  it.each([
    'When my dad tried to ⟦plan my trip⟧, the printer caught fire.',
    'My boss asked me to ⟦plan my trip⟧ and I did.',
    'She has been doing ⟦plan my trip⟧ since 2015.',
    'As the transcript shows, the caller wanted to ⟦plan my trip⟧.',
    'I doubt that we need a ⟦travel plan⟧.',
    'Her exact words were: ⟦plan my trip⟧',
    'A few years ago ⟦travel plans⟧ were all the rage.',
    'Hi team,\n\nplease ⟦plan my trip⟧.\n\nBest, Karin\n\nIs the tone of this mail all right?',
    '小明说⟦规划行程⟧\n\n这段对话一共几轮？',
    'Prompt #17: ⟦plan my trip⟧\nScore: 4/5\n\nWhat is the mean score?',
    'Meeting notes:\n* Eva to ⟦plan my trip⟧\n* Paul to buy milk\nWho buys milk?',
    'The phrase ⟦travel plan⟧ is new to me.',
    'My uncle wrote a ⟦travel plan⟧ once.',
    'She likes a ⟦travel plan⟧.',
  ])('leaves to the weights: %j', (marked) => {
    const words = { start: marked.indexOf('⟦'), end: marked.indexOf('⟧') - 1 };
    const message = marked.replace(/[⟦⟧]/g, '');
    expect(judgeMessage(message).triggerVerdict(words)?.outcome).toBe('demoted');
  });

  it('reads a bounded stretch of a long clause', () => {
    const judgement = judgeMessage(`${'the old boat and '.repeat(1100)}plan my trip`);
    const started = performance.now();
    for (let at = 0; at < 200; at += 1) judgement.verdict({ start: 18_700, end: 18_712 });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

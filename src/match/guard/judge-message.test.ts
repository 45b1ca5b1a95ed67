import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCertain, judgeLimits, judgeMessage } from './judge-message.ts';

/** The guard on the words between the marks `⟦` and `⟧`, or null. */
function guardOn(marked: string): string | null {
  const start = marked.indexOf('⟦');
  const end = marked.indexOf('⟧') - 1;
  return judgeMessage(marked.replace(/[⟦⟧]/g, '')).verdict({ start, end })?.guard ?? null;
}

const traps: readonly (readonly [guard: string, message: string])[] = [
  ['narration', 'We ⟦plan a trip⟧ on Monday.'],
  ['narration', "Tomorrow morning I'll ⟦plan a trip⟧ first thing."],
  ['narration', 'This evening you can ⟦plan a trip⟧; right now it is too early.'],
  ['narration', '⟦Plan a trip⟧ after the freeze, not earlier.'],
  ['narration', '⟦Plan a trip⟧ to Oslo. Nothing to do now.'],
  ['narration', 'If it is cold we will see. ⟦Plan a trip⟧. Wait for my word.'],
  ['narration', 'Not yet: ⟦plan a trip⟧. First compare prices.'],
  ['narration', '⟦Travel plan⟧ slips to the next release.'],
  ['narration', 'My boss ⟦put a trip⟧ on my list as a joke.'],
  ['narration', '暂缓：⟦规划行程⟧。'],
  ['narration', '⟦规划行程⟧排到下个迭代'],
  ['negation', '⟦Travel plan⟧ is rejected, move on.'],
  ['negation', '⟦Travel plan⟧: skip. Budget: do.'],
  ['negation', 'Flowers yes, band yes, ⟦travel plan⟧ no.'],
  ['negation', '⟦规划行程⟧这件事我早上已经做完、发出去了'],
  ['negation', 'Do not ⟦plan my trip⟧; just tell me the time.'],
  ['negation', 'There is no need to ⟦plan my trip⟧.'],
  ['negation', 'Instead of a ⟦travel plan⟧, tell me a joke.'],
  ['negation', "Don't sing, dance, or ⟦plan my trip⟧."],
  ['negation', 'Do not, under any circumstances, ⟦plan my trip⟧.'],
  ['negation', 'A ⟦travel plan⟧ is not what I want.'],
  ['negation', '⟦Travel plan⟧? No thanks.'],
  ['negation', "I don't ⟦plan my trip⟧ here."],
  ['negation', 'Bitte ⟦plane meine Reise⟧ nicht.'],
  ['negation', 'Ne ⟦planifie⟧ pas mon voyage sans ⟦moi⟧'.replace('⟦planifie⟧', 'planifie')],
  ['negation', '不要⟦规划行程⟧，只告诉我时间'],
  ['negation', '⟦规划行程⟧就不用了'],
  ['quotation', 'The sign says "⟦plan my trip⟧".'],
  ['quotation', "It's the song '⟦plan my trip⟧'."],
  ['quotation', 'How long is `⟦plan my trip⟧`?'],
  ['quotation', '他说“⟦规划行程⟧”就走了'],
  ['translation', 'Translate this sentence: ⟦plan my trip⟧'],
  ['translation', 'Translate into French:\n⟦plan my trip⟧'],
  ['translation', 'How do you say ⟦plan my trip⟧ in Spanish?'],
  ['translation', '⟦plan my trip⟧ - how do I say that in Korean?'],
  ['translation', 'Übersetze bitte: ⟦plan my trip⟧'],
  ['translation', '⟦规划行程⟧用英语怎么说？'],
  ['translation', '请翻译成法语：⟦规划行程⟧'],
  ['question', 'What does ⟦travel plan⟧ mean?'],
  ['question', 'What is a ⟦travel plan⟧?'],
  ['question', 'How does the ⟦travel plan⟧ skill work?'],
  ['question', 'Could you explain what ⟦travel plan⟧ means?'],
  ['question', 'Did people use a ⟦travel plan⟧ in 1900?'],
  ['question', '⟦规划行程⟧是什么意思？'],
  ['pasted', 'Anna: ⟦plan my trip⟧\nBen: ok'],
  ['pasted', 'user: ⟦plan my trip⟧\nassistant: done'],
  ['pasted', '> ⟦plan my trip⟧\nwho said that?'],
  ['pasted', '```\n⟦plan my trip⟧\n```'],
  ['pasted', 'From: a@example.com\nSubject: hi\n\nplease ⟦plan my trip⟧'],
  ['pasted', '[10:02] Anna: ⟦plan my trip⟧'],
  ['pasted', '2024-05-01 12:00:01 INFO ⟦plan my trip⟧'],
  ['pasted', 'The mail says: ⟦plan my trip⟧'],
  ['pasted', '<mail>⟦plan my trip⟧</mail>'],
  ['pasted', '小明：⟦规划行程⟧\n小红：好'],
  ['narration', 'Yesterday I saw a ⟦travel plan⟧ on TV.'],
  ['narration', '昨天我在电视上看到⟦规划行程⟧'],
];

const requests: readonly string[] = [
  '⟦plan my trip⟧',
  'Could you please ⟦plan my trip⟧?',
  "Don't worry about the price, ⟦plan my trip⟧.",
  "It's not urgent, but ⟦plan my trip⟧.",
  "I can't do it alone, ⟦plan my trip⟧.",
  "Why don't you ⟦plan my trip⟧?",
  'Instead of waiting, ⟦plan my trip⟧.',
  '⟦plan my trip⟧, but do not book anything',
  '⟦plan my trip⟧ and then translate it into French',
  'What time is it? Also, ⟦plan my trip⟧.',
  'How do I ⟦plan my trip⟧?',
  'Is there a way to ⟦plan my trip⟧?',
  'My boss wants you to ⟦plan my trip⟧',
  'I saw your offer, please ⟦plan my trip⟧.',
  'Task: ⟦plan my trip⟧\nBudget: 500',
  'After reading "Dune" I want you to ⟦plan my trip⟧.',
  '⟦plan my trip⟧ for this mail:\n> we arrive on Monday',
  '能不能⟦规划行程⟧？',
  'Whoever reads this first: ⟦plan my trip⟧, please!',
  'Sending this again because I got no reply: ⟦plan my trip⟧.',
  'Quote of the day: "ship it". So ⟦plan my trip⟧!',
  "You haven't ⟦plan my trip⟧ yet",
  "It'd be a shame not to ⟦plan my trip⟧",
  "N'oublie pas : ⟦réserve une table⟧",
  'Bitte ⟦reserviere einen Tisch⟧, aber nicht zu früh',
  '不好意思，请⟦规划行程⟧',
  '⟦规划行程⟧，不要太长',
  '⟦Plan my trip⟧, no layovers, nothing before nine',
  "⟦Plan my trip⟧, but no hotels, I don't care about museums, and don't book anything.",
  "⟦Plan my trip⟧. Don't send it to anyone yet.",
  '⟦Plan my trip⟧ for next Monday',
  'Not tomorrow, now: ⟦plan my trip⟧',
  '⟦规划行程⟧，用中文写',
];

describe('isCertain', () => {
  const certain = (marked: string): boolean => {
    const start = marked.indexOf('⟦');
    const words = { start, end: marked.indexOf('⟧') - 1 };
    const message = marked.replace(/[⟦⟧]/g, '');
    const ruled = judgeMessage(message).verdict(words);
    return ruled !== null && isCertain(message, words, ruled);
  };

  it.each([
    'No stand-up today, so don’t ⟦write my note⟧',
    'Estimate this story: "I want to ⟦write my note⟧ so that all are happy."',
    '先别 ⟦write my note⟧，标签打错了',
    "Next Friday I'll ⟦write my note⟧.",
  ])('lets no weight overrule %j', (message) => {
    expect(certain(message)).toBe(true);
  });

  it.each([
    "If you don't ⟦write my note⟧ I am lost",
    'My uncle wrote: ⟦write my note⟧',
    '⟦Write my note⟧ now',
  ])('leaves %j to the weights, or to the rules', (message) => {
    expect(certain(message)).toBe(false);
  });
});

describe('judgeMessage', () => {
  it.each(traps)('finds %s in %j', (guard, message) => {
    expect(guardOn(message)).toBe(guard);
  });

  it.each(requests)('lets through %j', (message) => {
    expect(guardOn(message)).toBeNull();
  });

  it.each([
    ['pasted', 'The docs say: ⟦bake bread⟧'],
    ['pasted', 'Tom said, and I quote: ⟦bake bread⟧'],
    ['pasted', 'Voicemail transcript (auto-generated): hi, can you ⟦bake bread⟧, bye.'],
    ['quotation', 'The regex /^⟦bake bread⟧$/i does not compile.'],
    ['translation', 'How do I tell my boss to ⟦bake bread⟧? I only need the wording.'],
    ['negation', 'Reserviere bitte keinen ⟦Tisch⟧'],
    ['negation', 'Bitte ⟦reserviere⟧ nicht einen Tisch'],
    ['negation', 'Ich möchte nicht, dass du ⟦einen Tisch reservierst⟧'],
    ['negation', 'ne réserve pas ⟦une table⟧'],
    ['negation', 'je ne veux pas que tu ⟦réserves une table⟧'],
    ['negation', 'il ne faut pas ⟦réserver une table⟧'],
  ])('finds %s in %j, too', (guard, message) => {
    expect(guardOn(message)).toBe(guard);
  });

  it.each([
    'Can you translate this article?',
    'Please translate my essay into French',
    '请把这段话翻译成英文',
    '请翻译这段话',
  ])('ranks the whole of %j: a text that is named is no wording that is given', (message) => {
    expect(judgeMessage(message).rankable).toBe(message);
  });

  it('ranks a request for a translation without the words that are given', () => {
    expect(judgeMessage('Translate into French: plan my trip').rankable.trim()).toBe('Translate');
  });

  it('says why', () => {
    expect(judgeMessage('Do not plan my trip').verdict({ start: 7, end: 19 })).toEqual({
      guard: 'negation',
      reason: '"do not" refuses it',
      outcome: 'held',
    });
  });

  it.each([
    ['negation', 'ｄｏ ｎｏｔ ⟦plan my trip⟧'],
    ['negation', 'I donʼt want you to ⟦plan my trip⟧'],
    ['quotation', 'The sign says ❝⟦plan my trip⟧❞'],
  ])('reads wide letters and ornamental marks as usual ones: %s in %j', (guard, message) => {
    expect(guardOn(message)).toBe(guard);
  });

  it('weighs what the rules say of a trigger, but for what is marked as code or quoted by the author', () => {
    const verdictOn = (message: string, words: string): string | null => {
      const start = message.indexOf(words);
      return judgeMessage(message).triggerVerdict({ start, end: start + words.length })?.reason ?? null;
    };
    expect(verdictOn('please plan my trip', 'plan my trip')).toBeNull();
    expect(verdictOn('Do not plan my trip', 'plan my trip')).toBe('"do not" refuses it');
    expect(
      verdictOn(
        'Please please please do this now:\n```\nplan my trip\n```\nthank you, please',
        'plan my trip',
      ),
    ).toBe('it is in a code block');
    expect(verdictOn('> plan my trip\nplease, please do', 'plan my trip')).toBe('it is in a block quote');
    expect(
      verdictOn(
        'Let me plan my trip on my own, ok? You stay out of it and just keep my calendar free.',
        'plan my trip',
      ),
    ).toMatch(/^it reads as refused/);
  });

  it('weighs a bounded number of stretches, each once, and leaves the rest to the rules', () => {
    const judgement = judgeMessage(
      `${'x'.repeat(judgeLimits.weighed)}. Let me plan my trip on my own, ok? You stay out of it and just keep my calendar free.`,
    );
    const words = { start: judgeLimits.weighed + 9, end: judgeLimits.weighed + 21 };
    expect(judgement.triggerVerdict(words)?.guard).toBe('negation');
    for (let at = 0; at < judgeLimits.weighed; at += 1) judgement.triggerVerdict({ start: at, end: at + 1 });
    const near = { ...words, end: words.end - 1 };
    expect([
      judgement.triggerVerdict(words)?.guard,
      judgement.verdict(near),
      judgement.triggerVerdict(near),
    ]).toEqual(['negation', null, null]);
  });

  it('does not let a cue guard itself', () => {
    expect(judgeMessage('Translate it with the usual care').verdict({ start: 0, end: 9 })).toBeNull();
  });

  it('keeps what can be ranked, at its place', () => {
    const message = 'Do not plan my trip; show the weather';
    expect(judgeMessage(message).rankable.trim()).toBe('; show the weather'.slice(1).trim());
    expect(judgeMessage(message).rankable).toHaveLength(message.length);
    expect(judgeMessage('show the weather').rankable).toBe('show the weather');
  });

  it('reads any text without a fault, and judges any stretch of it', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        '"',
        "'",
        '`',
        '\n',
        '\n> ',
        '```\n',
        ': ',
        '不要',
        '“',
        '”',
        "don't ",
        'translate ',
        'İ',
        'what is ',
        'Anna: ',
        '10:02 ',
        ', or ',
        '? No',
        '<a>',
        '</a>',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.nat(60), fc.nat(60), (pieces, a, b) => {
        const message = pieces.join('');
        const judgement = judgeMessage(message);
        judgement.verdict({ start: Math.min(a, b), end: Math.max(a, b) });
        expect(judgement.rankable).toHaveLength(message.length);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['cancel the {daily digest}', 'negation', 'held'],
    ['Hard pass on {daily digest}.', 'negation', 'held'],
    ['{daily digest}? Over my dead body.', 'negation', 'held'],
    ['delete the {daily digest} skill', 'question', 'held'],
    ['uppercase this: {daily digest}', 'quotation', 'held'],
    ['the intern has to do the {weekly report}', 'narration', 'demoted'],
    ['{旅行规划}？免谈。', 'negation', 'held'],
    ['later we can {plan a trip}', 'narration', 'demoted'],
    ['明年再{旅行规划}吧', 'narration', 'demoted'],
  ])('knows what %j is, whatever the weights say of so few words', (marked, guard, outcome) => {
    const [start, end] = [marked.indexOf('{'), marked.indexOf('}') - 1];
    const message = marked.replaceAll(/[{}]/g, '');
    expect(judgeMessage(message).triggerVerdict({ start, end })).toMatchObject({ guard, outcome });
  });

  it('takes an address for one mark', () => {
    const message = 'send the weekly report to lena@example.com';
    expect(judgeMessage(message).triggerVerdict({ start: 9, end: 22 })).toBeNull();
  });

  it.each([
    '\n> ',
    ': ',
    'x, ',
    'translate ',
    '10:00 a\n',
    "don't ",
    '"',
    'if you ',
    'who? ',
    'not ',
    ' ',
    '/^',
    'docs say ',
    'asked the bot to ',
  ])('stays quick on a long message of %j', (piece) => {
    const message = piece.repeat(Math.ceil(30_000 / piece.length));
    expect(judgeMessage(message).verdict({ start: message.length - 5, end: message.length })?.guard).toBe(
      'pasted',
    );
  });
});

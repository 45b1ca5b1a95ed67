import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeMessage } from '../guard/judge-message.ts';
import type { TriggerFindings } from './triggers.ts';
import { createTriggers } from './triggers.ts';

function find(message: string, skills: Record<string, readonly string[]>): TriggerFindings {
  const triggers = createTriggers();
  for (const [skill, phrases] of Object.entries(skills)) triggers.set(skill, phrases);
  return triggers.find(judgeMessage(message));
}

const fires = (message: string, phrase: string): boolean =>
  find(message, { one: [phrase] }).hits.length === 1;

describe('createTriggers', () => {
  it('takes a thing with another head for another thing', () => {
    const phrase = 'prepare the release of {version}';
    expect(fires('Write the release notes for version 2.4 from these merged changes.', phrase)).toBe(false);
    expect(fires('prepare the release notes for 2.4', phrase)).toBe(false);
    expect(fires('prepare the next release of 2.4', phrase)).toBe(true);
    expect(fires('prepare the release for 2.4', phrase)).toBe(true);
  });

  it.each([
    ['write a research paper', 'Please WRITE A RESEARCH PAPER!'],
    ['write a research paper', 'could you write me a short research paper on tides'],
    ['write a research paper', 'we are writing research papers'],
    ['write a research paper', 'write, please, the research paper'],
    ['watch my prs', 'watch our PRs'],
    ['migrate from', 'migrate our app from Vue 2'],
    ['codereview my diff', 'code review my diff'],
    ['voice over', 'I need a voiceover'],
    ['pre-commit quality gate', 'run the precommit quality gate'],
    ['create awesome webpage', 'create an awesome web page'],
    ['生成短剧', '生成一个三分钟的短剧'],
    ['写一篇论文', '帮我写一篇关于气候变化的论文'],
    ['看一下这个 PDF', '看一下这份PDF'],
    ['修复 bug', '修复bug'],
    ['write a research\npaper', 'write a research\npaper'],
    ['add to my diary: {entry}', 'add to my diary: did not run today, no painkillers'],
    ['add to my diary: {entry}', 'add to my diary that the boiler works'],
    ['write a concept note on {concept}', "concept note on Goodhart's law?"],
    ['make a person note for {person}', 'A person note for Bea Lindt, dentist'],
    ['review current diff', 'current diff review??'],
    ['what changed since the last release', 'tell me what has changed since our last release'],
    ['add a task to my tracker', 'add a taks to my tracker'],
    ['draft the brief of {project}', 'draft the brief of Kestrel, no budget, not more than a page'],
    ['make a person note for {person}', "Make a person note for her so that I don't lose this."],
    ['write the changelog since {since}', '帮我 write the changelog since v3.1，用中文写，不要列合并提交'],
    // Behind another verb that makes, or as what is done.
    ['run a security scan', 'can you do a security scan against api.internal.example?'],
    ['review the lease', 'A review of the lease for unit 5B, mostly the break clause'],
    ['clean up the minutes', 'cleaning up of the minutes for tuesday?'],
    // Chinese: the thing first, a noun with a question mark, a modifier; 部 begins a word here and counts nothing.
    ['写周报', '麻烦把周报写一下'],
    ['规划{地点}行程', '把我们去京都的行程规划一下，六天'],
    ['查{城市}天气', '深圳天气??七月去'],
    ['审核合同', '能否请您帮忙审核一下这份租房合同？'],
    ['部署到{环境}', '把 1.14 部署到生产环境'],
    // Its thing first, then what to do with it.
    ['draft a checklist for {task}', 'checklist for the boat trip, draft it'],
    ['make minutes of {title}', 'minutes of the board pls make'],
    ['write a commit message', 'commit msg pls, write one'],
    ['guest list sorter', 'sorting the guest list'],
    ['budget planner', 'please plan my budget'],
    ['review the contract', 'a review of the contract'],
    ['生成周报', '周报生成一下'],
    ['会议总结', '总结一下会议'],
    // What is done to it.
    ['prepare release notes from git log', 'I need release notes prepared from git log by noon'],
    ['write a commit message', 'can I get a commit message written?'],
    ['do my weekly review', 'I need my weekly review done'],
    // Another verb that makes it, another preposition, a colon.
    ['write a project brief for {project}', 'please draft a project brief about the harbour'],
    ['write a concept note on {concept}', 'write a concept note: entropy'],
    ['record the decision to {title}', 'record decision: to close the shop'],
    ['写读书笔记', '给《三体》做一篇读书笔记'],
    // Without what only asks.
    ['what changed since the last release', 'changes since last release??'],
    ['is this branch ready to merge', 'branch ready to merge??'],
    ['write a commit message', 'I need a commit message.'],
    // What it is about comes later.
    ['put into my diary: {entry}', 'Put it into my diary. Slept: six hours.'],
    ['write the changelog since {since}', 'Write the changelog, please.'],
    ['run the tests {runs} times', 'run tests 6x pls'],
    ['write it with a section called {heading}', 'write it w/ a section called Costs'],
    ['为什么测试有时失败', '能不能查一下测试为什么有时候会失败？'],
    // What the variable holds is no part of what refuses.
    ['take notes on {path}', "I can't take notes on the blue boat on my own, help!"],
  ])('fires "%s" on %j', (phrase, message) => {
    expect(fires(message, phrase)).toBe(true);
  });

  it.each([
    ['fix issue', 'fix my car; the issue is open'],
    ['fix issue', 'fix it and close the issue'],
    ['every', 'everything is fine'],
    ['timer', 'the old-timers met'.replace('timers', 'timing')],
    ['write a paper', 'paper to write on'],
    ['dub this', 'a dub'],
    ['write a concept note on {concept}', 'concept note templates on the intranet'],
    ['write a concept note on {concept}', 'I put the concept note on your desk'],
    ['add to my diary: {entry}', 'add to my diary:'],
    ['make minutes of {title}', 'The minutes of the board make good reading'],
    ['write a commit message', 'the commit message I write is never read'],
    ['cover letter', 'let me cover the basics'],
    ['review the contract', 'the last review of the old contract was in May'],
    ['生成周报', '周报里写了生成代码的事'],
    ['remember about {person}', 'I remember.'],
    ['what did i do this week', 'this week'],
    ['fix issue', 'fix: my issue with it is the tone'],
    ['为什么测试有时失败', '测试很长，有时我想知道为什么人会失败'],
    ['review my week', 'My coach reviews my week with me'],
    ['add a task to my tracker', 'add a tusk to my tracker'],
  ])('does not fire "%s" on %j', (phrase, message) => {
    expect(fires(message, phrase)).toBe(false);
  });

  it('takes a Chinese thing alone, or with its verb behind it, for no request where more is said', () => {
    expect(fires('周报写了', '写周报')).toBe(false);
    expect(fires('今天天气真好', '查{城市}天气')).toBe(false);
    expect(fires('深圳天气不错', '查{城市}天气')).toBe(false);
    expect(fires('这次行程规划得不错', '规划{地点}行程')).toBe(false);
    expect(fires('审核通过了，合同归档', '审核合同')).toBe(false);
  });

  it('leaves 一下 and 的 out of Chinese variables', () => {
    const found = find('查一下北京的天气', { one: ['查{城市}天气'] });
    expect(found.hits[0]?.variables).toEqual({ 城市: '北京' });
  });

  it('extracts variables whose names are of any script', () => {
    expect(find('请总结这篇文章', { digest: ['总结{文本}'] }).hits[0]?.variables).toEqual({
      文本: '这篇文章',
    });
    expect(
      find('summarise chapter two', { digest: ['summarise { texte_à_lire }'] }).hits[0]?.variables,
    ).toEqual({ texte_à_lire: 'chapter two' });
  });
  it('takes all that a colon of the trigger announces', () => {
    expect(
      find('Add to my diary: no run today, the knee hurts, and I slept. Thanks', {
        diary: ['add to my diary: {entry}'],
      }).hits[0]?.variables,
    ).toEqual({ entry: 'no run today, the knee hurts, and I slept' });
  });

  it('demotes what another person does', () => {
    expect(
      find('My coach reviews my week with me', { review: ['review my week'] }).guarded[0]?.verdict,
    ).toEqual({
      guard: 'narration',
      reason: 'it is what another person does',
      outcome: 'demoted',
    });
  });

  it('does not fit around a German refusal', () => {
    expect(find('Reserviere bitte keinen Tisch', { table: ['reserviere einen Tisch'] }).hits).toEqual([]);
    expect(find('Reserviere bitte einen Tisch', { table: ['reserviere einen Tisch'] }).hits).toHaveLength(1);
  });
  it('extracts variables', () => {
    const { hits } = find('Please explain C++ templates to my cat, please.', {
      tutor: ['explain {concept} to {who}'],
    });
    expect(hits).toEqual([
      expect.objectContaining({
        skill: 'tutor',
        phrase: 'explain {concept} to {who}',
        variables: { concept: 'C++ templates', who: 'my cat' },
        places: { concept: { start: 15, end: 28 }, who: { start: 32, end: 38 } },
      }),
    ]);
    expect(find('make 春天 into a song', { music: ['make {topic} into a song'] }).hits[0]?.variables).toEqual(
      { topic: '春天' },
    );
    expect(find('explain "monads"', { tutor: ['explain {concept}'] }).hits[0]?.variables).toEqual({
      concept: 'monads',
    });
    expect(find('explain', { tutor: ['explain {concept}'] }).hits).toEqual([]);
  });

  it.each([
    ['message {who}', 'Please message Dr. Ahmed Khan.', { who: 'Dr. Ahmed Khan' }],
    ['message {who}', 'message J. R. Hartley, he is waiting', { who: 'J. R. Hartley' }],
    ['message {who}', 'message Dr. Ahmed Khan about the lease', { who: 'Dr. Ahmed Khan' }],
    ['weather in {city}', 'weather in Aix-en-Provence on Friday', { city: 'Aix-en-Provence' }],
    ['convert {amount} to {currency}', 'convert $50 to yen right now', { amount: '$50', currency: 'yen' }],
    ['write about {topic}', 'write about tides in Brittany', { topic: 'tides in Brittany' }],
    ['打电话给{谁}', '打电话给妈妈，谢谢', { 谁: '妈妈' }],
    ['打电话给{谁}', '帮我打电话给李老师，然后告诉我结果', { 谁: '李老师' }],
    [
      'convert {amount} to {currency}',
      'convert 40€ to USD and tell me the rate',
      { amount: '40€', currency: 'USD' },
    ],
    ['tide table for {harbour}', 'tide table for Brest and Roscoff', { harbour: 'Brest and Roscoff' }],
    ['tide table for {harbour}', 'tide table for Brest and then print it', { harbour: 'Brest' }],
    ['tide table for {harbour}', 'tide table for Brest and email the result to Jo', { harbour: 'Brest' }],
    [
      'un train pour {ville} en {mois}',
      'un train pour Aix-en-Provence en juin',
      { ville: 'Aix-en-Provence', mois: 'juin' },
    ],
    ['weather in {city}', 'weather in Aix-en-Provence, thx', { city: 'Aix-en-Provence' }],
    ['convert {from} to {into}', 'convert pdf-to-word', { from: 'pdf', into: 'word' }],
  ])('stops the variables of "%s" in %j where a person would', (phrase, message, variables) => {
    expect(find(message, { one: [phrase] }).hits[0]?.variables).toEqual(variables);
  });

  it.each([
    ['write a research paper', 'write a reserch paper'],
    ['write a research paper', 'please write a research papre'],
    ['release notes', 'relaese notes for 2.1'],
    ['summarise the inbox', 'sumarise my inbox'],
    ['translate the subtitles', 'translte these subtitels'],
    ['quarterly reports', 'make the quartely reprot'],
    ['convert currency', 'convert some currencies'],
    ['book a flight', 'booking flights'],
  ])('fires "%s" on %j, misspelt or inflected', (phrase, message) => {
    expect(fires(message, phrase)).toBe(true);
  });

  it.each([
    ['write a story', 'write a store'],
    ['send mail', 'send main'],
    ['review my code', 'preview my code'],
    ['write a research paper', 'wriet a resarech papper'],
  ])('does not fire "%s" on %j: another word, or too many typos', (phrase, message) => {
    expect(fires(message, phrase)).toBe(false);
  });

  it('puts a word as it is written before one that may be misspelt, and forgets the spellings of a removed skill', () => {
    const { hits } = find('plan the merger', { exact: ['plan a merger'], near: ['plan a merge'] });
    expect(hits.map(({ skill }) => skill)).toEqual(['exact']);
    const triggers = createTriggers();
    triggers.set('a', ['quarterly report']);
    triggers.remove('a');
    expect(triggers.find(judgeMessage('quartely report')).hits).toEqual([]);
  });

  it('guards a trigger with a variable at its end', () => {
    const fired = (message: string): boolean => fires(message, 'itinerary for {place}');
    expect(
      [
        'not an itinerary for Rome',
        'What does itinerary for Rome mean?',
        'Do you know what itinerary for Rome is?',
        'translate: itinerary for Rome',
      ].filter(fired),
    ).toEqual([]);
    expect(fired('itinerary for Rome, but not for Oslo')).toBe(true);
    expect(
      find('itinerary for Rome, please, and do not book', { one: ['itinerary for {place}'] }).hits[0]
        ?.variables,
    ).toEqual({ place: 'Rome' });
  });

  it('puts the most specific trigger first, and one for each skill', () => {
    const { hits } = find('make me a pdf digest', {
      summary: ['digest', 'make'],
      pdf: ['pdf digest', 'digest'],
    });
    expect(hits.map(({ skill, phrase }) => [skill, phrase])).toEqual([
      ['pdf', 'pdf digest'],
      ['summary', 'make'],
    ]);
    expect((hits[0]?.confidence ?? 0) > (hits[1]?.confidence ?? 1)).toBe(true);
  });

  it('tells which guard kept a trigger back, unless it fires elsewhere in the message', () => {
    expect(find('do not plan my trip', { travel: ['plan my trip'] })).toEqual({
      hits: [],
      guarded: [
        {
          skill: 'travel',
          phrase: 'plan my trip',
          verdict: { guard: 'negation', reason: '"do not" refuses it', outcome: 'held' },
          at: { start: 7, end: 19 },
        },
      ],
      near: new Map(),
    });
    expect(
      find('The note said "plan my trip". So please plan my trip.', { travel: ['plan my trip'] }).hits,
    ).toHaveLength(1);
  });

  it('knows where a sentence has all words of a trigger in another order, unless they are refused', () => {
    const skills = { sort: ['sort this issue and draft a reply'] };
    expect(find('a reply to this issue would be good, drafted and sorted', skills).near).toEqual(
      new Map([['sort', 'sort this issue and draft a reply']]),
    );
    expect(find('no need to draft a reply, or to sort the issue', skills).near).toEqual(new Map());
  });

  it('fires nothing inside a wider trigger that is guarded', () => {
    expect(
      find('What is practical migration checklist?', {
        migrate: ['migration checklist', 'practical migration checklist'],
      }).hits,
    ).toEqual([]);
  });

  it('sets and removes one skill without touching the others', () => {
    const triggers = createTriggers();
    triggers.set('a', ['plan my trip', 'voice over']);
    triggers.set('b', ['plan my week']);
    triggers.set('a', ['cook a meal']);
    expect(triggers.size).toBe(2);
    expect(triggers.find(judgeMessage('plan my trip')).hits).toEqual([]);
    expect(triggers.find(judgeMessage('a voiceover')).hits).toEqual([]);
    expect(
      triggers.find(judgeMessage('cook a meal and plan my week')).hits.map(({ skill }) => skill),
    ).toEqual(['a', 'b']);
    triggers.remove('b');
    triggers.remove('unknown');
    expect(triggers.find(judgeMessage('plan my week')).hits).toEqual([]);
    expect(triggers.size).toBe(1);
  });

  it('is the same after any changes as when built anew', () => {
    const words = fc.constantFrom(
      'plan',
      'my',
      'trip',
      'write',
      'a',
      'paper',
      'voice',
      'over',
      '写',
      '论文',
      '{x}',
    );
    const phrases = fc.array(
      fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' ')),
      { maxLength: 3 },
    );
    const change = fc.record({ skill: fc.constantFrom('a', 'b', 'c'), phrases: fc.option(phrases) });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 12 }),
        fc.array(words, { maxLength: 8 }),
        (changes, message) => {
          const changed = createTriggers();
          const last = new Map<string, readonly string[]>();
          for (const one of changes) {
            if (one.phrases === null) {
              changed.remove(one.skill);
              last.delete(one.skill);
            } else {
              changed.set(one.skill, one.phrases);
              last.set(one.skill, one.phrases);
            }
          }
          const anew = createTriggers();
          for (const [skill, list] of [...last].reverse()) anew.set(skill, list);
          const judgement = judgeMessage(message.join(' '));
          expect(changed.find(judgement)).toEqual(anew.find(judgement));
          expect(changed.size).toBe(anew.size);
        },
      ),
    );
  });

  it("takes the first of a skill's equal phrases, whatever word they are looked up by", () => {
    const triggers = createTriggers();
    triggers.set('other', ['fill cups']);
    triggers.set('one', ['fill form', 'fill form {how}']);
    triggers.remove('other');
    expect(triggers.find(judgeMessage('fill form now'))).toEqual(
      find('fill form now', { one: ['fill form', 'fill form {how}'] }),
    );
  });

  it('fires a trigger on itself, whatever it is made of', () => {
    const letters = fc
      .string({ unit: fc.constantFrom(...'a b c d e f g h j'.split(' '), ' '), minLength: 1, maxLength: 20 })
      .filter((text) => /[b-j]/.test(text));
    fc.assert(
      fc.property(letters, (phrase) => {
        expect(fires(phrase, phrase)).toBe(true);
      }),
    );
  });

  it('gives up on a trigger in time', () => {
    expect(fires('a b '.repeat(3000), '{x} b {y} b {z} b {u} b {v} c')).toBe(false);
  });
});

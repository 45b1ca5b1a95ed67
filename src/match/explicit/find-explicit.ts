// A message -> the skills that it calls by name, in order of appearance, each once.
//
//   /name args            at the beginning, or after a space
//   $name
//   use the NAME skill, run "NAME", 用 NAME 技能 …
//
// Only existing names count, and as `/name` only those that a person may call. `/name` and `$name` are exact; in "use
// the release notes skill" a name may have spaces and any case. One verb can call several: "use the X and Y skills".
//
// Code, pasted text and quotations call nothing, unless the quotes hold the name alone ("use the `NAME` skill"). Paths
// (/usr/bin), prices ($5) and shell variables ($HOME, ${NAME}, $NAME=) are not names. A refused or questioned name is
// not a call: "don't use $NAME", "what does /NAME do?". A message that begins with /NAME is always one, and so is a
// command, whatever else its sentence asks: "use the NAME skill and tell me what changed".
import type { Judgement } from '../guard/judge-message.ts';
import type { Match } from '../match.ts';
import { unfold } from '../text/unfold.ts';

export interface SkillNames {
  has(name: string): boolean;
  /** Whether a person may call it as `/name`. */
  hasCommand(name: string): boolean;
  /** The skill whose name reads so: lower case, words joined by "-". */
  spelled(key: string): string | undefined;
}

export interface ExplicitMention extends Match {
  readonly mode: 'explicit';
  /** Where it stands in the message. */
  readonly start: number;
  readonly end: number;
  /** What follows a leading `/name`. */
  readonly rest: string | null;
}

const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Lower case, everything but letters and digits as one "-". */
export function spellingKey(name: string): string {
  if (plainName.test(name)) return name;
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

const leading = /^\s*\/([\p{L}\p{N}][\p{L}\p{N}._:-]*)(?=\s|$)/u;
const slash = /(?<![^\s(（"'`“「])\/([\p{L}\p{N}][\p{L}\p{N}_:-]*)(?![\p{L}\p{N}_/.\\-]|\.\w)/gu;
const dollar = /(?<![\p{L}\p{N}_\\$])\$([\p{L}\p{N}][\p{L}\p{N}-]*)(?![\p{L}\p{N}_=-]|\()/gu;
const shell = new RegExp(
  unfold`
    (?:^|[\n;|&]\s*|\$\s)(?:echo|export|cd|cat|ls|env|printf|set|unset|source|grep|rm|cp|mv|mkdir|sudo|test)
    \b[^\n;|&]*$
  `,
  'u',
);

const verb = unfold`
  (?:
    use|using|run|running|invoke|apply|try|launch|start|call|load|activate|execute|trigger|employ|fire up
    |go with|open|switch to|with|via|through|nutze|verwende|benutze|starte|utilise|utiliser|lance|usa
    |utiliza|ejecuta|inicia
  )
`;
const nounWord = String.raw`(?:meta-?\s?)?(?:skill|workflow|metaskill|compétence|habilidad)s?`;
const noun = /skill|workflow|compétence|habilidad/i;
const bareVerbs = unfold`
  (?:
    use|run|invoke|apply|try|launch|call|load|activate|execute|trigger|nutze|verwende|utilise|lance|usa
    |ejecuta
  )
`;
const bareVerb = new RegExp(bareVerbs, 'i');
const name = unfold`
  ["'\x60“‘「『《$/]*([\p{L}\p{N}][\p{L}\p{N}_.:-]*(?:[ ][\p{L}\p{N}][\p{L}\p{N}_.:-]*){0,5}?)
  ["'\x60”’」』》]*
`;
/** "use the NAME skill", "with NAME skill" */
const nounAfter = new RegExp(
  unfold`
    (?<![\p{L}\p{N}])${verb}\s+(?:(?:the|my|your|our|this|a|den|die|das|la|le|el|please|bitte)\s+){0,2}
    ${name}[\s-]+${nounWord}(?![\p{L}\p{N}])
  `,
  'giu',
);
/** "use the skill NAME", "the skill called NAME" */
const nounBefore = new RegExp(
  unfold`
    (?<![\p{L}\p{N}])${verb}\s+(?:(?:the|my|your|our|this|a|den|die|das|la|le|el)\s+){0,2}${nounWord}\s+
    (?:called\s+|named\s+|namens\s+)?${name}(?=[\s\p{P}]|$)
  `,
  'giu',
);
/** "run release-notes", 'use "release notes"': without the noun a name needs a hyphen or quotes. */
const bare = new RegExp(
  unfold`
    (?<![\p{L}\p{N}])${bareVerbs}\s+(?:the\s+|my\s+)?(?:["'\x60“‘]([^"'\x60”’\n]{1,64})["'\x60”’]|([\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)+))
    (?=[\s\p{P}]|$)
  `,
  'giu',
);
/** "run fam 42": a number makes a name of the words before it. */
const numbered = new RegExp(
  unfold`
    (?<![\p{L}\p{N}])${bareVerbs}\s+(?:the\s+|my\s+)?([\p{L}][\p{L}-]*(?:[ ][\p{L}][\p{L}-]*){0,3}[ ]\p{N}{1,6})(?=[\s\p{P}]|$)
  `,
  'giu',
);
const han = new RegExp(
  unfold`
    (?:使用|运行|调用|启用|启动|执行|用|打开|加载)\s*(?:一下)?\s*(?:技能|skill)?\s*["'\x60“「『《$/]*
    ([A-Za-z0-9][\w.:-]*|[\p{Script=Han}\w-]{1,20}?)["'\x60”」』》]*\s*(?:这个)?(?:技能|skill|工作流)
  `,
  'giu',
);

/** "use the NAME and NAME skills" */
const several = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${verb}\s{1,4}([^.!?;:\n]{1,120}?)\s{1,4}(?:meta-?)?skills(?![\p{L}\p{N}])`,
  'giu',
);
const listed = /\s*(?:,\s*(?:and\s+)?|\s(?:and|&|und|et|y)\s)\s*/iu;
const determiners = /^(?:(?:both|the|my|your|our)\s+)+|["'\x60“”‘’]/giu;
/** Behind a call: "… and the NAME skill" */
const further = new RegExp(
  unfold`
    \s{0,4}(?:,|\s(?:and|then|plus|&|und|et|y))(?:\s{1,4}(?:and|then|also))?\s{1,4}
    (?:(?:the|my|your|our)\s{1,4})?${name}[\s-]{1,4}${nounWord}(?![\p{L}\p{N}])
  `,
  'giuy',
);

/** Calls that are judged: more in one message are ignored. */
const mostJudged = 64;

export function findExplicit(judgement: Judgement, names: SkillNames): readonly ExplicitMention[] {
  const { message } = judgement;
  const found: ExplicitMention[] = [];
  const seen = new Set<string>();
  const add = (
    skill: string,
    start: number,
    end: number,
    how: string,
    confidence: number,
    rest: string | null = null,
  ): void => {
    if (seen.has(skill)) return;
    seen.add(skill);
    found.push({
      skill,
      mode: 'explicit',
      confidence,
      variables: {},
      reason: `called by name: ${how}`,
      start,
      end,
      rest,
    });
  };
  const first = leading.exec(message);
  if (first !== null && names.hasCommand(first[1] as string)) {
    const end = first[0].length;
    add(
      first[1] as string,
      end - (first[1] as string).length - 1,
      end,
      `/${first[1]}`,
      1,
      message.slice(end).trim(),
    );
  }
  for (const [pattern, sign] of [
    [slash, '/'],
    [dollar, '$'],
  ] as const) {
    for (const match of message.matchAll(pattern)) {
      const called = match[1] as string;
      const place = { start: match.index, end: match.index + match[0].length };
      // A mention in quotes is quoted, a variable in a command is the shell's.
      if (
        seen.has(called) ||
        !(sign === '/' ? names.hasCommand(called) : names.has(called)) ||
        (sign === '$' && /^\d+$/.test(called)) ||
        judgement.verdict(place) !== null ||
        shell.test(message.slice(0, place.start))
      )
        continue;
      add(called, place.start, place.end, `${sign}${called}`, 1);
    }
  }
  let judged = 0;
  const resolve = (called: string): string | undefined =>
    names.has(called) ? called : names.spelled(spellingKey(called));
  /** The call must stand outside quotes, its name need not. */
  const call = (match: RegExpExecArray, called: string, verbAt = match.index): boolean => {
    const skill = resolve(called);
    if (skill === undefined) return false;
    if (seen.has(skill)) return true;
    if ((judged += 1) > mostJudged) return false;
    const at = match.index + match[0].indexOf(called);
    const place = { start: at, end: at + called.length };
    if (
      judgement.verdict({ start: match.index, end: match.index + 1 })?.guard === 'quotation' ||
      judgement.verdictCalled({ start: verbAt, end: match.index + match[0].length }, place) !== null
    )
      return false;
    add(skill, place.start, place.end, `"${match[0].trim()}"`, 0.99);
    return true;
  };
  // A pattern takes a millisecond to compile, and most messages have nothing that it could begin with.
  const named = noun.test(message);
  const called = bareVerb.test(message);
  const patterns = [
    ...(named ? [nounAfter, nounBefore] : []),
    ...(called ? [bare, numbered] : []),
    ...(/\p{Script=Han}/u.test(message) ? [han] : []),
  ];
  for (const pattern of patterns) {
    for (const match of message.matchAll(pattern)) {
      if (!call(match, (match[1] ?? match[2]) as string)) continue;
      further.lastIndex = match.index + match[0].length;
      for (
        let next = further.exec(message);
        next !== null && call(next, next[1] as string, match.index);
        next = further.exec(message)
      );
    }
  }
  for (const match of named ? message.matchAll(several) : []) {
    const parts = (match[1] as string).split(listed).map((part) => part.replace(determiners, ''));
    if (parts.length > 1 && parts.every((part) => resolve(part) !== undefined))
      for (const part of parts) call(match, part);
  }
  return found.sort((a, b) => a.start - b.start);
}

// A token -> what it is for the outline of its sentence: itself, its class, or how it ends.
//
//   he -> he     postponed -> [pause     watered -> ~ed     Tuesday -> [date     42 -> 0     税 -> 字     , -> ,
import { functionWords } from '../../text/stop-words.ts';
import { classOf } from './word-classes.ts';

/** Characters that show the build of a Chinese sentence. */
const hanFunction = new Set(
  '我你您他她它们咱把给帮请能可会不要了吗呢吧的地得是在就也都还再先等说别没有来去让被叫做完过着这那哪什么怎为因所以如果但而且然后之前天明今昨晚周月年一下个次份点上想该用停算问谁几多',
);
const ending = /(?:ed|ing|ly|s|er|en|tion)$/;

export function outlineOf(token: string): string {
  if (functionWords.has(token.replace(/'.*/, '')) || hanFunction.has(token)) return token;
  const known = classOf(token);
  if (known !== null) return `[${known}`;
  if (/^\p{Nd}/u.test(token)) return '0';
  if (/^\p{Script=Han}/u.test(token)) return '字';
  return /^\p{L}/u.test(token) ? `~${ending.exec(token)?.[0] ?? ''}` : token;
}

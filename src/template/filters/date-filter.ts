// `date`: a moment in a format, without a clock.
//
// The moment is what is given: an ISO date or date and time, a number of seconds (or, from 10^11 on, milliseconds)
// since 1970, or "now" and "today", which are when the run began, in the local time of the machine that began it. A time
// with an offset is shown in that offset, any other in UTC: the same on every machine. The format is made of `YYYY MM DD HH mm ss` and the like, with `[text]` as
// it is; or of `%Y` and the like.
import type { Evaluation } from '../value/evaluation.ts';
import { asFloat } from '../value/numbers.ts';
import { reprOf } from '../value/repr.ts';
import { failUndefined, TemplateError, typeError } from '../value/template-error.ts';
import { asText } from '../value/text.ts';
import { typeName } from '../value/type-name.ts';
import { Undefined, type Value } from '../value/value.ts';
import { filter, type FilterEntry } from './define.ts';

interface Moment {
  /** Milliseconds since 1970 as a clock at the offset shows them. */
  readonly local: Date;
  readonly offsetMinutes: number;
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const iso =
  /^([+-]\d{6}|\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

function moment(milliseconds: number, offsetMinutes: number): Moment | null {
  const local = new Date(milliseconds + offsetMinutes * 60_000);
  return Number.isNaN(local.getTime()) ? null : { local, offsetMinutes };
}

function readIso(text: string): Moment | null {
  const found = iso.exec(text);
  if (found === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] =
    found as unknown as string[];
  const parts = [month, day, hour, minute, second].map(Number) as [number, number, number, number, number];
  const offsetMinutes = /^z$/i.test(zone) ? 0 : readOffset(zone);
  const midnight = new Date(0);
  midnight.setUTCFullYear(Number(year), parts[0] - 1, parts[1]);
  // A day that does not exist would be the next month's.
  if (midnight.getUTCMonth() !== parts[0] - 1 || parts[2] > 23 || parts[3] > 59 || parts[4] > 59) return null;
  const clock =
    ((parts[2] * 60 + parts[3]) * 60 + parts[4]) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  return moment(midnight.getTime() + clock - offsetMinutes * 60_000, offsetMinutes);
}

function readOffset(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.replace(':', '').slice(3) || '0');
  return zone.startsWith('-') ? -minutes : minutes;
}

function readMoment(e: Evaluation, value: Value): Moment {
  if (value instanceof Undefined) failUndefined(value);
  const text = asText(value)?.trim() ?? null;
  const number = typeof value === 'boolean' || text !== null ? null : asFloat(value);
  if (text === null && number === null)
    return typeError(
      `date needs a date or a time, not ${typeName(value)}`,
      'give an ISO date such as "2026-03-01", seconds since 1970, or "now"',
    );
  if (text === 'now' || text === 'today') return runStart(e);
  const read = text === null ? fromNumber(number as number) : readIso(text);
  if (read !== null) return read;
  const shown = reprOf(e, value);
  throw new TemplateError(
    'EVAL_VALUE',
    `${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown} is not a date that can be read`,
    'give an ISO date such as "2026-03-01" or "2026-03-01T09:30:00Z", or seconds since 1970',
  );
}

/** Numbers this large are milliseconds: as seconds they would be past the year 5000. */
const firstMilliseconds = 1e11;

function fromNumber(number: number): Moment | null {
  return moment(Math.abs(number) >= firstMilliseconds ? number : number * 1000, 0);
}

function runStart(e: Evaluation): Moment {
  const start = e.started === null ? null : moment(e.started.atMs, e.started.offsetMinutes);
  if (start === null)
    throw new TemplateError('EVAL_VALUE', 'it is not known here when the run began', 'give a date');
  return start;
}

function padded(value: number, digits = 2): string {
  return value < 0 ? `-${String(-value).padStart(digits, '0')}` : String(value).padStart(digits, '0');
}

function offsetText({ offsetMinutes }: Moment, between: string): string {
  const size = Math.abs(offsetMinutes);
  return `${offsetMinutes < 0 ? '-' : '+'}${padded(Math.floor(size / 60))}${between}${padded(size % 60)}`;
}

function dayOfYear({ local }: Moment): number {
  const first = new Date(local);
  first.setUTCMonth(0, 1);
  return Math.floor((local.getTime() - first.getTime()) / 86_400_000 + 0.5) + 1;
}

/** The week of ISO 8601 and its year. */
function isoWeek({ local }: Moment): { week: number; year: number } {
  const thursday = new Date(local);
  thursday.setUTCHours(0, 0, 0, 0);
  thursday.setUTCDate(thursday.getUTCDate() + 3 - ((thursday.getUTCDay() + 6) % 7));
  const year = thursday.getUTCFullYear();
  const first = new Date(0);
  first.setUTCFullYear(year, 0, 1);
  return { week: 1 + Math.floor((thursday.getTime() - first.getTime()) / 604_800_000), year };
}

function ordinal(day: number): string {
  const tens = day % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${suffix}`;
}

type Part = (moment: Moment) => string;

const hour12 = ({ local }: Moment): number => local.getUTCHours() % 12 || 12;
const half = ({ local }: Moment): string => (local.getUTCHours() < 12 ? 'AM' : 'PM');
const monthName = ({ local }: Moment): string => months[local.getUTCMonth()] as string;
const dayName = ({ local }: Moment): string => days[local.getUTCDay()] as string;
const year = ({ local }: Moment): string => padded(local.getUTCFullYear(), 4);
const twoDigit =
  (read: (local: Date) => number): Part =>
  ({ local }) =>
    padded(read(local));
const plain =
  (read: (local: Date) => number): Part =>
  ({ local }) =>
    String(read(local));
const shortYear = twoDigit((local) => ((local.getUTCFullYear() % 100) + 100) % 100);
const month = twoDigit((local) => local.getUTCMonth() + 1);
const day = twoDigit((local) => local.getUTCDate());
const hour = twoDigit((local) => local.getUTCHours());
const minute = twoDigit((local) => local.getUTCMinutes());
const second = twoDigit((local) => local.getUTCSeconds());
const seconds = (at: Moment): number => Math.floor((at.local.getTime() - at.offsetMinutes * 60_000) / 1000);

/** `YYYY-MM-DD` and the like. Longer ones come first. */
const tokens: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['YYYY', year],
  ['YY', shortYear],
  ['MMMM', monthName],
  ['MMM', (at) => monthName(at).slice(0, 3)],
  ['MM', month],
  ['M', plain((local) => local.getUTCMonth() + 1)],
  ['dddd', dayName],
  ['ddd', (at) => dayName(at).slice(0, 3)],
  ['DDDD', (at) => padded(dayOfYear(at), 3)],
  ['Do', (at) => ordinal(at.local.getUTCDate())],
  ['DD', day],
  ['D', plain((local) => local.getUTCDate())],
  ['HH', hour],
  ['H', plain((local) => local.getUTCHours())],
  ['hh', (at) => padded(hour12(at))],
  ['h', (at) => String(hour12(at))],
  ['mm', minute],
  ['m', plain((local) => local.getUTCMinutes())],
  ['ss', second],
  ['s', plain((local) => local.getUTCSeconds())],
  ['SSS', ({ local }) => padded(local.getUTCMilliseconds(), 3)],
  ['A', half],
  ['a', (at) => half(at).toLowerCase()],
  ['ZZ', (at) => offsetText(at, '')],
  ['Z', (at) => offsetText(at, ':')],
  ['WW', (at) => padded(isoWeek(at).week)],
  ['W', (at) => String(isoWeek(at).week)],
  ['X', (at) => String(seconds(at))],
]);

const tokenPattern =
  /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DDDD|dddd|ddd|Do|DD|D|HH|H|hh|h|mm|m|ss|s|SSS|A|a|ZZ|Z|WW|W|X/g;

/** `%Y` and the like. */
const directives: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['Y', year],
  ['y', shortYear],
  ['m', month],
  ['d', day],
  ['e', ({ local }) => String(local.getUTCDate()).padStart(2)],
  ['B', monthName],
  ['b', (at) => monthName(at).slice(0, 3)],
  ['h', (at) => monthName(at).slice(0, 3)],
  ['A', dayName],
  ['a', (at) => dayName(at).slice(0, 3)],
  ['H', hour],
  ['I', (at) => padded(hour12(at))],
  ['M', minute],
  ['S', second],
  ['f', ({ local }) => `${padded(local.getUTCMilliseconds(), 3)}000`],
  ['p', half],
  ['j', (at) => padded(dayOfYear(at), 3)],
  ['u', plain((local) => local.getUTCDay() || 7)],
  ['w', plain((local) => local.getUTCDay())],
  ['V', (at) => padded(isoWeek(at).week)],
  ['G', (at) => String(isoWeek(at).year)],
  ['z', (at) => offsetText(at, '')],
  ['Z', (at) => (at.offsetMinutes === 0 ? 'UTC' : `UTC${offsetText(at, ':')}`)],
  ['s', (at) => String(seconds(at))],
  ['F', (at) => `${year(at)}-${month(at)}-${day(at)}`],
  ['T', (at) => `${hour(at)}:${minute(at)}:${second(at)}`],
  ['R', (at) => `${hour(at)}:${minute(at)}`],
  ['D', (at) => `${month(at)}/${day(at)}/${shortYear(at)}`],
  ['n', () => '\n'],
  ['t', () => '\t'],
  ['%', () => '%'],
]);

function written(at: Moment, format: string): string {
  if (format.includes('%'))
    return format.replace(/%-?([^])/g, (all: string, letter: string) => directive(at, all, letter));
  return format.replace(
    tokenPattern,
    (token: string, literal: string | undefined) => literal ?? (tokens.get(token) as Part)(at),
  );
}

function directive(at: Moment, all: string, letter: string): string {
  const part = directives.get(letter);
  if (part === undefined)
    throw new TemplateError(
      'EVAL_VALUE',
      `"${all}" is not part of a date format`,
      'for example: %Y-%m-%d %H:%M',
    );
  const text = part(at);
  return all.length === 3 ? text.replace(/^[0 ]+(?=.)/, '') : text;
}

const date = (e: Evaluation, value: Value, format: Value): Value => {
  const at = readMoment(e, value);
  const text = asText(format) ?? typeError(`the format of a date must be text, not ${typeName(format)}`);
  e.work(1 + text.length);
  e.makeText(text.length * 12);
  return written(at, text);
};

export const dateFilters: readonly FilterEntry[] = [filter('date', [['format', 'YYYY-MM-DD']], date)];

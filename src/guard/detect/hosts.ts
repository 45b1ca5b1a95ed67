// The hosts that a skill names, and what is known about each.
//
//   all texts of a skill -> for each host how often it is named; a host -> known, own, paste, catcher, shortener, address, unknown-host
//
// An unknown host is one that nothing else in the skill is about: no well-known service, named once, and not like the name of the skill.
import type { ScannedSkill } from '../detector.ts';
import { catchers, hosting, known, pastes, shorteners } from './host-lists.ts';

export type HostKind =
  | 'known'
  | 'own'
  | 'local'
  | 'placeholder'
  | 'paste'
  | 'catcher'
  | 'shortener'
  | 'address'
  | 'unknown-host';

const placeholders =
  /(?:^|\.)(?:example|invalid|test|localdomain|internal|local|lan|corp)$|(?:^|\.)example\.(?:com|org|net|edu|io|co)$|(?:^|[.-])(?:your|my|some|foo|bar|acme|contoso|fabrikam|northwind|domain|company|mycompany|yourcompany|hostname|host|server|site|yoursite|mysite|yourdomain|mydomain)[.-]|[<>{}$*[\]]|^x+\./;

export interface HostBook {
  readonly kindOf: (host: string) => HostKind;
  readonly count: (host: string) => number;
}

const maxHost = 253;
const urlHost = /\b(?:https?|wss?|ftp|git|ssh):\/\/(?:[^\s/@"'`<>()]{0,80}@)?([^\s/:"'`<>()?#\\,;]{1,253})/gi;

const oneHost = new RegExp(urlHost.source, 'i');

/** The host of a URL in lower case; the empty text if it has none. */
export function hostOf(url: string): string {
  return (oneHost.exec(url)?.[1] ?? '').toLowerCase();
}

/** Every host that a text names, with the place of its URL. */
export function* hostsIn(
  text: string,
): Generator<{ readonly host: string; readonly start: number; readonly end: number }> {
  for (const match of text.matchAll(urlHost))
    yield {
      host: (match[1] as string).toLowerCase(),
      start: match.index,
      end: match.index + match[0].length,
    };
}

const evil = /(?:^|[.-])(?:evil|attacker|malicious|exfil\w*|hacker|c2|steal\w*|malware|phish\w*)(?:[.-]|$)/;

/** `evil.com`, `attacker.example`: what people write who explain an attack. */
export function isMadeUp(host: string): boolean {
  return evil.test(host) || placeholders.test(host);
}

/** The last two labels, or three where the last two are a public suffix such as `co.uk`. */
export function siteOf(host: string): string {
  const labels = host.split('.');
  const short =
    labels.length > 2 &&
    /^(?:com?|org|net|gov|edu|ac)$/.test(labels.at(-2) as string) &&
    (labels.at(-1) as string).length === 2;
  return labels.slice(short ? -3 : -2).join('.');
}

const books = new WeakMap<ScannedSkill, HostBook>();

/** Made once for each skill. */
export function hostsOf(skill: ScannedSkill): HostBook {
  const made = books.get(skill);
  if (made !== undefined) return made;
  const counts = new Map<string, number>();
  for (const { raw } of skill.texts)
    for (const [, host] of raw.matchAll(urlHost)) add(counts, siteOf((host as string).toLowerCase()));
  const words = nameWords(`${skill.name} ${skill.head?.declaredName ?? ''} ${skill.head?.description ?? ''}`);
  const kinds = new Map<string, HostKind>();
  const book: HostBook = {
    count: (host) => counts.get(siteOf(host)) ?? 0,
    kindOf(host) {
      const kind = kinds.get(host) ?? kindOf(host.slice(0, maxHost), counts, words);
      if (kinds.size < 10_000) kinds.set(host, kind);
      return kind;
    },
  };
  books.set(skill, book);
  return book;
}

/** A host of a service where anybody can put things. */
export function isHosting(host: string): boolean {
  return isIn(hosting, host) || /(?:^|\.)s3[.-][\w.-]{0,40}amazonaws\.com$/.test(host);
}

/** The host itself, or a site that it belongs to. */
function isIn(sites: ReadonlySet<string>, host: string): boolean {
  for (let at = 0; at !== -1; at = host.indexOf('.', at + 1))
    if (sites.has(at === 0 ? host : host.slice(at + 1))) return true;
  return false;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function nameWords(text: string): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .slice(0, 4_000)
      .match(/[a-z0-9]{4,30}/g) ?? [];
  return new Set(words.filter((word) => !usual.has(word)).slice(0, 200));
}

/** Words of descriptions that say nothing about who a host belongs to. */
const usual = new Set(
  'skill skills agent agents data file files tool tools code use used using when with this that from into user users support help update updates sync cloud backup check setup install docs document documents api apis server service services team report reports quality metrics test tests project projects build helper secure security login verify mail email share local remote work workflow task tasks system files online world free fast open live news info shop store media video image images text chat model models based your their they them will should must create creates creating manage manages generate generates review content configuration collect analytics telemetry audit status monitor logs config analysis search query database python typescript javascript rust java'.split(
    ' ',
  ),
);

function kindOf(host: string, counts: ReadonlyMap<string, number>, words: ReadonlySet<string>): HostKind {
  if (/^(?:localhost|0\.0\.0\.0|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[?::1\]?|host\.docker\.internal)$/.test(host))
    return 'local';
  if (/^(?:10\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(host)) return 'local';
  if (/^\d{1,3}(?:\.\d{1,3}){3}$|^0x[0-9a-f]{8}$|^\d{8,10}$|^\[[0-9a-f:]+\]$/.test(host)) return 'address';
  if (isIn(catchers, host)) return 'catcher';
  if (isIn(pastes, host)) return 'paste';
  if (isIn(shorteners, host)) return 'shortener';
  if (isIn(known, host)) return 'known';
  if (evil.test(host) || /^[^.]+\.example$|\.[^.]+\.example$/.test(host)) return 'unknown-host';
  if (placeholders.test(host) || !host.includes('.')) return 'placeholder';
  const site = siteOf(host);
  const labels = site.split('.')[0] as string;
  if ((counts.get(site) ?? 0) >= 3) return 'own';
  for (const part of labels.split('-')) if (part.length >= 4 && words.has(part)) return 'own';
  for (const word of words) if (word.length >= 5 && labels.includes(word)) return 'own';
  return 'unknown-host';
}

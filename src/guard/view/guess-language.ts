// The language of a text without a name: decoded from somewhere else.
import { languageOf } from '../classify/language.ts';
import type { Language } from '../detector.ts';

const signs: readonly (readonly [RegExp, Language])[] = [
  [/^\s{0,20}(?:<\?php)/, 'php'],
  [/^\s{0,20}<(?:!doctype|html|script|svg)/i, 'html'],
  [/^\s{0,20}[[{]\s{0,20}["{[]/, 'json'],
  [/(?:^|\n)\s{0,20}(?:import [\w.]{1,40}|from [\w.]{1,40} import |def \w{1,40}\(|print\(|exec\()/, 'python'],
  [
    /\b(?:require\(|const \w{1,40}\s{0,4}=|function\s{0,4}\w{0,40}\(|=> ?[{(]|console\.log|process\.env)/,
    'javascript',
  ],
  [/\$env:|\bInvoke-|\bIEX\b|New-Object|-EncodedCommand/i, 'powershell'],
  [
    /(?:^|[\n;&|`(]\s{0,8})(?:sudo|curl|wget|bash|sh|chmod|cat|echo|eval|export|rm|nc|mkdir|cd|python3?|node|npm|pip3?|git|ssh|scp|source)\s/,
    'shell',
  ],
];

export function guessLanguage(text: string): Language {
  if (text.startsWith('#!')) return languageOf('', text);
  const head = text.slice(0, 2000);
  for (const [sign, language] of signs) if (sign.test(head)) return language;
  return 'text';
}

// A pattern with the flag g and a text -> every match, as `matchAll` gives them.
//
// `matchAll` copies its pattern at each call. The patterns of the guards are long and a message needs many calls:
// copying took more time than matching.
export function allMatches(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push(match);
    // By whole characters, as matchAll continues after an empty match.
    if (match[0] === '')
      pattern.lastIndex += pattern.unicode && (text.codePointAt(pattern.lastIndex) ?? 0) > 0xffff ? 2 : 1;
  }
  return found;
}

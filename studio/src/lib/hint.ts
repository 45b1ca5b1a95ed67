// A hint names commands as `techne runs list` or "techne list": the words of it, and which of them are code.
export interface HintPart {
  readonly text: string;
  readonly isCode: boolean;
}

export function hintParts(hint: string): readonly HintPart[] {
  const parts: HintPart[] = [];
  let end = 0;
  for (const match of hint.matchAll(/`([^`]+)`|"(techne [^"]+)"/g)) {
    if (match.index > end) parts.push({ text: hint.slice(end, match.index), isCode: false });
    parts.push({ text: match[1] ?? match[2] ?? '', isCode: true });
    end = match.index + match[0].length;
  }
  if (end < hint.length) parts.push({ text: hint.slice(end), isCode: false });
  return parts;
}

// How long a text is: "characters" in every limit are code points, and four of them count as a token (S2).

/** The number of code points in `text`; half a surrogate pair counts as one. */
export function countCodePoints(text: string): number {
  // Most texts have no pair, and the engine knows that immediately.
  if (!/[\ud800-\udbff]/.test(text)) return text.length;
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

/** Whether `text` has more than `limit` code points, without counting short texts. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && countCodePoints(text) > limit;
}

/** The first `limit` code points, never half a pair. */
export function cutCodePoints(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit);
  if (!/[\ud800-\udfff]/.test(head)) return head;
  let end = 0;
  for (let count = 0; count < limit && end < text.length; count += 1) {
    const point = text.codePointAt(end) as number;
    end += point > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** A body over this many estimated tokens is worth a warning. */
export const bodyTokenLimit = 5_000;

export function estimateTokens(text: string): number {
  return Math.max(1, Math.floor(countCodePoints(text) / 4));
}

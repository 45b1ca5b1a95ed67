// The smallest part of a text that still breaks the same promise.

/** Removes lines, then pieces of lines, as long as `stillBroken` holds; tries at most `maxTries` texts. */
export function minimise(text: string, stillBroken: (candidate: string) => boolean, maxTries = 3000): string {
  let tries = 0;
  const shrink = (parts: readonly string[], glue: string): readonly string[] => {
    let kept = parts;
    for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < kept.length && tries < maxTries;) {
        const candidate = [...kept.slice(0, at), ...kept.slice(at + size)];
        tries += 1;
        if (candidate.length < kept.length && stillBroken(candidate.join(glue))) kept = candidate;
        else at += size;
      }
    }
    return kept;
  };
  let result = shrink(text.split('\n'), '\n').join('\n');
  for (let round = 0; round < 3; round += 1) {
    const before = result;
    result = shrink(result.match(/\w+|\s+|[^\w\s]/g) ?? [], '').join('');
    result = shrink(result.split('\n'), '\n').join('\n');
    if (result === before) break;
  }
  return result;
}

// Plain BM25 (k1 1.2, b 0.75) over one bag of stemmed words: the yardstick beside the real ranker.
//
// Words and stems are those of the matcher, so that only the ranking differs.

/** Weightings of name, description and body. */
export const weightings = { '2, 1, 0.3': [2, 1, 0.3], '3, 1, 0.1': [3, 1, 0.1], '1, 1, 1': [1, 1, 1] };

export function plainBm25(documents, wordsOf, [ofName, ofDescription, ofBody]) {
  const frequency = new Map();
  const bags = documents.map(({ name, description, sections }) => {
    const counts = new Map();
    const add = (text, weight) => {
      for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
    };
    add(name, ofName);
    add(description, ofDescription);
    for (const { title, text } of sections) add(`${title}\n${text}`, ofBody);
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    return { name, counts, length: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  });
  const mean = bags.reduce((sum, { length }) => sum + length, 0) / bags.length;
  return (message) => {
    const asked = [...new Set(wordsOf(message))].filter((word) => frequency.has(word));
    return bags
      .map(({ name, counts, length }) => {
        let score = 0;
        for (const word of asked) {
          const count = counts.get(word);
          if (count === undefined) continue;
          const known = frequency.get(word);
          score +=
            (Math.log(1 + (bags.length - known + 0.5) / (known + 0.5)) * count * 2.2) /
            (count + 1.2 * (0.25 + (0.75 * length) / mean));
        }
        return { name, score };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name);
  };
}

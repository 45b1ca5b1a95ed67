// A plain BM25 over name, description and body: the yardstick beside the real matcher, and what stands in where there is none.
const words = (text) =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/(?:ing|ed|es|s)$/, ''));
const weights = { name: 3, description: 1, body: 0.3 };

export async function plainBm25(snapshot) {
  const documents = [];
  const frequency = new Map();
  for (const { name, description } of snapshot.skills) {
    const body = await snapshot.readBody(name).then(
      ({ text }) => text,
      () => '',
    );
    const counts = new Map();
    for (const [text, weight] of [
      [name, weights.name],
      [description, weights.description],
      [body, weights.body],
    ]) {
      for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
    }
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    documents.push({ name, counts, length: [...counts.values()].reduce((sum, count) => sum + count, 0) });
  }
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const scoreOf = ({ counts, length }, query) => {
    let score = 0;
    for (const word of query) {
      const count = counts.get(word);
      if (count === undefined) continue;
      const known = frequency.get(word);
      score +=
        (Math.log(1 + (documents.length - known + 0.5) / (known + 0.5)) * count * 2.2) /
        (count + 1.2 * (0.25 + (0.75 * length) / mean));
    }
    return score;
  };
  return {
    match(message, { limit }) {
      const query = [...new Set(words(message))];
      const ranked = documents
        .map((document) => ({ skill: document.name, score: scoreOf(document, query) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit);
      const matches = ranked.map(({ skill, score }) => ({
        skill,
        mode: 'lexical',
        confidence: score / (1 + score),
        variables: {},
        reason: 'words',
      }));
      return { matches: matches.slice(0, 1), abstained: null, candidates: matches.slice(1) };
    },
  };
}

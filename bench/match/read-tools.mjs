// Public questions to functions -> a world of short heads: node bench/match/read-tools.mjs FOLDER
//
//   FOLDER/BFCL_v4_*.json, FOLDER/possible_answer/ (the Berkeley function-calling leaderboard, `bfcl_eval/data`) -> .bench/tools.json
//
// Every function is a document: its name and what it does in a sentence. A question asks for the function that answers it; of functions
// of one name the first counts. Nothing of it is part of the project: quality.mjs and weights.mjs use it where it is there.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { benchFolder } from '../corpus.mjs';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('read-tools: name the folder of the data');
  process.exit(2);
}
const lines = (file) =>
  readFileSync(`${folder}/${file}.json`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const documents = new Map();
const cases = [];
for (const set of ['live_simple', 'live_multiple', 'multiple', 'simple_python']) {
  const answers = new Map(lines(`possible_answer/BFCL_v4_${set}`).map((one) => [one.id, one.ground_truth]));
  for (const { id, question, function: functions } of lines(`BFCL_v4_${set}`)) {
    for (const { name, description } of functions)
      if (!documents.has(name)) documents.set(name, { name, description });
    const query = question[0].filter(({ role }) => role === 'user').at(-1)?.content;
    const expected = Object.keys(answers.get(id)?.[0] ?? {})[0];
    if (query !== undefined && documents.has(expected)) cases.push({ query, expected });
  }
}
mkdirSync(benchFolder, { recursive: true });
writeFileSync(`${benchFolder}/tools.json`, JSON.stringify({ documents: [...documents.values()], cases }));
console.log(`${documents.size} functions, ${cases.length} questions -> ${benchFolder}/tools.json`);

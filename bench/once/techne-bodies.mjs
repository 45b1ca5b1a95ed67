// Reads the body of every skill, first pass after loading.  node techne-bodies.mjs ROOT HOME
const { openSkills } = await import('../../dist/index.js');
const [root, homeFolder] = process.argv.slice(2);
const skills = await openSkills({ roots: [root], homeFolder });
const snapshot = await skills.load();
const start = performance.now();
let refused = 0;
for (const { name } of snapshot.skills)
  await snapshot.readBody(name).catch((error) => {
    if (error.code !== 'CONTENT_REFUSED') throw error;
    refused += 1;
  });
console.log(performance.now() - start);
if (process.argv[4] === 'count') console.error(`${snapshot.skills.length} read, ${refused} refused`);

// Our loading, first pass after import.  node techne-load.mjs ROOT [CACHE-FOLDER]
const { openSkills } = await import('../../dist/index.js');
const [root, cacheFolder] = process.argv.slice(2);
const start = performance.now();
const skills = await openSkills({
  roots: [root],
  homeFolder: cacheFolder ?? '/nonexistent',
  cache: cacheFolder !== undefined,
});
const snapshot = await skills.load();
console.log(performance.now() - start);
if (snapshot.skills.length === 0) process.exit(1);

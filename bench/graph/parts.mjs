// What the bench of the graph needs of the source.
export { Vault } from '../../src/graph/vault.ts';
export { createNodeFiles } from '../../src/node/files/files.ts';
export { nodeParseFull } from '../../src/node/yaml.ts';

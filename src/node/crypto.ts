// node:crypto, loaded when something is hashed or drawn: it costs milliseconds that listing does not need.

let loaded: typeof import('node:crypto') | null = null;

export function nodeCrypto(): typeof import('node:crypto') {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}

// node:crypto, loaded when something is hashed or drawn: it costs milliseconds that listing does not need.

export function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

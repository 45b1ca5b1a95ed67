// JSON of a source -> a value without prototypes, or nothing.
import type { Json } from '../../base/json.ts';
import { jsonIn } from '../../base/json.ts';

const maxDepth = 100;

/** `undefined` for what is not JSON, or nested too deeply to be read by functions that call themselves. */
export function untrustedJson(text: string): Json | undefined {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) isText = false;
    } else if (code === 0x22) isText = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return undefined;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return jsonIn(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

export function textField(object: { readonly [key: string]: Json | undefined }, key: string): string | null {
  const value = object[key];
  return typeof value === 'string' ? value : null;
}

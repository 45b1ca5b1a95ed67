// The predeclared module `json`.
import { fixed, type Native, type Thread } from '../value/native.ts';
import { Builtin, Module, type Value } from '../value/value.ts';
import { JsonFault, decodeJson } from './json-decode.ts';
import { encodeJson, indentJson } from './json-encode.ts';
import { wantString } from './string-methods.ts';

/** Runs `read`; a fault of the text becomes `otherwise`, or the failure of the function `name`. */
function reading(thread: Thread, name: string, read: () => Value, otherwise: Value | undefined): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    if (otherwise === undefined) throw error.toEvalError(name);
    // An exception in the engine costs as much as many steps.
    thread.meter.work(300);
    return otherwise;
  }
}

const encode = fixed('json.encode', 'x, /', (thread, _self, x) =>
  encodeJson(thread, x as Value, 'json.encode'),
);

const encodeIndent = fixed('json.encode_indent', 'x, /, prefix?, indent?', (thread, _self, x, a, b) => {
  const prefix = wantString('json.encode_indent', 'prefix', a === undefined ? '' : a);
  const indent = wantString('json.encode_indent', 'indent', b === undefined ? '\t' : b);
  return indentJson(thread, encodeJson(thread, x as Value, 'json.encode_indent'), prefix, indent);
});

const indent = fixed('json.indent', 's, /, prefix?, indent?', (thread, _self, s, a, b) => {
  const text = wantString('json.indent', 's', s);
  const prefix = wantString('json.indent', 'prefix', a === undefined ? '' : a);
  const unit = wantString('json.indent', 'indent', b === undefined ? '\t' : b);
  return reading(thread, 'json.indent', () => indentJson(thread, text, prefix, unit), undefined);
});

const decode = fixed('json.decode', 'x, /, default?', (thread, _self, x, otherwise) => {
  const text = wantString('json.decode', 'x', x);
  return reading(thread, 'json.decode', () => decodeJson(thread, text), otherwise);
});

const members: readonly (readonly [string, Native])[] = [
  ['decode', decode],
  ['encode', encode],
  ['encode_indent', encodeIndent],
  ['indent', indent],
];

export const jsonModule = new Module(
  'json',
  new Map(members.map(([name, native]) => [name, new Builtin(native)])),
);

// The functions and modules of the language by name, both ways: `len`, `json`, `json.encode`.
import { testing } from '../lib/testing.ts';
import { universe } from '../lib/universe.ts';
import { Builtin, Module, type Value } from '../value/value.ts';

let byName: Map<string, Builtin | Module> | null = null;
let byValue: Map<Value, string> | null = null;

export function builtinsByName(): ReadonlyMap<string, Builtin | Module> {
  if (byName !== null) return byName;
  byName = new Map();
  for (const [name, value] of [...universe, ...testing]) {
    if (value instanceof Builtin || value instanceof Module) byName.set(name, value);
    if (!(value instanceof Module)) continue;
    for (const [member, part] of value.members)
      if (part instanceof Builtin) byName.set(`${name}.${member}`, part);
  }
  return byName;
}

export function namesOfBuiltins(): ReadonlyMap<Value, string> {
  byValue ??= new Map([...builtinsByName()].map(([name, value]) => [value, name]));
  return byValue;
}

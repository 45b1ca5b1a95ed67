// Makes a value and all it reaches unchangeable.
//
// No recursion: data may nest as deep as memory allows. What is frozen is not entered again. The globals of a
// closure's module are left to the machine.
import { BoundMethod, Closure, Dict, FROZEN, List, SetValue, Struct, Tuple, type Value } from './value.ts';

export function freeze(v: Value): void {
  const pending: (Value | undefined)[] = [v];
  const structs = new Set<Struct>();
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'object' && next !== null) freezeOne(next, pending, structs);
  }
}

function freezeOne(v: object, pending: (Value | undefined)[], structs: Set<Struct>): void {
  if (v instanceof List) {
    if (v.locks === FROZEN) return;
    v.locks = FROZEN;
    pushAll(v.items, pending);
  } else if (v instanceof Dict) {
    if (v.locks === FROZEN) return;
    v.locks = FROZEN;
    pushAll(v.keys, pending);
    pushAll(v.values, pending);
  } else if (v instanceof SetValue) {
    if (v.locks === FROZEN) return;
    v.locks = FROZEN;
    pushAll(v.items, pending);
  } else if (v instanceof Tuple) {
    if (v.frozen) return;
    v.frozen = true;
    pushAll(v.items, pending);
  } else if (v instanceof Closure) {
    if (v.frozen) return;
    v.frozen = true;
    pushAll(v.defaults, pending);
    for (const cell of v.free) pending.push(cell.value);
  } else if (v instanceof BoundMethod) {
    pending.push(v.self);
  } else if (v instanceof Struct && !structs.has(v)) {
    structs.add(v);
    for (const member of v.members.values()) pending.push(member);
  }
}

function pushAll(items: readonly (Value | undefined)[], pending: (Value | undefined)[]): void {
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i];
    if (typeof item === 'object' && item !== null) pending.push(item);
  }
}

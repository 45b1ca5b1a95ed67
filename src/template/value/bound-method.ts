// A method of a value, taken as a value itself.
import type { Evaluation } from './evaluation.ts';
import { Callable, type Named, type Native, type Value } from './value.ts';

export class BoundMethod extends Callable {
  readonly typeName = 'builtin_function_or_method';
  readonly self: Value;
  readonly native: Native;
  private readonly of: string;
  private readonly name: string;

  constructor(self: Value, of: string, name: string, native: Native) {
    super();
    this.self = self;
    this.of = of;
    this.name = name;
    this.native = native;
  }

  call(e: Evaluation, args: readonly Value[], named: Named): Value {
    return this.native(e, this.self, args, named);
  }

  attribute(): undefined {
    return undefined;
  }

  text(): string {
    return `<built-in method ${this.name} of ${this.of} object>`;
  }
}

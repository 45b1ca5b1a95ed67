// The methods of bytes: the specification has one.
import { fixed, type Native } from '../value/native.ts';
import { ELEMS_BYTES } from '../value/sizes.ts';
import { Elems, type Bytes } from '../value/value.ts';

export const bytesMethods: ReadonlyMap<string, Native> = new Map([
  [
    'elems',
    fixed('elems', '', (thread, self: Bytes) => {
      thread.meter.work(1);
      thread.meter.allocate(ELEMS_BYTES);
      return new Elems(self);
    }),
  ],
]);

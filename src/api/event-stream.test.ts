import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventReader, heartbeat, renderEvent } from './event-stream.ts';
import type { StreamEvent } from './event-stream.ts';

describe('EventReader', () => {
  it('reads what was rendered, in whatever pieces it comes', () => {
    const event = fc.record({
      id: fc.option(fc.nat().map(String), { nil: null }),
      event: fc.constantFrom('run.started', 'effect.ended'),
      data: fc.json(),
    });
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat({ max: 40 })), (events, cuts) => {
        const text = events.map((one) => renderEvent(one) + heartbeat).join('');
        const reader = new EventReader();
        const read: StreamEvent[] = [];
        let at = 0;
        for (const size of [...cuts, text.length]) {
          read.push(...reader.read(text.slice(at, at + size)));
          at += size;
        }
        expect(read).toEqual(events);
      }),
    );
  });

  it('takes CRLF, and several lines of data', () => {
    expect(new EventReader().read('id: 1\r\ndata: a\r\ndata: b\r\n\r\n')).toEqual([
      { id: '1', event: 'message', data: 'a\nb' },
    ]);
  });
});

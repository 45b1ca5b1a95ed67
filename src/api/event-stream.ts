// Server-sent events <-> text: the entries of a journal, each with its number as the id.
//
//   { id, event, data } -> "id: 7\nevent: run.ended\ndata: {…}\n\n"
//
// `data` is one line of JSON, so no line of it can end an event early. The reader takes pieces as they arrive, in any cut.

/** One event of a stream. */
export interface StreamEvent {
  /** `null` for an event without a number: it does not move the place from which a reader continues. */
  readonly id: string | null;
  readonly event: string;
  /** One line. */
  readonly data: string;
}

export function renderEvent({ id, event, data }: StreamEvent): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** A line that keeps a connection open, and that readers ignore. */
export const heartbeat = ': beat\n\n';

/** Longer events are not read. */
const maxEventUnits = 32 * 1024 * 1024;

/** Takes the text of a stream piece by piece. Throws RangeError for an event that never ends. */
export class EventReader {
  #rest = '';

  read(piece: string): readonly StreamEvent[] {
    this.#rest += piece;
    const events: StreamEvent[] = [];
    for (;;) {
      const end = /\r?\n\r?\n/.exec(this.#rest);
      if (end === null) break;
      const event = parseEvent(this.#rest.slice(0, end.index));
      this.#rest = this.#rest.slice(end.index + end[0].length);
      if (event !== null) events.push(event);
    }
    if (this.#rest.length > maxEventUnits) throw new RangeError('an event of the stream is too long');
    return events;
  }
}

/** `null`: it holds nothing but comments. */
function parseEvent(text: string): StreamEvent | null {
  let id: string | null = null;
  let event = 'message';
  const data: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?([^]*)$/.exec(line) ?? [];
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? null : { id, event, data: data.join('\n') };
}

// Times, durations, sizes and costs as people say them. The exact value is for `title`.
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `3 min ago`, `in 2 h`, `31 Jan 14:05`: short, since lists have it in every row. */
export function ago(at: number, now: number): string {
  const away = Math.abs(now - at);
  const say = (amount: number, unit: string): string => {
    const text = `${amount} ${unit}`;
    return at > now ? `in ${text}` : `${text} ago`;
  };
  if (away < 10 * second) return at > now ? 'in a moment' : 'just now';
  if (away < minute) return say(Math.floor(away / second), 's');
  if (away < hour) return say(Math.floor(away / minute), 'min');
  if (away < day) return say(Math.floor(away / hour), 'h');
  if (away < 7 * day) return say(Math.floor(away / day), away < 2 * day ? 'day' : 'days');
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(undefined, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? { hour: '2-digit', minute: '2-digit' } : { year: 'numeric' }),
  }).format(at);
}

/** With the time zone. */
export function exactTime(at: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' }).format(at);
}

/** `820 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * second) return `${(ms / second).toFixed(1)} s`;
  if (ms < minute) return `${Math.round(ms / second)} s`;
  const both = (large: number, of: string, small: number, unit: string): string =>
    small === 0 ? `${large} ${of}` : `${large} ${of} ${small} ${unit}`;
  if (ms < hour) return both(Math.floor(ms / minute), 'min', Math.floor((ms % minute) / second), 's');
  if (ms < day) return both(Math.floor(ms / hour), 'h', Math.floor((ms % hour) / minute), 'min');
  return both(Math.floor(ms / day), 'd', Math.floor((ms % day) / hour), 'h');
}

/** `512 B`, `1.4 KB`, `3.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_024 * 1_024) return `${(bytes / 1_024).toFixed(bytes < 10_240 ? 1 : 0)} KB`;
  return `${(bytes / 1_024 / 1_024).toFixed(1)} MB`;
}

/** `$0.0042`, `$1.20`. */
export function cost(dollars: number): string {
  if (dollars === 0) return '$0';
  return dollars < 0.01 ? `$${dollars.toPrecision(2)}` : `$${dollars.toFixed(2)}`;
}

/** `1 run`, `12,000 runs`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`;
}

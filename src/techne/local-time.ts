// Times of records, which are UTC, as a person of this machine reads them: in the zone that the machine is set to.

/** `2026-11-18`. */
export function localDay(timeMs: number): string {
  const date = new Date(timeMs);
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `2026-11-18 14:05`; a time that cannot be read stays as it is written. */
export function localTime(iso: string): string {
  const timeMs = Date.parse(iso);
  if (!Number.isFinite(timeMs)) return iso;
  const date = new Date(timeMs);
  return `${localDay(timeMs)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

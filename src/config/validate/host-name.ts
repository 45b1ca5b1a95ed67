// Whether a text is the name or address of a host, or a port, as URL parsers judge it. Written by hand because the core
// has no `URL`.

const label = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/;

/** A domain name or an IPv4 address; a name that ends in a number can only be an address. */
export function isHostName(text: string): boolean {
  const labels = text.split('.');
  if (/^(?:\d+|0[Xx][0-9A-Fa-f]*)$/.test(labels.at(-1) as string)) return isIpv4(text);
  return text.length <= 253 && labels.every((each) => label.test(each));
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

/** Without the brackets it has in a URL. */
export function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const tail = last.includes('.') ? 1 : 0;
  if (tail === 1 && (!isIpv4(last) || text.endsWith('::'))) return false;
  if (!groups.slice(0, groups.length - tail).every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  const count = groups.length + tail;
  return halves.length === 2 ? count < 8 : count === 8;
}

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

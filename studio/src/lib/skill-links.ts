// Where the page of a skill is, also of a copy that is not used and of a file that gave none.

/** `copy`: the path of one that is not used. */
export function hrefOfSkill(name: string, copy: string | null): string {
  return `/skills/${encodeURIComponent(name)}${copy === null ? '' : `?copy=${encodeURIComponent(copy)}`}`;
}

/** What a file without a skill would be called: its folder, or what it is called itself. */
export function nameOfBroken(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? path;
  return /^skill\.md$/i.test(last) ? (parts.at(-2) ?? last) : last;
}

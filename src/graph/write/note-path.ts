// The path of a note, checked before anything is written: relative, inside the vault, no dot files, one ending.

const maxPathUnits = 400;

/** The path with `.md`, or why it cannot be one. */
export function notePathOf(
  rendered: string,
): { readonly ok: true; readonly path: string } | { readonly ok: false; readonly message: string } {
  const fail = (why: string): { readonly ok: false; readonly message: string } => ({
    ok: false,
    message: `the path of the note ${JSON.stringify(rendered.slice(0, 200))} ${why}`,
  });
  if (rendered.length > maxPathUnits) return fail(`is longer than ${maxPathUnits} characters`);
  if (/\p{Cc}/u.test(rendered)) return fail('holds control characters');
  if (rendered.startsWith('/') || /^[A-Za-z]:/.test(rendered) || rendered.includes('\\'))
    return fail('must be relative to the vault, with "/"');
  const segments = rendered.split('/').map((segment) => segment.trim());
  const name = (segments.pop() as string).replace(/\.md$/i, '').trim();
  if (name === '') return fail('has no name: an input that it is made of is empty');
  if (segments.some((segment) => segment === '')) return fail('has an empty folder');
  if ([...segments, name].some((segment) => segment.startsWith('.')))
    return fail('has a part that begins with a dot');
  return { ok: true, path: [...segments, `${name}.md`].join('/') };
}

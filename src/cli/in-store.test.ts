// Commands that are printed to be typed next, for the store that was given.
import { describe, expect, it } from 'vitest';
import { inStore, storeAmong } from './in-store.ts';

const run = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const store = 'postgres://techne@db/techne';

describe('inStore', () => {
  it.each([
    [`techne runs show ${run}`, `techne runs show ${run} --store ${store}`],
    [`  techne answer ${run} --text="…"`, `  techne answer ${run} --store ${store} --text="…"`],
    [
      `techne runs show ${run}, techne runs cancel ${run}`,
      `techne runs show ${run} --store ${store}, techne runs cancel ${run} --store ${store}`,
    ],
    ['"techne runs" shows the runs there are', `"techne runs --store ${store}" shows the runs there are`],
    [
      'techne store files list; techne webhook list',
      `techne store files --store ${store} list; techne webhook list --store ${store}`,
    ],
    ['techne worker starts one', `techne worker --store ${store} starts one`],
    // These have no --store, have one already, or are no commands.
    ['techne list shows every skill', 'techne list shows every skill'],
    [
      'techne store migrate --store postgres://OWNER@db/techne',
      'techne store migrate --store postgres://OWNER@db/techne',
    ],
    ['techne runsome', 'techne runsome'],
  ])('writes %s', (text, wanted) => {
    expect(inStore(text, store)).toBe(wanted);
    expect(inStore(text, null)).toBe(text);
  });

  it('never shows a password, and quotes what a shell would read', () => {
    const shown = inStore('techne runs', 'postgres://me:secret@db/techne?schema=a&password=secret&lease=2');
    expect(shown).toBe("techne runs --store 'postgres://me@db/techne?schema=a&lease=2'");
    expect(inStore('techne runs', "postgres://me@db/x';rm -rf y")).toBe(
      "techne runs --store 'postgres://me@db/x%27;rm%20-rf%20y'",
    );
    expect(inStore('techne runs', 'files')).toBe('techne runs --store files');
    expect(inStore('techne runs', 'nowhere')).toBe('techne runs');
  });
});

describe('storeAmong', () => {
  it('finds the last value of --store', () => {
    expect(storeAmong(['runs', '--store', 'files', `--store=${store}`, 'x'])).toBe(store);
    expect(storeAmong(['runs', '--store', store])).toBe(store);
    expect([storeAmong(['runs', '--store']), storeAmong(['runs'])]).toEqual([null, null]);
  });
});

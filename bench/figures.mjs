// What measureRounds gave -> rows with their bars.
import { chainMs } from './peer-xstate.mjs';

/** @type {(what: string, text: string, value?: number | null, bar?: number | null) => void} */
export const row = (what, text, value = null, bar = null) =>
  console.log(
    `  ${what.padEnd(40)} ${text.padStart(46)}${bar === null || value === null ? '' : `  (bar ${bar}: ${value <= bar ? 'met' : 'MISSED'})`}`,
  );

const told = (number, unit, digits) => (number === null ? 'never' : `${number.toFixed(digits)} ${unit}`);

/** Milliseconds as a multiple of what the peer takes for its chain in the same rounds (peer-xstate.mjs, X1). */
export function toPeer(of, peer, barMs) {
  if (peer !== undefined)
    figures(
      '    to xstate',
      both({ median: of('median'), quiet: of('quiet'), least: of('least') }, peer, (a, b) => a / b),
      'x',
      2,
      Number((barMs / chainMs).toFixed(2)),
    );
}

/** What the peer itself takes. */
export function sayPeer(peer, steps) {
  if (peer === undefined) row('xstate', 'is not installed: no ratios (peer-xstate.mjs, X2)');
  else
    figures(
      `xstate, ${steps} steps in memory: per step`,
      (which) => (peer[which] === null ? null : (peer[which] / steps) * 1000),
      'us',
      1,
    );
}

/** Median of all rounds, of the quiet ones (rounds.mjs, R2), and the least. The bar is for the quiet ones, if there were any. */
export const figures = (what, of, unit, digits, bar = null) =>
  row(
    what,
    `${told(of('median'), unit, digits)}, quiet ${told(of('quiet'), unit, digits)}, least ${told(of('least'), unit, digits)}`,
    of('quiet') ?? of('median'),
    bar,
  );

export const one = (measured) => (which) => measured[which];
export const both = (a, b, join) => (which) =>
  a[which] === null || b[which] === null ? null : join(a[which], b[which]);
export const quietRounds = (medians) =>
  Math.min(...Object.values(medians).map((measured) => measured.quietRounds));

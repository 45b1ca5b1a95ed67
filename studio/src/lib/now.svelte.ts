// The time, for texts such as "3 minutes ago": one clock for the whole page, every ten seconds while somebody looks.
let value = $state(Date.now());

setInterval(() => {
  if (document.visibilityState === 'visible') value = Date.now();
}, 10_000);
document.addEventListener('visibilitychange', () => {
  value = Date.now();
});

export function now(): number {
  return value;
}

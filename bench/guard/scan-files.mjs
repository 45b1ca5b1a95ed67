// Folders -> reports of a scan, what one report has that another lacks, and shares with their intervals.
//
// A warning is a finding of at least `medium`. Intervals are Wilson's, 95 %.
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleParts } from '../bundle.mjs';

const { scanSkill, nodeGuardPorts } = await import(pathToFileURL(await bundleParts('guard', ['yaml'])).href);
const warnings = new Set(['critical', 'high', 'medium']);
const verdicts = ['clean', 'caution', 'incomplete', 'dangerous'];
const times = [];

export function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      const bytes = entry.isFile() ? readFileSync(path) : null;
      return {
        path: relative(folder, path).replaceAll('\\', '/'),
        kind: entry.isFile() ? 'file' : 'link',
        size: bytes?.length ?? 0,
        executable: false,
        bytes,
      };
    });
}

export function scan(files, name) {
  const start = performance.now();
  const report = scanSkill(files, nodeGuardPorts, { name });
  times.push(performance.now() - start);
  return report;
}

export function isWarning({ severity }) {
  return warnings.has(severity);
}

export function isFlagged(report) {
  return report.findings.some(isWarning);
}

/** Warnings that only the second report has. */
export function added(clean, injected) {
  const before = new Set(clean.findings.filter(isWarning).map(({ fingerprint }) => fingerprint));
  return injected.findings.filter((finding) => isWarning(finding) && !before.has(finding.fingerprint));
}

export function isWorse(clean, injected) {
  return verdicts.indexOf(injected.verdict) > verdicts.indexOf(clean.verdict);
}

export function share(count, total) {
  if (total === 0) return '0/0';
  const [low, high] = wilson(count, total);
  return `${count}/${total} = ${percent(count / total)} [${percent(low)}–${percent(high)}]`;
}

function wilson(count, total) {
  const z = 1.96;
  const p = count / total;
  const centre = (p + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half = (z * Math.sqrt((p * (1 - p)) / total + (z * z) / (4 * total * total))) / (1 + (z * z) / total);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

function percent(value) {
  return `${(value * 100).toFixed(1)} %`;
}

/** Of all scans so far. */
export function sayTimes() {
  if (times.length === 0) return;
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(1);
  console.log(
    `\ntime of a scan: median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${sorted.at(-1).toFixed(1)} ms (${sorted.length} scans)`,
  );
}

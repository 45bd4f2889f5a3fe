import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { auditPackages, type LockEntry, type Manifest } from './audit-rules.ts';

/** The audit of the gate: our own rules on every locked package, then the registry's known vulnerabilities. */
const root = resolve(import.meta.dirname, '..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));

const manifest = read('package.json') as Manifest;
const { packages } = read('package-lock.json') as { packages: Record<string, LockEntry> };
const problems = auditPackages(manifest, packages);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(
  `${Object.keys(packages).length - 1} locked packages: versions, origin, licences and scripts are in order.`,
);

interface Report {
  readonly message?: string;
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
}

const npm = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
let report: Report = {};
try {
  report = JSON.parse(npm.stdout) as Report;
} catch {
  report = { message: npm.stderr.trim() || 'npm audit gave no answer' };
}
if (report.metadata?.vulnerabilities === undefined) {
  console.warn(
    `Known vulnerabilities were NOT checked: the registry answered no audit (${report.message ?? 'no reason given'}).`,
  );
} else if (npm.status !== 0) {
  for (const [name, { severity }] of Object.entries(report.vulnerabilities ?? {}))
    console.error(`${name}: ${severity}. See: npm audit --omit=dev`);
  process.exit(1);
} else {
  console.log('The registry knows of no serious vulnerability in what is shipped.');
}

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nextNodeLine, nodeLinesCheckedAt } from '../src/server/kit/node-versions.ts';
import { auditPackages, type LockEntry, type Manifest } from './audit-rules.ts';
import { fillIntegrity } from './fill-integrity.ts';
import { checkLifetime, daysSince, judgeUnchecked, type VulnerabilityCheck } from './vulnerability-check.ts';

/**
 * The audit of the gate: our own rules on every locked package, then the registry's known vulnerabilities. `--fill` first
 * adds what the lock file lacks of integrity and licences.
 */
const root = resolve(import.meta.dirname, '..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const isCi = process.env['CI'] !== undefined;
const now = Date.now();
const checkFile = 'tests/vulnerability-check.json';

if (process.argv.includes('--fill'))
  for (const filled of fillIntegrity(join(root, 'package-lock.json')))
    console.log(`${filled} has its integrity now.`);

const manifest = read('package.json') as Manifest;
const { packages } = read('package-lock.json') as { packages: Record<string, LockEntry> };
const problems = auditPackages(manifest, packages);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(
  `${Object.keys(packages).length - 1} locked packages: versions, origin, integrity, licences and scripts are in order.`,
);

// No registry knows of the vulnerabilities of Node.
const age = daysSince(nodeLinesCheckedAt, now);
if (age > checkLifetime) {
  console.error(
    `The table of src/server/kit/node-versions.ts was compared with the releases of Node ${age} days ago. Compare it, correct it, and change its date.`,
  );
  if (isCi) process.exit(1);
}
if (daysSince(nextNodeLine.by, now) > 0)
  console.warn(`The step to Node ${nextNodeLine.line} was planned by ${nextNodeLine.by}.`);

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
  const last = existsSync(join(root, checkFile)) ? (read(checkFile) as VulnerabilityCheck) : undefined;
  // Its address is of no use to whoever reads the log.
  const reason = (report.message ?? 'no reason given').replace(/ - .*/s, '');
  const { sentence, fails } = judgeUnchecked(`the registry answered no audit: ${reason}`, last, now, isCi);
  console.warn(sentence);
  if (fails) process.exit(1);
} else if (npm.status !== 0) {
  for (const [name, { severity }] of Object.entries(report.vulnerabilities ?? {}))
    console.error(`${name}: ${severity}. See: npm audit --omit=dev`);
  process.exit(1);
} else {
  console.log('The registry knows of no serious vulnerability in what is shipped.');
  const check: VulnerabilityCheck = {
    checkedAt: new Date(now).toISOString().slice(0, 10),
    how: 'npm audit --omit=dev --audit-level=high: nothing serious.',
  };
  if (!isCi) writeFileSync(join(root, checkFile), `${JSON.stringify(check, undefined, 2)}\n`);
}

import { writeFileSync } from 'node:fs';
import { type Figures, figuresFile } from './figures.ts';
import { readResult, readTimes, type RunTimes } from './results.ts';
import { readTimings, timingsFile, timingsOf } from './timings.ts';

// `npm run figures`: notes what the last `npm test` measured, as what later runs are compared with and ordered by.
const figures = readResult('figures.json') as Figures | undefined;
if (figures === undefined) {
  console.error('Nothing was measured yet: npm test does it.');
  process.exit(1);
}
const measured = Object.assign({}, ...readTimes().map(({ files }) => files)) as RunTimes['files'];
const write = (file: string, content: unknown): void =>
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
write(figuresFile, figures);
// A run of some files leaves the times of the others as they were.
write(timingsFile, { ...readTimings(), ...timingsOf(measured) });
console.log(`Noted ${figures.commit}: ${figuresFile} and ${timingsFile}.`);

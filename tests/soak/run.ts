import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import buildPage from '../e2e/build-page.ts';
import { chartOf } from './chart.ts';
import { type Claim, markdownOf, tableOf } from './claims.ts';
import { type Ends, namesAt, startInstallation } from './installation.ts';
import { readOptions, type SoakOptions, usage } from './options.ts';
import { proveKills, runJourneys } from './others.ts';
import { Soak } from './soak.ts';
import { judge, panelsOf } from './summary.ts';
import { endAll, finish, signalOfInterruption, Waits } from './waits.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const interrupted = signalOfInterruption(say);
const waits = new Waits(interrupted);

/** Runs one soak, or as much of it as there was time for, and writes its chart; gives its claims and how long it went on, s. */
async function soak(options: SoakOptions): Promise<{ claims: readonly Claim[]; seconds: number }> {
  // In a fresh checkout it takes longer than a server may take to start.
  buildPage();
  const ends: Ends = [];
  try {
    const installation = await waits.within(
      'everything has started',
      startInstallation(options, ends),
      900_000,
    );
    const deployments = await namesAt(installation.call, '/apis/apps/v1/deployments');
    const one = new Soak(options, installation, deployments, say);
    ends.push(() => one.close());
    await waits.within('all pages are open', one.open(), 120_000);
    say(`${options.servers} servers at ${installation.roundRobin.url}; ${one.pages.length} pages are open.`);
    await one.warmUp(interrupted);
    const beganAt = Date.now();
    await one.run(interrupted);
    const seconds = one.now;
    await mkdir(options.folder, { recursive: true });
    const chart = chartOf(panelsOf(one.findings), one.findings.marks, seconds);
    await writeFile(join(options.folder, 'chart.svg'), chart);
    for (const [index, server] of installation.servers.entries())
      await writeFile(join(options.folder, `server-${index}.log`), server.output);
    return { claims: await judge(one, installation, beganAt, interrupted.aborted), seconds };
  } finally {
    await endAll(ends, say);
  }
}

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    say(usage);
    return true;
  }
  if (options.e2e !== undefined) return await runJourneys(options.e2e, options.servers, interrupted);
  const { minutes, pages, changes, pods, streams, servers, seed, folder } = options;
  say(`Seed ${seed} (--seed ${seed} runs the same events again).`);
  const { claims, seconds } = await soak(options);
  const isProven = options.withKills && !interrupted.aborted;
  const kills = isProven ? [await proveKills(seed, interrupted)] : [];
  const all = [...claims, ...kills];
  const how = `${servers} servers, ${pages} pages, ${streams} logs and ${streams} shells, ${changes} changes a second to ${pods} pods; asked for ${minutes} min, ran ${(seconds / 60).toFixed(1)} min${interrupted.aborted ? ' and was interrupted' : ''}; seed ${seed}.`;
  const text = `# Soak\n\n${how}\n\n${markdownOf(all)}\n\n![chart](chart.svg)\n`;
  await writeFile(join(folder, 'summary.md'), text);
  say(
    `\n${how}\n\n${tableOf(all)}\n\nThe summary is in ${folder}: summary.md, chart.svg and the servers' logs.`,
  );
  return all.every(({ isKept }) => isKept !== false);
}

await finish(main, interrupted, `${usage}\n`);

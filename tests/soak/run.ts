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

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    say(`\n${signal}: what was started is ended, which takes some seconds.`);
    interrupted.abort();
  });

/** Runs one soak and writes its chart; gives its claims and how long the changes went on, s. */
async function soak(options: SoakOptions): Promise<{ claims: readonly Claim[]; seconds: number }> {
  // In a fresh checkout it takes longer than a server may take to start.
  buildPage();
  const ends: Ends = [];
  try {
    const installation = await startInstallation(options, ends);
    const deployments = await namesAt(installation.call, '/apis/apps/v1/deployments');
    const one = new Soak(options, installation, deployments, say);
    ends.push(() => one.close());
    await one.open();
    say(`${options.servers} servers at ${installation.roundRobin.url}; ${one.pages.length} pages are open.`);
    const beganAt = Date.now();
    await one.run(interrupted.signal);
    const seconds = one.now;
    await mkdir(options.folder, { recursive: true });
    const chart = chartOf(panelsOf(one.findings), one.findings.marks, seconds);
    await writeFile(join(options.folder, 'chart.svg'), chart);
    for (const [index, server] of installation.servers.entries())
      await writeFile(join(options.folder, `server-${index}.log`), server.output);
    if (interrupted.signal.aborted) return { claims: [], seconds };
    return { claims: await judge(one, installation, beganAt), seconds };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    say(usage);
    return true;
  }
  if (options.e2e !== undefined) return await runJourneys(options.e2e, options.servers, interrupted.signal);
  const { minutes, pages, changes, pods, streams, servers, seed, folder } = options;
  say(`Seed ${seed} (--seed ${seed} runs the same events again).`);
  const { claims, seconds } = await soak(options);
  if (interrupted.signal.aborted) return false;
  const kills = options.withKills ? [await proveKills(seed, interrupted.signal)] : [];
  if (interrupted.signal.aborted) return false;
  const all = [...claims, ...kills];
  const how = `${servers} servers, ${pages} pages, ${streams} logs and ${streams} shells, ${changes} changes a second to ${pods} pods; asked for ${minutes} min, ran ${(seconds / 60).toFixed(1)} min; seed ${seed}.`;
  const text = `# Soak\n\n${how}\n\n${markdownOf(all)}\n\n![chart](chart.svg)\n`;
  await writeFile(join(folder, 'summary.md'), text);
  say(
    `\n${how}\n\n${tableOf(all)}\n\nThe summary is in ${folder}: summary.md, chart.svg and the servers' logs.`,
  );
  return all.every(({ isKept }) => isKept !== false);
}

main().then(
  // What a dependency left open keeps nobody waiting.
  (isGood) => process.exit(isGood ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${usage}\n`,
    );
    process.exit(1);
  },
);

import { quantile } from '../bench/report.ts';
import type { Panel } from './chart.ts';
import { type Claim, claimsOfCutRun, noneClaim, withinClaim } from './claims.ts';
import type { Installation } from './installation.ts';
import type { Findings, Soak } from './soak.ts';
import { logFaultOf } from './streams.ts';
import { growthOf } from './trend.ts';
import { steadyWaits } from './waits.ts';
import { countDeliveries } from './writes.ts';

/** Before this the memory of a server still grows: V8 compiles, and lists are read, s. */
const warmUp = 120;
/** A run has to go on for so long after that to tell whether memory is flat, s. */
const needed = 240;
/** Memory may grow by this share of its mean over the run. */
const growth = 0.1;
/** A repeat of a message within so long after a kill, freeze or restart stems from it: its answer was not stored, s. */
const repeated = 90;
/** Every message has to have come after this, ms. */
const deliveryPatience = 90_000;
/** The same where the run was cut off, whose person waits for it to end, ms. */
const shortPatience = 5_000;

/** What the pages, people and streams of a soak show. */
function claimsOfPages({ findings, pages, grants, changes, shells }: Soak): readonly Claim[] {
  const { latencies } = findings;
  const faults = pages.flatMap((page, index) => page.faults.map((fault) => `page ${index}: ${fault}`));
  const p95 = quantile(latencies.all, 0.95);
  return [
    {
      ...noneClaim(
        'stale rows',
        findings.stale,
        `${findings.comparisons} comparisons of ${pages.length} pages`,
      ),
      ...(findings.comparisons === 0 ? { isKept: undefined } : {}),
    },
    noneClaim('breaches of the live protocol', faults, `${pages.length} pages`),
    {
      name: 'change to row on a page',
      measured: `p50 ${quantile(latencies.all, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms of ${latencies.all.length}`,
      limit: 'p95 1000 ms',
      isKept: p95 <= 1_000,
      needsWholeRun: true,
    },
    {
      name: 'changes made',
      measured: String(changes.made),
      limit: '',
      isKept: changes.made > 0,
      needsWholeRun: true,
    },
    withinClaim('lists right after a kill', findings.rightAfterKill, 5),
    withinClaim('grants gone on every server', grants.gone, 2),
    noneClaim('grants of use afterwards', grants.faults, `${grants.gone.length} grants taken away`),
    withinClaim('grants gone on a server that was frozen, after SIGCONT', findings.goneAfterThaw, 2),
    withinClaim('lists right after SIGCONT', findings.rightAfterFreeze, 5),
    withinClaim('lists right after a restart of PostgreSQL', findings.rightAfterDatabase, 10),
    {
      name: 'rows that came to a page while PostgreSQL was away',
      measured: String(findings.arrivedWithoutDatabase),
      limit: 'some',
      isKept: findings.rightAfterDatabase.length === 0 ? undefined : findings.arrivedWithoutDatabase > 0,
    },
    noneClaim(
      'pages not told that PostgreSQL is away and back',
      Array.from({ length: findings.uninformedPages }, () => 'a page'),
      `${pages.length} pages`,
    ),
    {
      ...noneClaim(
        'pages that lost their socket with PostgreSQL',
        Array.from({ length: findings.lostWithDatabase }, () => 'a page'),
        `${pages.length} pages`,
      ),
      ...(findings.rightAfterDatabase.length === 0 ? { isKept: undefined } : {}),
    },
    withinClaim(
      'shells open again and answering',
      shells.flatMap(({ backAfter }) => backAfter),
      45,
    ),
    {
      name: 'commands answered in shells',
      measured: String(shells.reduce((sum, { answered }) => sum + answered, 0)),
      limit: '',
      isKept: shells.length === 0 ? undefined : shells.every(({ answered }) => answered > 0),
      needsWholeRun: true,
    },
  ];
}

/** Whether the server that lived longest kept its memory: the others were killed before they could tell. */
function memoryClaim({ memory }: Findings): Claim {
  const lives = [...memory.values()].map((points) => ({
    points,
    from: points[0]?.at ?? 0,
    seconds: (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0),
  }));
  const [longest = { points: [], from: 0, seconds: 0 }] = lives.sort((a, b) => b.seconds - a.seconds);
  const grown = growthOf(longest.points, longest.from + warmUp);
  const last = longest.points.at(-1)?.value ?? Number.NaN;
  const measured = `${last.toFixed(0)} MB at its end after ${longest.seconds.toFixed(0)} s, grown by ${(grown * 100).toFixed(1)} %`;
  return {
    name: 'memory of the server that lived longest',
    measured,
    limit: `${growth * 100} %`,
    isKept: longest.seconds - warmUp < needed ? undefined : grown <= growth,
  };
}

/** Whether what was acknowledged is there on every server, and told once. Waits for messages that are on their way. */
async function claimsOfWrites(
  { writes, findings }: Soak,
  installation: Installation,
  beganAt: number,
  patience: number,
): Promise<readonly Claim[]> {
  const { servers, owner, receiver, webhooks } = installation;
  const lost: string[] = [];
  for (const server of servers) {
    const teams = await owner.at(server.url).call('teams', {});
    const names = new Set(teams.map(({ name }) => name));
    lost.push(...writes.teams.filter((name) => !names.has(name)).map((name) => `"${name}" at ${server.url}`));
  }
  const counts = () =>
    webhooks.map((path) => countDeliveries(receiver.received.filter((one) => one.path === path)));
  await steadyWaits
    .until('every message has arrived', () => counts().every(({ ids }) => ids >= writes.restarts), patience)
    .catch(() => undefined);
  const delivered = counts();
  const total = delivered.reduce((sum, { ids }) => sum + ids, 0);
  const repeats = delivered.flatMap((one) => one.repeats.map((at) => (at - beganAt) / 1000));
  const unexplained = repeats.filter(
    (at) => !findings.marks.some((mark) => at >= mark.at && at <= mark.at + repeated),
  );
  return [
    noneClaim('acknowledged writes lost', lost, `${writes.teams.length} teams on ${servers.length} servers`),
    {
      ...noneClaim(
        'acknowledged changes that no webhook was told of',
        delivered.flatMap(({ ids }, index) =>
          ids < writes.restarts ? [`webhook ${index} was told of ${ids} of ${writes.restarts}`] : [],
        ),
        `${writes.restarts} on ${webhooks.length} webhooks`,
      ),
      needsWholeRun: true,
    },
    noneClaim(
      'more told than was asked for',
      delivered.flatMap(({ ids }, index) =>
        ids > writes.asked ? [`webhook ${index} was told of ${ids} of ${writes.asked}`] : [],
      ),
      `${writes.asked} on ${webhooks.length} webhooks`,
    ),
    noneClaim(
      'deliveries twice under different ids',
      delivered.flatMap(({ doubles }) => doubles),
      `${total} ids`,
    ),
    noneClaim(
      'ids that came again without a kill, freeze or restart before',
      unexplained.map((at) => `at ${at.toFixed(0)} s`),
      `${repeats.length} repeats of ${total} ids`,
    ),
  ];
}

/** Whether the logs came without a gap and without a line twice. */
async function logClaims({ logs }: Soak, { call }: Installation): Promise<readonly Claim[]> {
  const faults: string[] = [];
  let count = 0;
  for (const { follower, path } of logs) {
    const log = (await call('GET', path)).split('\n').filter((line) => line !== '');
    count += follower.lines.length;
    const fault = logFaultOf(follower.lines, log);
    if (fault !== undefined) faults.push(fault);
  }
  if (count === 0) {
    const claim = noneClaim('logs without a line', ['all'], `${logs.length} logs`);
    return logs.length === 0 ? [] : [{ ...claim, needsWholeRun: true }];
  }
  return [noneClaim('logs with a line missing or twice', faults, `${logs.length} logs, ${count} lines`)];
}

/**
 * Every claim of a soak.
 * @param beganAt when it began, epoch ms
 * @param isCut whether it was interrupted: what its end would have shown is not judged
 */
export async function judge(
  soak: Soak,
  installation: Installation,
  beganAt: number,
  isCut: boolean,
): Promise<readonly Claim[]> {
  const claims = [
    ...claimsOfPages(soak),
    memoryClaim(soak.findings),
    ...(await claimsOfWrites(soak, installation, beganAt, isCut ? shortPatience : deliveryPatience)),
    ...(await logClaims(soak, installation)),
  ];
  return isCut ? claimsOfCutRun(claims) : claims;
}

/** What the chart shows. */
export function panelsOf({ memory, latencies }: Findings): readonly Panel[] {
  return [
    {
      title: 'Memory (RSS)',
      unit: 'MB',
      series: [...memory].map(([name, points]) => ({ name: `server ${name.split('/')[0]}`, points })),
    },
    {
      title: 'Change to row on a page',
      unit: 'ms',
      series: [
        { name: 'p50', points: latencies.p50 },
        { name: 'p95', points: latencies.p95 },
      ],
    },
  ];
}

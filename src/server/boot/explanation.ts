import type { RecentWait } from '../kit/recent.ts';

/** Facts of one server about a person and a cluster. */
interface ExplainedFacts {
  /** Those of the last minutes, as `Recent.of` gives them. */
  readonly waits: readonly RecentWait[];
  /** How long the cluster has sent nothing, s; undefined where nobody looks at it here. */
  readonly silence: number | undefined;
  /** Statements that wait for a connection to the database. */
  readonly waiting: number;
}

/** Lines of requests and lists, at most: those that took longest. */
const maxLines = 12;

/** Says in lines what somebody waited for on a cluster: how often, how long as a rule and at most, and what failed. */
export function explanationOf({ waits, silence, waiting }: ExplainedFacts): string[] {
  const lines = [
    ...sectionOf('Calls', waits, 'call'),
    ...sectionOf('Lists, until their first rows', waits, 'list'),
    ...sectionOf('Requests to the cluster, of everybody', waits, 'request'),
  ];
  if (silence !== undefined && silence > 10)
    lines.push(`The cluster has sent nothing for ${Math.round(silence)} s.`);
  if (waiting > 0) lines.push(`${waiting} statements wait for a connection to the database now.`);
  return lines.length === 0 ? ['Nobody asked this server for anything about it.'] : lines;
}

function sectionOf(title: string, waits: readonly RecentWait[], sort: RecentWait['sort']): string[] {
  const groups = Object.values(
    Object.groupBy(
      waits.filter((one) => one.sort === sort),
      ({ what }) => what,
    ),
  );
  const known = groups.flatMap((group) => (group === undefined ? [] : [group]));
  if (known.length === 0) return [];
  const longest = known.toSorted((a, b) => slowestOf(b).ms - slowestOf(a).ms);
  const left = longest.length - maxLines;
  return [
    `${title}:`,
    ...longest.slice(0, maxLines).map((group) => `  ${lineOf(group)}`),
    ...(left > 0 ? [`  and ${left} more that were quicker`] : []),
  ];
}

function lineOf(group: readonly RecentWait[]): string {
  const slowest = slowestOf(group);
  const times = group.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const outcomes = Object.entries(Object.groupBy(group, ({ outcome }) => outcome))
    .map(([outcome, ones = []]) => `${outcome} ${ones.length}`)
    .join(', ');
  const at = new Date(slowest.at).toISOString().slice(11, 19);
  return `${slowest.what}: ${group.length} (${outcomes}); as a rule ${timeText(median)}, at most ${timeText(slowest.ms)} at ${at} UTC`;
}

const timeText = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

function slowestOf(group: readonly RecentWait[]): RecentWait {
  return group.reduce((slowest, one) => (one.ms > slowest.ms ? one : slowest));
}

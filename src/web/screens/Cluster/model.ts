import {
  type AttentionLine,
  type CapacityLine,
  type Dashboard,
  type DashboardChange,
  type EventMinute,
  type ToneCounts,
} from '../../../contract/dashboard.ts';
import { eventMinutes } from '../../../contract/event-minutes.ts';
import { formatBytes, formatCores } from '../../../kube/format-quantity.ts';

/** A line of capacity in words and shares. */
export interface CapacityText {
  /** The length of the bar, 0 to 1: the used share, or the requested one if usage is not known. */
  readonly share: number | undefined;
  /** Where the requests stand, 0 to 1; only beside usage. */
  readonly mark: number | undefined;
  /** `56%`, or nothing where neither is known. */
  readonly percent: string;
  /** `107 of 192 cores used`; of what is counted, as pods are, `98 of 110 pods`. */
  readonly amount: string;
  /** `requested 74%`. */
  readonly requested: string | undefined;
}

const percentOf = (share: number) => `${Math.round(share * 100)}%`;

/** The text of a capacity line; the unit decides how its figures are written. */
export function capacityText(
  { requested, allocatable, used }: CapacityLine,
  unit: 'cores' | 'bytes' | 'pods',
): CapacityText {
  const text = unit === 'bytes' ? formatBytes : unit === 'cores' ? formatCores : String;
  const after = unit === 'cores' ? ' cores' : unit === 'pods' ? ' pods' : '';
  const shareOf = (value: number | null) =>
    value === null || allocatable <= 0 ? undefined : value / allocatable;
  const usedShare = shareOf(used);
  const requestedShare = shareOf(requested);
  const shown = used ?? requested;
  const share = usedShare ?? requestedShare;
  const meant = unit === 'pods' || shown === null ? '' : used === null ? ' requested' : ' used';
  return {
    share,
    mark: usedShare === undefined ? undefined : requestedShare,
    percent: share === undefined ? '' : percentOf(share),
    amount: `${shown === null ? '' : `${text(shown)} of `}${text(allocatable)}${after}${meant}`,
    requested:
      usedShare === undefined || requestedShare === undefined
        ? undefined
        : `requested ${percentOf(requestedShare)}`,
  };
}

/** A share of one node among others. */
export interface NodeShare {
  /** The length of the bar, 0 to 1; undefined where the node is not measured and others are. */
  readonly share: number | undefined;
  readonly mark: number | undefined;
  /** `56%`, or `–` for a node without a share. */
  readonly figure: string;
  /** `CPU: 56% used`. */
  readonly label: string;
  readonly amount: string;
}

/** Whether what is used is known of any node: then the shares of all are of usage, and a node without it has none. */
export const isMeasured = (nodes: readonly { readonly cpu: CapacityLine; readonly memory: CapacityLine }[]) =>
  nodes.some(({ cpu, memory }) => cpu.used !== null || memory.used !== null);

/** Says that usage is known of some nodes alone, so that its sum is too low; undefined where that is not so. */
export function partlyMeasured(nodes: readonly { readonly cpu: CapacityLine }[]): string | undefined {
  const measured = nodes.filter(({ cpu }) => cpu.used !== null).length;
  if (measured === 0 || measured === nodes.length) return undefined;
  return `Usage of ${measured} of ${nodes.length} nodes: the others are not measured now.`;
}

/** The share of a node; undefined where nothing is known. @param isOfUsage by `isMeasured` */
export function nodeShare(
  line: CapacityLine,
  unit: 'cores' | 'bytes',
  { name, isOfUsage }: { readonly name: string; readonly isOfUsage: boolean },
): NodeShare | undefined {
  const { share, mark, percent, amount } = capacityText(line, unit);
  if (share === undefined) return undefined;
  if (line.used === null && isOfUsage)
    return {
      share: undefined,
      mark: share,
      figure: '–',
      label: `${name}: not measured, ${percent} requested`,
      amount,
    };
  const meant = line.used === null ? 'requested' : 'used';
  return { share, mark, figure: percent, label: `${name}: ${percent} ${meant}`, amount };
}

/** One part of the bar of a kind; widths are shares of the whole, rare trouble stays visible. */
export interface Segment {
  readonly tone: 'ok' | 'warn' | 'bad' | 'rest';
  readonly width: number;
}

/** Least width of a part that exists at all. */
const minWidth = 0.03;

/** The bar of a kind by how its objects do: well, degraded, failing, and what is neither (changing, finished). */
export function segmentsOf(counts: ToneCounts): readonly Segment[] {
  const parts = [
    { tone: 'ok', count: counts.ok },
    { tone: 'rest', count: counts.info + counts.idle },
    { tone: 'warn', count: counts.warn },
    { tone: 'bad', count: counts.bad },
  ] as const;
  const present = parts.filter(({ count }) => count > 0);
  const raw = present.map(({ tone, count }) => ({
    tone,
    width: Math.max(minWidth, count / Math.max(1, counts.total)),
  }));
  const sum = raw.reduce((total, { width }) => total + width, 0);
  return raw.map(({ tone, width }) => ({ tone, width: width / sum }));
}

/** The bar of a kind in words. */
export function countsText({ ok, warn, bad, info, idle }: ToneCounts): string {
  const parts = [
    `${ok} healthy`,
    ...(warn > 0 ? [`${warn} degraded`] : []),
    ...(bad > 0 ? [`${bad} failing`] : []),
    ...(info > 0 ? [`${info} changing`] : []),
    ...(idle > 0 ? [`${idle} off or finished`] : []),
  ];
  return parts.join(', ');
}

/** How many lines of each tone; those that passed a moment ago are none. */
export function attentionCounts(lines: readonly Pick<AttentionLine, 'tone' | 'endedAt'>[]): {
  readonly bad: number;
  readonly warn: number;
} {
  const present = lines.filter(({ endedAt }) => endedAt === undefined);
  const bad = present.filter(({ tone }) => tone === 'bad').length;
  return { bad, warn: present.length - bad };
}

/** The events of an hour, a bar a minute. */
export interface Histogram {
  /** Oldest first, the last one is the minute of now. */
  readonly bars: readonly { readonly minute: number; readonly normal: number; readonly warnings: number }[];
  /** The most events of one minute. */
  readonly most: number;
  /** The most warnings of one minute. */
  readonly peak: number;
  readonly normal: number;
  readonly warnings: number;
}

/** Puts minutes in which something was seen into the hour before now. @param now ms */
export function histogramOf(minutes: readonly EventMinute[], now: number): Histogram {
  const newest = Math.floor(now / 60_000);
  const known = new Map(minutes.map(([minute, normal, warnings]) => [minute, { normal, warnings }]));
  const bars = Array.from({ length: eventMinutes }, (_, index) => {
    const minute = newest - eventMinutes + 1 + index;
    return { minute, ...(known.get(minute) ?? { normal: 0, warnings: 0 }) };
  });
  const sum = (read: (bar: (typeof bars)[number]) => number) =>
    bars.reduce((total, bar) => total + read(bar), 0);
  return {
    bars,
    most: Math.max(...bars.map(({ normal, warnings }) => normal + warnings)),
    peak: Math.max(...bars.map(({ warnings }) => warnings)),
    normal: sum(({ normal }) => normal),
    warnings: sum(({ warnings }) => warnings),
  };
}

/** The bars in words. */
export function histogramText({ normal, warnings, peak, bars }: Histogram): string {
  if (normal + warnings === 0) return 'No event in the last hour';
  const text = `In the last hour ${normal} normal, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  if (peak === 0) return text;
  const ago = bars.length - 1 - bars.findLastIndex((bar) => bar.warnings === peak);
  return `${text}, most of them ${ago === 0 ? 'in this minute' : `${ago} min ago`}: ${peak}`;
}

/** The console's name as a field manager. */
const ownManager = 'wheelhouse';

/** A change in words: who or what, what it did, and to what end. @param kind the name of the object's kind */
export function changeWords(
  { what, by, to }: DashboardChange,
  kind: string,
): { readonly who: string; readonly did: string; readonly to: string } {
  const who = by === ownManager ? 'This console' : by;
  switch (what) {
    case 'rolled-out':
      return { who: kind, did: 'rolled out', to: to === null ? '' : `revision ${to}` };
    case 'scaled':
      return { who: kind, did: 'scaled', to: to === null ? '' : `to ${to}` };
    case 'cordoned':
    case 'edited':
    case 'created':
      return who === null ? { who: kind, did: what, to: '' } : { who, did: `${what} ${kind}`, to: '' };
    default: {
      const never: never = what;
      return never;
    }
  }
}

/** Storage in words: what share of the volumes has a claim. */
export function storageText({ claimed, provisioned }: NonNullable<Dashboard['storage']>): CapacityText {
  const share = claimed / provisioned;
  return {
    share,
    mark: undefined,
    percent: percentOf(share),
    requested: undefined,
    amount: `${formatBytes(claimed)} of ${formatBytes(provisioned)} of volumes claimed`,
  };
}

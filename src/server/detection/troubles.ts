import type { AttentionLine } from '../../contract/dashboard.ts';
import type { WebhookEvent } from '../../contract/webhooks.ts';
import { storableText } from '../webhooks/bodies.ts';

/** Trouble of an object by one cause. */
export interface Trouble {
  /** The object and the cause: one event for each. */
  readonly key: string;
  /** The object. */
  readonly place: string;
  readonly line: AttentionLine;
}

/** The troubles that are worth an event: what is broken, not what is merely worth a look. */
export function troublesOf(lines: readonly AttentionLine[]): readonly Trouble[] {
  return (
    lines
      // That a rollout is stuck is told as one that failed.
      .filter(({ tone, rule }) => tone === 'bad' && !rule.endsWith('.rollout-stuck'))
      .map((line) => {
        const { kind, namespace = '', name } = line.on;
        const place = storableText(`${kind} ${namespace} ${name}`);
        return { key: `${place} ${line.rule}`, place, line };
      })
  );
}

/**
 * What state a line tells of. The console's own sentences quote what custom objects report, which may be any text: only
 * a single word is repeated.
 */
export const stateOf = ({ title }: Pick<AttentionLine, 'title'>): string =>
  title.replace(/“(.*)”/su, (quoted, said: string) => (/^[A-Za-z][\w-]*$/.test(said) ? quoted : '“…”'));

/** What began, and which objects are in trouble no more. */
export interface TroubleChanges {
  readonly begun: readonly Trouble[];
  readonly ended: readonly string[];
}

/**
 * Compares what is in trouble with what was told of. An object that is in trouble by another cause has not recovered.
 * @param told keys of what was told of
 */
export function changesOf(troubles: readonly Trouble[], told: readonly string[]): TroubleChanges {
  const known = new Set(told);
  const places = new Set(troubles.map(({ place }) => place));
  return {
    begun: troubles.filter(({ key }) => !known.has(key)),
    ended: [...new Set(told.map(placeOf))].filter((place) => !places.has(place)),
  };
}

/** The object of a trouble's key. */
export const placeOf = (key: string): string => key.slice(0, key.lastIndexOf(' '));

/** Events of their own, by the rule that tells of them; everything else is trouble of a workload. */
const eventOfRule: Readonly<Record<string, WebhookEvent>> = {
  'node.not-ready': 'node.not_ready',
  'job.failed': 'job.failed',
};

/** The events that tell of a recovery, by the one that told of the trouble. A job that failed stays failed. */
const recoveryOfEvent: Readonly<Partial<Record<WebhookEvent, WebhookEvent>>> = {
  'node.not_ready': 'node.recovered',
  'workload.trouble': 'workload.recovered',
};

/** The type of the event that tells of trouble. */
export const eventOf = ({ line }: Trouble): WebhookEvent => eventOfRule[line.rule] ?? 'workload.trouble';

/** The type of the event that tells of a recovery; undefined where nothing recovers. */
export const recoveryOf = (event: WebhookEvent): WebhookEvent | undefined => recoveryOfEvent[event];

import type { Cluster } from '../../../contract/clusters.ts';
import type { SearchHit } from '../../../contract/search.ts';
import type { Subject } from '../../../registry/command.ts';
import type { Intent } from '../../../registry/palette-intent.ts';
import { fitsSubject } from '../../../registry/palette-steps.ts';
import { tierStep, tiers } from '../../../registry/rank.ts';
import { iconOfKind, kindNote } from '../../core/kinds/listed.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import type { Entry } from './entries.ts';
import { rankHits, refOfHit } from './object-entries.ts';
import type { PaletteOpening } from './opening.ts';
import type { Reading } from './reading.ts';

/** Acts on named objects that show at once. */
const maxIntentEntries = 6;
/** Score from which on a name is meant and not only touched: `log out` does not mean the logs of `checkout`. */
const minScore = tiers.kind * tierStep;

/** Minimum length of words that may touch a name only. */
const minLooseLength = 4;

/** `checkout: Logs`, `checkout: Scale to 5`. */
function titleOf({ command, args }: Intent, name: string): string {
  const title = String(command.title)
    .replace('…', '')
    .replace(/ of this$/, '');
  const [value] = Object.values(args).map(String);
  return `${name}: ${title}${value === undefined ? '' : ` to ${value}`}`;
}

/** The hits that the object's words mean, those of the selected cluster first. */
function meantHits(hits: readonly SearchHit[], words: string, clusterId: number | undefined) {
  const ranked = rankHits(hits, words);
  const exact = ranked.filter(({ score }) => score >= minScore);
  const isLong = words.split(' ').every((word) => word.length >= minLooseLength);
  const meant = (exact.length === 0 && isLong ? ranked : exact).map(({ hit }) => hit);
  const isNear = (hit: SearchHit) => hit.clusterId === clusterId;
  return [...meant.filter(isNear), ...meant.filter((hit) => !isNear(hit))];
}

/** An act with its value on what the palette was opened on: `scale 5`. */
function ownEntries(
  intents: readonly Intent[],
  clusters: readonly Cluster[],
  { subject, keysOf }: Pick<PaletteOpening, 'subject' | 'keysOf'>,
): readonly Entry[] {
  if (subject.type !== 'objects') return [];
  const { refs } = subject;
  const [ref] = refs;
  return intents
    .filter(({ command }) => fitsSubject(command.actsOn, subject))
    .map((intent) => ({
      id: `act ${intent.command.id}`,
      section: 'Actions',
      title: titleOf(intent, refs.length === 1 ? ref.name : `${refs.length} selected`),
      note: kindNote(ref.kind, kindLabel(ref.kind)),
      icon: intent.command.icon ?? iconOfKind(ref.kind),
      namespace: ref.namespace,
      cluster: clusters.find(({ id }) => String(id) === ref.cluster),
      keys: keysOf(intent.command.id),
      ...(intent.isExact ? { isNamed: true as const } : {}),
      act: { type: 'command', command: intent.command, args: intent.args, subject },
    }));
}

/**
 * Entries for a query that names an action and an object: one for each of the best objects and each action that fits.
 * @param hits the server's answer for the object's words
 */
export function intentEntries(
  { intents, cluster }: Pick<Reading, 'intents' | 'cluster'>,
  hits: readonly SearchHit[],
  clusters: readonly Cluster[],
  { clusterId, keysOf, subject: own }: Pick<PaletteOpening, 'clusterId' | 'keysOf' | 'subject'>,
): readonly Entry[] {
  const [first] = intents;
  if (first === undefined) return [];
  if (first.object === '')
    return cluster === undefined ? ownEntries(intents, clusters, { subject: own, keysOf }) : [];
  return meantHits(hits, first.object, cluster?.id ?? clusterId)
    .flatMap((hit) => {
      const ref = refOfHit(hit);
      const subject: Subject = { type: 'objects', refs: [ref], from: 'args' };
      return intents
        .filter(({ command }) => fitsSubject(command.actsOn, subject))
        .map(
          (intent): Entry => ({
            id: `act ${intent.command.id} ${hit.clusterId} ${hit.kind} ${hit.namespace ?? ''} ${hit.name}`,
            section: 'Actions',
            title: titleOf(intent, hit.name),
            note: kindNote(hit.kind, hit.kindName),
            icon: intent.command.icon ?? iconOfKind(hit.kind),
            namespace: hit.namespace,
            cluster: clusters.find(({ id }) => id === hit.clusterId),
            keys: keysOf(intent.command.id),
            // A name that is only begun may be meant for another object.
            ...(intent.isExact && intent.object.split(' ').includes(hit.name)
              ? { isNamed: true as const }
              : {}),
            act: { type: 'command', command: intent.command, args: intent.args, subject },
          }),
        );
    })
    .slice(0, maxIntentEntries);
}

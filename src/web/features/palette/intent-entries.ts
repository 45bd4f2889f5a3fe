import type { Cluster } from '../../../contract/clusters.ts';
import type { SearchHit } from '../../../contract/search.ts';
import type { Subject } from '../../../registry/commands/invocation.ts';
import type { Intent } from '../../../registry/palette/intent.ts';
import { hasSynonyms } from '../../../registry/palette/loose-rank.ts';
import { slipBetween } from '../../../registry/palette/keyboard-slip.ts';
import { idleWords, openWords, wordsOf } from '../../../registry/palette/words.ts';
import { fitsSubject } from '../../../registry/palette/steps.ts';
import { tierStep, tiers } from '../../../registry/palette/rank.ts';
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

/** Whether an intent says the whole name of an object. */
const isNamedBy = ({ object }: Intent, name: string): boolean => object.split(' ').includes(name);

/** Whether what acts on an object says its whole name, or is about what the palette was opened on. */
export const namesWhole = (
  { intents: [first] }: Pick<Reading, 'intents'>,
  hits: readonly SearchHit[],
): boolean => first === undefined || first.object === '' || hits.some(({ name }) => isNamedBy(first, name));

/** How one word of an object's names a hit: by the beginning of a part of its name, its kind or namespace, or mistyped. */
function meaningOf(hit: SearchHit, word: string): 'exact' | 'mistyped' | undefined {
  if (hit.namespace?.toLowerCase().startsWith(word) === true) return 'exact';
  const score = rankHits([hit], word)[0]?.score ?? 0;
  if (score >= minScore) return 'exact';
  return score >= tiers.mistyped * tierStep && score < tiers.substring * tierStep ? 'mistyped' : undefined;
}

/** Whether a word says something else than a name: what is done, or what it is done to. */
function isOfActs(word: string, intents: readonly Intent[]): boolean {
  if (idleWords.has(word) || openWords.has(word) || hasSynonyms(word)) return true;
  const known = intents.flatMap(({ command: { title, keywords = [] } }) => [String(title), ...keywords]);
  return known.flatMap(wordsOf).some((one) => one === word || slipBetween(word, one) !== undefined);
}

/** The hits that the object's words mean, those of the selected cluster first. */
function meantHits(
  hits: readonly SearchHit[],
  intents: readonly [Intent, ...(readonly Intent[])],
  clusterId: number | undefined,
) {
  const text = intents[0].object;
  const words = text.split(' ');
  const found = rankHits(hits, text).map(({ hit }) => ({
    hit,
    meanings: words.map((word) => meaningOf(hit, word)),
  }));
  const exact = found.filter(({ meanings }) => meanings.every((one) => one === 'exact'));
  const mayBeMistyped = words.every((word) => word.length >= minLooseLength && !isOfActs(word, intents));
  const mistyped = mayBeMistyped
    ? found.filter(({ meanings }) => meanings.every((one) => one !== undefined))
    : [];
  const meant = (exact.length === 0 ? mistyped : exact).map(({ hit }) => hit);
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
  const [first, ...others] = intents;
  if (first === undefined) return [];
  if (first.object === '')
    return cluster === undefined ? ownEntries(intents, clusters, { subject: own, keysOf }) : [];
  return meantHits(hits, [first, ...others], cluster?.id ?? clusterId)
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
            ...(intent.isExact && isNamedBy(intent, hit.name) ? { isNamed: true as const } : {}),
            act: { type: 'command', command: intent.command, args: intent.args, subject },
          }),
        );
    })
    .slice(0, maxIntentEntries);
}

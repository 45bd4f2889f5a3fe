import type { Cluster } from '../../../contract/clusters.ts';
import { formatAge } from '../../../kube/age.ts';
import { plainTitle } from '../../../registry/commands/command.ts';
import { objectOfRoute } from '../../../registry/commands/kind-commands.ts';
import { missingSteps } from '../../../registry/palette/steps.ts';
import { recencyBoost } from '../../../registry/palette/recents.ts';
import { holds } from '../../../registry/commands/registry.ts';
import type { Recents } from '../../core/state/recents.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { iconOf, titleOf, type TitleParts } from '../../workspace/titles.ts';
import { clusterOf } from '../../workspace/place.ts';
import type { Entry } from './entries.ts';
import type { PaletteOpening } from './opening.ts';
import { changesSomething } from './preselect.ts';
import { type Candidate, candidate } from './rank-entries.ts';

const section = 'Recent';

/** Places and runs of this person, newest first; those whose cluster is out of reach are left out. */
export function recentCandidates(
  { registry, kinds, recents }: TitleParts & { readonly recents: Recents },
  opening: PaletteOpening,
  parts: {
    readonly clusters: readonly Cluster[];
    readonly userId: number;
  },
): readonly Candidate[] {
  const { clusters, userId } = parts;
  const { at: now, here } = opening;
  const clusterBy = (id: string | number | undefined) =>
    clusters.find((one) => String(one.id) === String(id));

  const places = recents
    .places(userId)
    .get()
    .flatMap(({ href, at }) => {
      const match = registry.match(href);
      const cluster = clusterBy(clusterOf(registry, href));
      if (match === undefined || cluster === undefined || href === here) return [];
      const ref = objectOfRoute(match);
      const entry: Entry = {
        id: `place ${href}`,
        section,
        title: titleOf({ registry, kinds }, href),
        note: ref === undefined ? undefined : kindLabel(ref.kind),
        icon: iconOf(registry, href),
        namespace: ref?.namespace ?? new URLSearchParams(href.split('?')[1] ?? '').get('ns') ?? undefined,
        cluster,
        act: { type: 'place', href },
      };
      return [{ entry, at }];
    });

  const runs = recents
    .runs(userId)
    .get()
    .flatMap(({ command: id, args, refs, at }) => {
      if (!registry.has(id)) return [];
      const command = registry.get(id);
      // A harsh act is not one Enter away only because it was done before.
      if (command.type === 'action' && command.harsherThan !== undefined) return [];
      const [first, ...rest] = refs;
      const cluster = clusterBy(first?.cluster);
      if (!holds(command.needs, opening.may) || (first !== undefined && cluster === undefined)) return [];
      const subject =
        first === undefined
          ? opening.subject
          : ({ type: 'objects', refs: [first, ...rest], from: 'args' } as const);
      // A command that grew an argument since asks for it; one whose objects are of another kind by now is gone.
      if (missingSteps(command, { args, subject }).some((step) => step.type === 'subject')) return [];
      const title = plainTitle(command).replace(/…$/, '');
      const what =
        first === undefined ? '' : rest.length === 0 ? ` ${first.name}` : ` ${refs.length} objects`;
      const entry: Entry = {
        id: `run ${id} ${JSON.stringify([args, refs])}`,
        section,
        title: title + what,
        note: `ran ${formatAge((now - at) / 1000)} ago`,
        icon: command.icon,
        namespace: first?.namespace,
        cluster,
        act: { type: 'command', command, args, subject },
      };
      return [{ entry, at }];
    });

  return [...places, ...runs]
    .sort((a, b) => b.at - a.at)
    .map(({ entry }, index) => candidate(entry, [entry.note ?? ''], recencyBoost(index)));
}

/**
 * Recent things between others: what changes something comes behind the rest of them and is never the first of all.
 * Without anything else it is left out.
 */
export function withRecents(
  before: readonly Entry[],
  recents: readonly Entry[],
  after: readonly Entry[] = [],
): readonly Entry[] {
  const ahead = [...before, ...recents.filter((entry) => !changesSomething(entry))];
  const changing = recents.filter(changesSomething);
  if (ahead.length > 0) return [...ahead, ...changing, ...after];
  const [first, ...others] = after;
  return first === undefined ? [] : [first, ...changing, ...others];
}

import type { Cluster } from '../../../contract/clusters.ts';
import type { Registry } from '../../../registry/commands/registry.ts';
import { kindById } from '../../core/kinds/declared.ts';
import type { Entry } from './entries.ts';

/** The add-ons that a cluster lacks, as far as they are known. */
export interface AbsentKinds {
  readonly cluster: Pick<Cluster, 'id' | 'name'>;
  /** Ids of the kinds that it does not have. */
  readonly kinds: readonly string[];
}

/** The entries, with the reason on those that lead to a list that the cluster cannot have. */
export function withAbsent(
  registry: Pick<Registry, 'match'>,
  entries: readonly Entry[],
  absent: AbsentKinds | undefined,
): readonly Entry[] {
  if (absent === undefined || absent.kinds.length === 0) return entries;
  const { cluster, kinds } = absent;
  return entries.map((entry) => {
    const { act } = entry;
    const match = act.type === 'place' ? registry.match(act.href) : undefined;
    if (match !== undefined && match.params.clusterId !== String(cluster.id)) return entry;
    const command = act.type === 'command' ? act.command : match?.command;
    if (command?.type !== 'route' || command.shows !== 'list' || !kinds.includes(command.kind ?? ''))
      return entry;
    const { addOn = 'its add-on' } = kindById(command.kind ?? '') ?? {};
    return { ...entry, reason: `${cluster.name} does not have ${addOn}.` };
  });
}

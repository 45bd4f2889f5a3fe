import type { ObjectRef } from '../../../registry/command.ts';
import { objectOfRoute } from '../../../registry/kind-commands.ts';
import { rankable, rankQuery, scoreOf } from '../../../registry/rank.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { FoundObjects } from './ask-objects.ts';
import type { Entry } from './entries.ts';

/** The object that a recent thing is about: the one whose page it opens, or that it acts on. */
function objectOf({ act }: Entry, registry: Pick<Registry, 'match'>): ObjectRef | undefined {
  if (act.type === 'place') return objectOfRoute(registry.match(act.href));
  return act.type === 'command' && act.subject.type === 'objects' ? act.subject.refs[0] : undefined;
}

/** Whether an answer names everything that its question finds: nothing is still read, unreachable or left out. */
const isComplete = ({ isPending, notes, total, hits, query }: FoundObjects): boolean =>
  !isPending &&
  query !== undefined &&
  query.cluster === undefined &&
  notes.length === 0 &&
  total === hits.length;

/**
 * Whether the server's answer says that the object of a recent thing is gone: it would have found its name. Only a
 * complete answer says so, and only of names that its question finds.
 */
export function isGone(entry: Entry, found: FoundObjects, registry: Pick<Registry, 'match'>): boolean {
  if (!isComplete(found)) return false;
  const ref = objectOf(entry, registry);
  if (ref === undefined) return false;
  const { cluster, kind, namespace, name } = ref;
  const query = rankQuery(found.query?.q ?? '');
  const isAsked =
    scoreOf(
      query,
      rankable(name, namespace),
      query.terms.map(() => false),
    ) > 0;
  const isFound = found.hits.some(
    (hit) =>
      String(hit.clusterId) === cluster &&
      hit.kind === kind &&
      hit.namespace === namespace &&
      hit.name === name,
  );
  return isAsked && !isFound;
}

import type { Follow, FollowTarget } from '../../../contract/notifications.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { Refusal } from '../../../registry/commands/refusal.ts';
import type { FollowedThing, Services } from '../../../registry/commands/services.ts';
import { kindById } from '../../core/kinds/declared.ts';
import type { DataPort } from '../../data/port.ts';
import type { FollowedKey } from '../../keyboard/typed-run.ts';
import { qualifiedName } from '../actions/acting.ts';
import { requireMeant } from './meant-key.ts';

interface Parts extends Pick<DataPort, 'api' | 'queryClient' | 'queries'> {
  readonly toast: Services['toast'];
  /** The key that asked for it; undefined where none did. */
  readonly pressed?: FollowedKey | undefined;
}

const startTimer = (run: () => void, ms: number): void => void setTimeout(run, ms);

/** What is followed, in words: `shop/web`, `namespace shop`, `cluster production`. */
export function followedName({ object, namespace }: FollowTarget, cluster: string): string {
  if (object !== undefined) return qualifiedName(object);
  return namespace === undefined ? `cluster ${cluster}` : `namespace ${namespace}`;
}

const keyOf = ({ object, namespace }: FollowTarget): string =>
  JSON.stringify([object?.kind, object?.namespace, object?.name, namespace]);

/** What is followed as the server has it: a namespace object is the namespace. */
function asStored(thing: FollowedThing): FollowedThing {
  const kind = thing.object === undefined ? undefined : kindById(thing.object.kind);
  const isNamespace = kind?.group === '' && kind.plural === 'namespaces';
  return isNamespace && thing.object !== undefined ? { namespace: thing.object.name } : thing;
}

/** The follows for good among some things of a cluster, and the things without one. */
export function followedOf(
  follows: readonly Follow[],
  clusterId: number,
  things: readonly FollowedThing[],
): { readonly followed: readonly Follow[]; readonly others: readonly FollowedThing[] } {
  const own = new Map(
    follows
      .filter(
        ({ cluster, isUntilReady, alerts }) =>
          cluster.id === clusterId && !isUntilReady && alerts === undefined,
      )
      .map((follow) => [keyOf(follow), follow]),
  );
  const stored = things.map(asStored);
  return {
    followed: stored.flatMap((thing) => own.get(keyOf(thing)) ?? []),
    others: stored.filter((thing) => !own.has(keyOf(thing))),
  };
}

/** Follows things of a cluster, or unfollows them where all are followed. Throws Problem. */
export async function toggleFollow(
  { api, queryClient, queries, toast, pressed }: Parts,
  clusterId: number,
  things: readonly FollowedThing[],
): Promise<void> {
  await requireMeant(pressed, startTimer);
  const follows = await queryClient.fetchQuery({ ...queries.follows, staleTime: 0 });
  const { followed, others } = followedOf(follows, clusterId, things);
  const clusters = await queryClient.ensureQueryData(queries.clusters);
  const cluster = clusters.find(({ id }) => id === clusterId)?.name ?? String(clusterId);
  const named = (some: readonly FollowTarget[]) =>
    some[0] !== undefined && some.length === 1 ? followedName(some[0], cluster) : `${some.length} objects`;
  const undone = () => void queryClient.invalidateQueries({ queryKey: queries.follows.queryKey });
  if (others.length === 0) {
    for (const { id } of followed) await api.unfollow({ params: { followId: id } });
    undone();
    toast.info(`You follow ${named(followed)} no longer`);
    return;
  }
  for (const { object, namespace } of others)
    await api.follow({
      params: { clusterId },
      body: {
        ...(object === undefined ? {} : { object }),
        ...(namespace === undefined ? {} : { namespace }),
      },
    });
  undone();
  toast.success(`You follow ${named(others)}`, { detail: `The bell shows what happens to it · ${cluster}` });
}

/** Marks all that the bell shows as read, or clears it. Throws Problem, and Refusal where there is nothing. */
export async function changeAll(
  { api, queryClient, queries, toast }: Parts,
  change: 'read' | 'clear',
): Promise<void> {
  const { notifications } = await queryClient.fetchQuery({ ...queries.notifications, staleTime: 0 });
  const some = notifications.filter(({ isRead }) => change === 'clear' || !isRead);
  if (some.length === 0)
    throw new Refusal(change === 'clear' ? 'There are no notifications.' : 'All notifications are read.');
  await api.changeNotifications({ body: { change, ids: some.map(({ id }) => id) } });
  await queryClient.invalidateQueries({ queryKey: queries.notifications.queryKey });
  const count = some.length === 1 ? '1 notification' : `${some.length} notifications`;
  toast.success(change === 'clear' ? `${count} cleared` : `${count} marked as read`);
}

/** Follows workloads of a cluster until each is ready. Throws Problem. */
export async function tellWhenReady(
  { api, queryClient, queries, toast, pressed }: Parts,
  refs: readonly [ObjectRef, ...ObjectRef[]],
): Promise<void> {
  await requireMeant(pressed, startTimer);
  for (const { cluster, ...object } of refs)
    await api.follow({ params: { clusterId: Number(cluster) }, body: { object, isUntilReady: true } });
  await queryClient.invalidateQueries({ queryKey: queries.follows.queryKey });
  const named = refs.length === 1 ? qualifiedName(refs[0]) : `${refs.length} objects`;
  toast.success(`You are notified when ${named} ${refs.length === 1 ? 'is' : 'are'} ready`);
}

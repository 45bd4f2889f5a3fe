import { actionsOf } from '../kinds/actions.ts';
import type { Outcome } from '../../contract/objects.ts';
import { actionById } from '../../../commands/kinds/index.ts';
import type { KindAction } from '../../registry/kind-action.ts';
import type { KindFacts } from '../../registry/kind-facts.ts';
import type { App } from '../app/context.ts';
import { type Acting, asksFirst, plainRef } from './acting.ts';
import { outcomeText } from './outcome.ts';

/** What an action needs of the app. */
type Parts = Pick<App, 'api' | 'queryClient' | 'queries' | 'acting' | 'kinds'> & {
  readonly live: Pick<App['live'], 'isStale'>;
  readonly toast: App['services']['toast'];
};

/** The cluster that the objects of an action are in, if it is known. */
export function clusterOfRefs(
  { queryClient, queries }: Pick<App, 'queryClient' | 'queries'>,
  { refs }: Acting,
) {
  const clusters = queryClient.getQueryData(queries.clusters.queryKey);
  return clusters?.find(({ id }) => String(id) === refs[0].cluster);
}

/** Begins an action: asks first where it has to, else does it at once. Rejects with the Problem that kept it. */
export async function beginAction(parts: Parts, acting: Acting): Promise<void> {
  const [first] = acting.refs;
  const kind = parts.kinds.of(first.cluster, first.kind);
  const facts = kind === undefined ? undefined : actionsOf(kind).find(({ id }) => id === acting.actionId);
  const action = actionById(acting.actionId);
  const cluster = clusterOfRefs(parts, acting);
  const isStale = parts.live.isStale(Number(first.cluster), first.kind);
  if (
    kind === undefined ||
    facts === undefined ||
    action === undefined ||
    asksFirst(action, acting.refs, cluster, isStale, acting.args)
  ) {
    parts.acting.set(isStale ? { ...acting, isStale } : acting);
    return;
  }
  const { actionId, refs, args = {} } = acting;
  const { outcomes } = await parts.api.runAction({
    params: { clusterId: Number(refs[0].cluster), actionId },
    body: { refs: refs.map(plainRef), args: { ...args } },
  });
  tellOutcomes(parts.toast, action, kind, outcomes, cluster?.name ?? '');
}

/** Says in one toast what became of an action. Failures stay until they are dismissed. */
export function tellOutcomes(
  toast: Parts['toast'],
  action: Pick<KindAction, 'title' | 'done'>,
  kind: Pick<KindFacts, 'kind' | 'title'>,
  outcomes: readonly Outcome[],
  cluster: string,
): void {
  const { type, title, detail } = outcomeText(action, kind, outcomes, cluster);
  toast[type](title, { detail, ...(type === 'success' ? {} : { duration: Number.POSITIVE_INFINITY }) });
}

import { actionsOf } from '../../core/kinds/actions.ts';
import { readOnlyReason } from '../../../contract/clusters.ts';
import type { Outcome } from '../../../contract/objects.ts';
import { actionById } from '../../../../commands/kinds/index.ts';
import type { KindAction } from '../../../registry/kinds/kind-action.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { Services } from '../../../registry/commands/services.ts';
import type { DataPort } from '../../data/port.ts';
import type { ActingPort } from './port.ts';
import { type PendingAction, asksFirst, plainRef } from './acting.ts';
import { Refusal } from '../../../registry/commands/refusal.ts';
import type { Source } from '../../../registry/commands/invocation.ts';
import type { ChangeGuard } from '../../../contract/preferences.ts';
import { addToast, dismissToast } from '../../kit/toast/toaster.ts';
import { type HeldParts, holdChange } from './held-changes.ts';
import { handlesKey, isField, isTerminalKey } from '../../keyboard/keyed-elements.ts';
import type { FollowedKey } from '../../keyboard/typed-run.ts';
import { countOf, headingOf, outcomeText } from './outcome.ts';

/** Parts of the app that an action needs. */
interface Parts extends ActingPort, Pick<DataPort, 'api' | 'queryClient' | 'queries' | 'kinds'> {
  readonly live: Pick<DataPort['live'], 'isStale'>;
  readonly toast: Services['toast'];
  readonly log: Services['log'];
  /** The last key outside of fields when the action was asked for: one that is part of a text changes nothing unasked. */
  readonly pressed: FollowedKey;
  /** Opens the pages of objects. */
  readonly objects: Pick<Services['objects'], 'open'>;
}

/** How long a toast stays that offers to open what was made, ms: long enough to get to it by Tab. */
const offeredFor = 15_000;

/** How changes without a dialog are guarded, by the person's setting; they are confirmed first if it cannot be read. */
async function guardOf({ queryClient, queries }: Parts): Promise<ChangeGuard> {
  const user = queryClient.getQueryData(queries.session.queryKey);
  const read = queryClient.ensureQueryData(queries.preferences(user?.id ?? 0));
  return await read.then(
    ({ changes }) => changes,
    () => 'confirm',
  );
}

/** The cluster that the objects of an action are in, if it is known. */
export function clusterOfRefs(
  { queryClient, queries }: Pick<DataPort, 'queryClient' | 'queries'>,
  { refs }: PendingAction,
) {
  const clusters = queryClient.getQueryData(queries.clusters.queryKey);
  return clusters?.find(({ id }) => String(id) === refs[0].cluster);
}

/** How an undone change is offered on this page. */
const offerUndo: HeldParts['offerUndo'] = (id, title, detail, undoIt) => {
  addToast('info', title, {
    id,
    detail,
    // It is dismissed when the change is sent or stopped.
    duration: Number.POSITIVE_INFINITY,
    actions: [{ label: 'Undo', run: undoIt }],
  });
  return () => dismissToast(id);
};

/** Overlays that Esc closes before it undoes a change. */
const overlays = '[role=dialog], [role=alertdialog], [role=menu]';

const isFree: HeldParts['isFree'] = (target) => {
  if (!(target instanceof Element)) return true;
  const isTaken = isField(target) || isTerminalKey(target, 'esc') || handlesKey(target, 'esc');
  return !isTaken && target.closest(overlays) === null;
};

/** Why an action cannot be done now, by the server's verdict; undefined if it can. Rejects with a Problem. */
async function reasonAgainst(
  { api }: Pick<Parts, 'api'>,
  { actionId, refs }: PendingAction,
  subject: string,
): Promise<string | undefined> {
  const params = { clusterId: Number(refs[0].cluster) };
  const { actions, refused } = await api.availableActions({ params, body: { refs: refs.map(plainRef) } });
  if (refused.includes(actionId)) {
    return `You lack the permission to do this on ${subject}. “Why can I not …” in the palette says who can grant it.`;
  }
  const state = actions.find(({ id }) => id === actionId);
  if (state === undefined) return `This cannot be done on ${subject}, or it was already done.`;
  return state.enabled === true ? undefined : state.enabled;
}

/** Maximum delay before a dialog that waits for the server's verdict on its action, ms. */
const verdictWait = 250;

/**
 * Rejects with a Refusal in place of a dialog whose verb could not be pressed. A verdict that takes longer, or that the
 * server cannot give, is for the dialog to tell.
 */
async function refuseEarly(parts: Parts, acting: PendingAction, kind: KindFacts): Promise<void> {
  const action = actionById(acting.actionId);
  // Only what has nothing to choose from without it: other dialogs open at once, so that no key falls beside them.
  if (!Object.values(action?.args ?? {}).some(({ type }) => type === 'revision')) return;
  const subject = countOf(
    kind,
    acting.refs.map(({ name }) => name),
  );
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, verdictWait));
  const verdict = reasonAgainst(parts, acting, subject).catch(() => undefined);
  const against = await Promise.race([verdict, late]);
  if (against !== undefined) throw new Refusal(against);
}

/**
 * Begins an action. Nothing is changed by a single key, button or entry of a menu: the action is asked first, or held for
 * a moment in which it can be undone, as the person set it. Rejects with the Problem or Refusal that kept it.
 */
export async function beginAction(
  parts: Parts,
  acting: PendingAction,
  source: Source = 'button',
): Promise<void> {
  const [first] = acting.refs;
  const kind = parts.kinds.of(first.cluster, first.kind);
  const facts = kind === undefined ? undefined : actionsOf(kind).find(({ id }) => id === acting.actionId);
  const action = actionById(acting.actionId);
  const cluster = clusterOfRefs(parts, acting);
  // As buttons and menus, which are disabled there: no dialog is opened whose verb could not be pressed.
  const refused = cluster === undefined ? undefined : readOnlyReason(cluster);
  if (refused !== undefined) throw new Refusal(refused);
  const isStale = parts.live.isStale(Number(first.cluster), first.kind);
  const isKey = source === 'key';
  // Asked when the dialog opens: the rest of the text may have been typed while the action's code was on the way.
  const isByText = (): boolean =>
    isKey ? parts.pressed.isText : source === 'menu' && parts.pressed.choseByWord;
  const ask = (pending: PendingAction): void =>
    parts.acting.set({
      ...pending,
      ...(isByText() ? { isByText: true } : {}),
      ...(source === 'warnedProposal' ? { isWarned: true } : {}),
    });
  if (
    kind === undefined ||
    facts === undefined ||
    action === undefined ||
    // The arguments of a proposal are a model's, whoever presses its button: they are seen before they count.
    source === 'proposal' ||
    source === 'warnedProposal' ||
    asksFirst(action, acting.refs, cluster, isStale, acting.args)
  ) {
    if (kind !== undefined) await refuseEarly(parts, acting, kind);
    ask(isStale ? { ...acting, isStale } : acting);
    return;
  }
  const { actionId, refs, args = {} } = acting;
  const params = { clusterId: Number(first.cluster), actionId };
  const send = async () => {
    const { outcomes } = await parts.api.runAction({
      params,
      body: { refs: refs.map(plainRef), args: { ...args } },
    });
    tellOutcomes(parts, action, kind, outcomes, { id: first.cluster, name: cluster?.name ?? '' });
  };
  const guard = await guardOf(parts);
  // A key that is part of a text was meant for a field: nothing is held that nobody asked for.
  if (guard === 'confirm' || isByText()) {
    ask(acting);
    return;
  }
  // An action that cannot be done is refused now, not after the wait.
  const subject = countOf(
    kind,
    refs.map(({ name }) => name),
  );
  const against = await reasonAgainst(parts, acting, subject);
  if (against !== undefined) throw new Refusal(against);
  // The rest of a text may have been typed while the server was asked.
  if (isByText()) {
    ask(acting);
    return;
  }
  holdChange(
    {
      held: parts.heldChanges,
      log: parts.log,
      toast: parts.toast,
      now: () => Date.now(),
      later: (run, ms) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      onText: isKey ? parts.pressed.onText : undefined,
      isFree,
      offerUndo,
    },
    {
      text: headingOf(action, subject),
      where:
        first.namespace === undefined ? (cluster?.name ?? '') : `${first.namespace} · ${cluster?.name ?? ''}`,
      send,
    },
  );
}

/**
 * Says in one toast what became of an action, and offers to open what it made. Failures stay until they are dismissed.
 * @param cluster the id as paths carry it, and the name
 */
export function tellOutcomes(
  { toast, objects, done }: Pick<Parts, 'toast' | 'objects' | 'done'>,
  action: Pick<KindAction, 'title' | 'done'>,
  kind: Pick<KindFacts, 'kind' | 'title' | 'logs'>,
  outcomes: readonly Outcome[],
  cluster: { readonly id: string; readonly name: string },
): void {
  const { type, title, detail, created } = outcomeText(action, kind, outcomes, cluster.name);
  done.set({ cluster: cluster.id, rollsOut: kind.logs === 'pods', outcomes });
  if (created !== undefined) {
    const { kind: made, namespace, name } = created;
    const run = () =>
      objects.open({
        cluster: cluster.id,
        kind: made,
        name,
        ...(namespace === undefined ? {} : { namespace }),
      });
    toast[type](title, { detail, duration: offeredFor, actions: [{ label: 'Open', run }] });
    return;
  }
  toast[type](title, { detail, ...(type === 'success' ? {} : { duration: Number.POSITIVE_INFINITY }) });
}

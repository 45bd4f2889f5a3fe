import {
  flushInterval,
  type JoinedValues,
  type ListState,
  type SubscribeObject,
} from '../../contract/live.ts';
import type { Need } from '../../contract/permissions.ts';
import { Problem } from '../../contract/problem.ts';
import type { KubeObject } from '../../kube/object.ts';
import { formatSelector } from '../../kube/format-selector.ts';
import { refKey } from '../../registry/refs.ts';
import { heldDeletion } from '../../registry/held-deletion.ts';
import type { Joined, JoinName } from '../../registry/kind-action.ts';
import {
  type AnyKind,
  type Kind,
  type KindStatus,
  type PodSelection,
  statusAt,
} from '../../registry/kind.ts';
import { stateActions } from '../actions/available.ts';
import { readOnlyReason } from '../actions/protection.ts';
import { cleanValue } from '../objects/present.ts';
import { type Access, satisfies } from './access.ts';
import { createAround } from './around.ts';
import { attentionLinesOf, isDue, type Place, refOf, type Trouble, turnOf } from './attention-lines.ts';
import type { Channel, Post } from './channel.ts';
import type { Clock } from '../kit/clock.ts';
import type { ClusterLive } from './cluster.ts';
import type { Membership, Tapped } from './audience.ts';
import { permittedJoins } from './joins/join.ts';
import { bodyOf, readable } from './object-body.ts';
import type { ObjectSink } from './object-watch.ts';
import { kindsBetween, placeOfTrouble } from './owners.ts';
import { cleanAttention, type Entry, identity, ownersOf, placeOf } from './projector.ts';
import { createReferents } from './referents.ts';

/** What stands in place of a join that a person may not see. */
const hidden: Readonly<Record<JoinName, JoinedValues>> = {
  metrics: {},
  podsOfNode: { podsOfNode: null },
  scaledBy: { scaledBy: null },
};

/** Versions kept for a page while its person's grants are read; the oldest are dropped beyond. */
const heldVersions = 50;

/** An object that a page asks for. */
export interface ObjectRequest {
  readonly live: ClusterLive;
  readonly kind: AnyKind;
  readonly message: SubscribeObject;
  readonly clock: Clock;
}

/** One object on one page: its versions, and what belongs to it as this person may see it. */
export function createObjectChannel(
  post: Post,
  { live, kind, message, clock }: ObjectRequest,
  first: Access,
): Channel {
  const { namespace = '', name } = message;
  const place = placeOf(namespace, name);
  let access = first;
  let isHeld = false;
  let isSuspended = false;
  let isOver = false;
  /** Versions that could not be sent yet. */
  let waiting: KubeObject[] = [];
  let sent: KubeObject | undefined;
  let sentSurroundings: string | undefined;
  let sentGone = false;
  let told: ListState | undefined;
  let cancelSoon: (() => void) | undefined;
  let cancelLater: (() => void) | undefined;
  /** What is open for the surroundings: joins, pods, the kinds between a pod and its workload. */
  let ends: (() => void)[] = [];
  let pods: { readonly key: string; readonly membership: Membership } | undefined;
  let endUsage: (() => void) | undefined;
  const between = new Map<Kind, Tapped>();
  const around = createAround({
    live,
    kind,
    namespace,
    may: (need) => may(need),
    onChange: lookAgainSoon,
  });
  const referents = createReferents({ live, may: (need) => may(need), onChange: lookAgainSoon });

  const may = (need: Need) => (need === 'owner' ? access.isOwner : satisfies(access.held, need));
  const joinNames = (): readonly JoinName[] => permittedJoins(kind.joins ?? [], access.held);

  const sink: ObjectSink = {
    version(object) {
      if (isSuspended) return;
      if (isHeld) {
        waiting = [...waiting, object].slice(-heldVersions);
        return;
      }
      sendVersion(object);
      state();
    },
    gone() {
      if (!isHeld && !isSuspended) sendGone();
    },
    state,
  };

  function sendVersion(object: KubeObject): void {
    followPods(object);
    sent = object;
    sentGone = false;
    sentSurroundings = surroundings(object);
    post('object', bodyOf(kind, object), { lead: `${sentSurroundings},` });
  }

  function sendGone(): void {
    const { gone } = membership;
    if (gone === undefined || sentGone) return;
    sentGone = true;
    post('gone', `"at":${JSON.stringify(gone.at)}`);
    state();
  }

  function state(): void {
    if (isHeld || isSuspended || isOver) return;
    const now = membership.state;
    if (JSON.stringify(now) === JSON.stringify(told)) return;
    told = now;
    post('state', `"state":${JSON.stringify(now)}`);
  }

  /** What belongs to the object, as JSON members. Sets a timer for what time alone changes. */
  function surroundings(object: KubeObject): string {
    const joined = joinedValues();
    referents.follow(readable(() => kind.refs?.(object) ?? [], []));
    const reason = readOnlyReason(access.cluster);
    const actions = stateActions(kind, object, judgedBy(), may);
    const status = statusNow(object);
    const { causes, own } = troublesOf(object, status?.later?.at);
    const attention = [...attentionLinesOf(causes, may), ...attentionLinesOf(own, may)];
    return [
      `"status":${JSON.stringify(status === undefined ? null : cleanValue([status.label, status.tone]))}`,
      `"attention":${JSON.stringify(attention)}`,
      `"joined":${JSON.stringify(joined)}`,
      `"missing":${JSON.stringify(cleanValue(referents.missing.map(refKey)))}`,
      `"actions":${JSON.stringify(
        reason === undefined ? actions : actions.map((action) => ({ ...action, enabled: reason })),
      )}`,
    ].join(',');
  }

  function statusNow(object: KubeObject): KindStatus | undefined {
    const status = readable(() => kind.status?.(object), undefined);
    return status && statusAt(status, clock.now() / 1000);
  }

  /** What the person may see; what they may not is null. */
  function joinedValues(): JoinedValues {
    const permitted = joinNames();
    const podKind = live.kind('pod');
    const ofPods =
      podKind !== undefined && endUsage !== undefined && pods?.membership.isReady === true
        ? live
            .metrics(podKind)
            .sum([...pods.membership.view.entries()].map((entry) => placeOf(entry.namespace, entry.name)))
        : {};
    const values = (kind.joins ?? []).map(
      (join): JoinedValues => (permitted.includes(join) ? live.join(join, kind).value(place) : hidden[join]),
    );
    return values.reduce((all, value) => ({ ...all, ...value }), ofPods);
  }

  /** What actions are judged by does not depend on who asks: as when one is done. */
  function judgedBy(): Joined {
    if (kind.joins?.includes('scaledBy') !== true) return {};
    const { scaledBy } = live.join('scaledBy', kind).value(place);
    return scaledBy === null || scaledBy === undefined ? {} : { scaledBy };
  }

  /** @param statusTurn when time alone changes the status, epoch seconds */
  function troublesOf(
    object: KubeObject,
    statusTurn: number | undefined,
  ): { causes: Trouble[]; own: Trouble[] } {
    const uid = identity(object) ?? place;
    const facts = readable(() => kind.facts?.(object), undefined);
    const entry = {
      uid,
      namespace,
      name,
      owners: ownersOf(object),
      ...(facts === undefined ? {} : { facts }),
    };
    const self: Place = { ref: refOf(kind, { namespace, name }), uid, kind, facts };
    const podKind = live.kind('pod');
    // A view that is read before its list is complete would take it for empty from then on.
    const followed = pods?.membership.isReady === true ? pods.membership.view.entries() : [];
    const podEntries = podKind === undefined ? [] : [...followed];
    const causes = podEntries.flatMap((pod): Trouble[] =>
      podKind === undefined || pod.attention === undefined
        ? []
        : [{ kind: podKind, entry: pod, attention: pod.attention, place: self }],
    );
    const attention = readable(
      () =>
        kind.attention === undefined
          ? heldDeletion(object)
          : kind.attention(object, around.read(object, referents.missing)),
      undefined,
    );
    const source = { kinds: live.kinds, find: (of: Kind, owner: string) => between.get(of)?.find(owner) };
    const own: Trouble[] =
      attention === undefined
        ? []
        : [
            {
              kind,
              entry,
              attention: cleanAttention(attention),
              place: placeOfTrouble(source, kind, entry),
            },
          ];
    const now = clock.now() / 1000;
    const turns = [
      ...(statusTurn === undefined ? [] : [statusTurn]),
      ...[...causes, ...own].flatMap((trouble) => turnOf(trouble.attention, now) ?? []),
    ];
    cancelLater?.();
    cancelLater =
      turns.length === 0 ? undefined : clock.after((Math.min(...turns) - now) * 1000, lookAgainSoon);
    const isTrouble = ({ attention }: Trouble) => isDue(attention, now);
    return { causes: causes.filter(isTrouble), own: own.filter(isTrouble) };
  }

  function lookAgainSoon(): void {
    if (isOver) return;
    cancelSoon ??= clock.after(flushInterval, () => {
      cancelSoon = undefined;
      lookAgain();
    });
  }

  function lookAgain(): void {
    if (isHeld || isSuspended || sent === undefined || sentGone) return;
    const now = surroundings(sent);
    if (now === sentSurroundings) return;
    sentSurroundings = now;
    post('surroundings', now);
  }

  /** A workload's trouble lies in its pods: those that it selects, where the person may view pods. */
  function followPods(object: KubeObject): void {
    const podKind = live.kind('pod');
    const selection =
      kind.attention === undefined ? undefined : readable(() => kind.pods?.(object), undefined);
    const labels = selection === undefined ? '' : readable(() => labelsOf(selection), '');
    const key = podKind !== undefined && may(podKind.permissions.view) ? labels : '';
    if (pods?.key === key || (pods === undefined && key === '')) return;
    leavePods();
    if (podKind === undefined || key === '') return;
    open(() => {
      const membership = live.feed(podKind).join(
        { namespace, where: { labels: key } },
        {
          // Only a view that was read once tells of changes.
          ready: () => {
            membership.view.entries();
            lookAgainSoon();
          },
          changes: lookAgainSoon,
          state: () => {},
        },
      );
      if (membership.isReady) membership.view.entries();
      pods = { key, membership };
      // What a workload uses is what its pods use.
      if (kind.joins?.includes('metrics') !== true) {
        const places = () => membership.view.entries();
        endUsage = live.metrics(podKind).retain((changed) => {
          if (!membership.isReady) return;
          const isOurs = (entry: Entry) =>
            changed === 'all' || changed.has(placeOf(entry.namespace, entry.name));
          if (changed === 'all' || [...places()].some(isOurs)) lookAgainSoon();
        });
      }
    });
  }

  function leavePods(): void {
    endUsage?.();
    endUsage = undefined;
    pods?.membership.leave();
    pods = undefined;
  }

  /** Opens something of the surroundings; a cluster with too many lists open goes without. */
  function open(begin: () => void): void {
    try {
      begin();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  function followSurroundings(): void {
    const names = new Set([...joinNames(), ...(kind.joins ?? []).filter((join) => join === 'scaledBy')]);
    for (const join of names) {
      open(() => {
        ends.push(
          live.join(join, kind).retain((places) => {
            if (places === 'all' || places.has(place)) lookAgainSoon();
          }),
        );
      });
    }
    for (const owner of kindsBetween(live.kinds, kind)) {
      if (!may(owner.permissions.view)) continue;
      open(() => {
        const tap = live.feed(owner).tap({ changed: () => {}, settled: lookAgainSoon });
        between.set(owner, tap);
        ends.push(() => tap.leave());
      });
    }
  }

  function leaveSurroundings(): void {
    for (const end of ends) end();
    ends = [];
    between.clear();
    leavePods();
    around.leave();
    referents.leave();
  }

  /** Sends what is newest, whatever was sent before. */
  function catchUp(): void {
    const { object, gone } = membership;
    if (object !== undefined && gone === undefined && object !== sent) sendVersion(object);
    else lookAgain();
    sendGone();
    state();
  }

  const feed = live.feed(kind);
  const membership = feed.open(namespace, name, sink);
  followSurroundings();
  if (membership.object !== undefined) sendVersion(membership.object);
  sendGone();
  state();

  return {
    get isLive() {
      return membership.state.status === 'live';
    },
    hold() {
      isHeld = true;
    },
    release(now) {
      if (!isHeld) return;
      isHeld = false;
      access = now;
      leaveSurroundings();
      followSurroundings();
      const versions = waiting;
      waiting = [];
      for (const object of versions) if (object !== sent) sendVersion(object);
      if (sent !== undefined) followPods(sent);
      catchUp();
    },
    suspend() {
      isSuspended = true;
      waiting = [];
    },
    resync() {
      isSuspended = false;
      catchUp();
    },
    retry: () => feed.retry(),
    leave() {
      isOver = true;
      isSuspended = true;
      cancelSoon?.();
      cancelLater?.();
      leaveSurroundings();
      membership.leave();
    },
  };
}

/** The label selector of a selection as text; empty where pods are chosen otherwise, or all of a namespace would be. */
function labelsOf(selection: PodSelection): string {
  return 'nodeName' in selection ? '' : formatSelector(selection);
}

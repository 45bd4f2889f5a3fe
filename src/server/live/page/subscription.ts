import type { Logger } from 'pino';
import { Problem } from '../../../contract/problem.ts';
import type { AnyKind, Kind } from '../../../registry/kinds/kind.ts';
import { type ClusterSettings, type Grants, requireNeeds } from '../../access/grants.ts';
import type { Member } from '../../access/person.ts';
import { type BearerRights, markOf } from '../../access/bearer-rights.ts';
import type { Open, OpenRights } from '../../access/open-rights.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Measures, SubscriptionWait } from '../../kit/measures.ts';
import { type Span, type SpanAttributes, type Tracer, withinSpan } from '../../kit/tracer.ts';
import { isStoreUnavailable } from '../../store/problem.ts';
import { type Access, readAccess } from '../wire/access.ts';
import { type Channel, createNumbered, type Outlet, type Post } from '../wire/channel.ts';
import type { ClusterLive } from '../cluster/cluster.ts';
import { pageLimits } from '../wire/page-limits.ts';
import type { Pulse } from '../source/pulse.ts';
import { type Plan, planOf, type SubscribeMessage } from './plan.ts';
import { subjectOf } from './subject.ts';

/** Parts of the server that a page's subscriptions need. */
export interface SubscriptionServices {
  readonly grants: Grants;
  readonly rights: OpenRights;
  readonly kindById: (id: string) => Kind | undefined;
  /** A kind that pages do not know, as a cluster has it. Authorise for the cluster first. Throws Problem. */
  readonly findKind: (cluster: ClusterSettings, name: string) => Promise<AnyKind>;
  /** The shared live data of a stored cluster. Authorise first. */
  readonly cluster: (cluster: ClusterSettings) => ClusterLive;
  /** The settings of a cluster were read although no notice of a change came. */
  readonly onLooked: (cluster: ClusterSettings) => void;
  /** Asks a cluster at once, even one that is left alone for a while after failures. Never throws. */
  readonly probe: (clusterId: number) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly measures?: Measures | undefined;
  readonly tracer?: Tracer | undefined;
}

/** Parts of its page that a subscription needs. */
export interface SubscriptionPage {
  readonly outlet: Outlet;
  readonly person: Member;
  /** Has the page read its grants again, once for all subscriptions whose rights are judged together. */
  announce(): void;
  /** Keeps a cluster's pulse going and reports it to the page; returns how to stop. */
  look(clusterId: number, pulse: Pulse): () => void;
  /** A channel was opened. */
  opened(subscription: Subscription): void;
  /** The subscription is over. */
  ended(subscription: Subscription): void;
}

interface Opened {
  readonly plan: Plan;
  readonly channel: Channel;
  readonly endLook: () => void;
  /** The rights that it is open with. */
  access: Access;
}

/** One subscription of a page: authorised before anything is read, and judged again whenever grants change. */
export class Subscription {
  readonly id: number;
  readonly clusterId: number;
  readonly #message: SubscribeMessage;
  readonly #page: SubscriptionPage;
  readonly #services: SubscriptionServices;
  /** Numbers its messages, those of one channel after those of another. */
  readonly #post: Post;
  /** Its state as something that is open on rights. */
  readonly onRights: Open;
  /** When it was asked for, ms since 1970. */
  readonly #began: number;
  /** Its first rows were sent, or it ended before. */
  #isAnswered = false;
  /** Its wait for the first rows, as a span of its own: a socket stays open for hours. */
  readonly #span: Span | undefined;
  /** Undefined while it is authorised and read for the first time. */
  #opened: Opened | undefined;
  #isOver = false;
  /** Incremented by each opening: an earlier one is ignored. */
  #run = 0;
  #cancelReopening: (() => void) | undefined;

  constructor(message: SubscribeMessage, page: SubscriptionPage, services: SubscriptionServices) {
    this.id = message.id;
    this.clusterId = message.clusterId;
    this.#message = message;
    this.#page = page;
    this.#services = services;
    this.#began = services.clock.now();
    const { userId, what } = this.#wait;
    this.#span = services.tracer?.begin(`subscribe ${what}`, 'server', {
      'wheelhouse.cluster.id': message.clusterId,
      'wheelhouse.user.id': userId,
      'wheelhouse.subject': what,
    });
    this.#post = this.#timed(createNumbered(message.id, page.outlet));
    this.onRights = services.rights.open({
      sort: 'pages',
      person: page.person,
      clusterId: message.clusterId,
      judge: (rights) => this.#judge(rights),
      hold: () => this.channel?.hold(),
      release: () => this.#opened?.channel.release(this.#opened.access),
      end: (why, event) => {
        // With its session the page is closed.
        if (event !== 'signed out') this.#endWith(why);
      },
    });
  }

  /** Undefined until it is open. */
  get channel(): Channel | undefined {
    return this.#opened?.channel;
  }

  /**
   * Opens it, or opens it again: the previous channel stays until its successor is ready. While the store does not answer
   * it is tried again every few seconds: the page goes on waiting for its first rows. Never throws.
   */
  async open(): Promise<void> {
    this.#cancelReopening?.();
    this.#run += 1;
    const run = this.#run;
    const isOver = () => this.#isOver || run !== this.#run;
    const { kindById, findKind, grants, cluster, clock } = this.#services;
    try {
      const plan = await planOf(this.#message, {
        declared: kindById,
        // Only who reaches the cluster may have it asked about its kinds.
        find: async (name) => findKind(await grants.cluster(this.#page.person, this.clusterId), name),
      });
      if (isOver()) return;
      const access = await this.#authorise(plan.required);
      if (isOver()) return;
      const live = cluster(access.cluster);
      const renew = () => void this.open();
      const open = () => plan.open({ post: this.#post, live, access, clock, renew });
      const channel = this.#span === undefined ? open() : withinSpan(this.#span, open);
      // The cluster stays open without a gap between two channels.
      const endLook = this.#page.look(this.clusterId, live.pulse);
      this.#shut();
      this.#opened = { plan, channel, endLook, access };
      if (isOver()) {
        this.#shut();
        return;
      }
      this.#services.rights.renew(this.onRights);
      this.#page.opened(this);
    } catch (error) {
      if (isOver()) return;
      if (isStoreUnavailable(error))
        this.#cancelReopening = clock.after(pageLimits.recheck, () => void this.open());
      else this.#endWith(error);
    }
  }

  /** Asks the cluster again at once: a person does not wait out the pause of a cluster that failed. */
  async retry(): Promise<void> {
    if (this.#opened === undefined) return;
    if (!this.#opened.channel.isLive) await this.#services.probe(this.clusterId);
    if (!this.#isOver) this.channel?.retry();
  }

  /** Ends it and tells the page why. */
  end(status: number, title: string): void {
    if (this.#isOver) return;
    this.leave();
    this.#page.outlet.post(JSON.stringify({ type: 'ended', id: this.id, status, title }));
  }

  /** Ends it. */
  leave(): void {
    this.#isOver = true;
    this.#endWait('no rows');
    this.#cancelReopening?.();
    this.#services.rights.end(this.onRights);
    this.#shut();
    this.#page.ended(this);
  }

  /**
   * Goes on with the rows that the person may see now. One that is being authorised reads its grants itself. Throws
   * Problem where they may see none.
   */
  #judge({ rights }: BearerRights): boolean {
    const opened = this.#opened;
    if (opened === undefined) return false;
    const current = rights.get(this.clusterId);
    const isUnannounced = this.onRights.state === 'open';
    if (isUnannounced && current !== undefined) this.#services.onLooked(current.cluster);
    if (markOf(opened.access) === markOf(current)) return false;
    if (isUnannounced) this.#page.announce();
    const { required } = opened.plan;
    opened.access = requireNeeds(current, required === undefined ? [] : [required]);
    this.#services.cluster(opened.access.cluster);
    return true;
  }

  /** Whose it is, and what it shows. */
  get #wait(): SubscriptionWait {
    return { clusterId: this.clusterId, userId: this.#page.person.id, what: subjectOf(this.#message) };
  }

  /** Measures how long the page waits for the first rows, or for the object. */
  #timed(post: Post): Post {
    return (type, ...rest) => {
      if (type !== 'state' && type !== 'kind') this.#endWait('rows');
      post(type, ...rest);
    };
  }

  /** The first rows are there, or nobody waits for them any more. */
  #endWait(outcome: 'rows' | 'no rows'): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const { measures, clock, log } = this.#services;
    const { userId, ...wait } = this.#wait;
    const ms = clock.now() - this.#began;
    measures?.answeredList({ ...wait, userId, outcome, ms });
    log.debug({ ...wait, outcome, ms }, 'A page waited for what it follows');
    this.#endSpan(outcome === 'rows' ? {} : { 'error.type': outcome }, false);
  }

  #endSpan(ending: SpanAttributes, hasFailed: boolean): void {
    if (this.#span?.isEnded === false) this.#span.end(ending, hasFailed);
  }

  #shut(): void {
    this.#opened?.channel.leave();
    this.#opened?.endLook();
    this.#opened = undefined;
  }

  /** The person's permissions, by grants that no later message invalidated. Throws Problem. */
  async #authorise(required: Plan['required']): Promise<Access> {
    for (;;) {
      const { epoch } = this.onRights;
      const access = await readAccess(this.#services.grants, this.#page.person, this.clusterId, required);
      if (epoch === this.onRights.epoch) return access;
    }
  }

  #endWith(error: unknown): void {
    if (error instanceof Problem) {
      // A cluster that the person does not reach has any number: each would be a series of its own.
      if (error.status !== 404) this.#services.measures?.refused(this.#wait, error.status);
      this.#isAnswered = true;
      this.#endSpan({ 'error.type': String(error.status) }, error.status >= 500);
      this.end(error.status, error.title);
      return;
    }
    this.#isAnswered = true;
    this.#endSpan({ 'error.type': 'failed' }, true);
    this.#services.log.error({ err: error, clusterId: this.clusterId }, 'A subscription failed');
    this.end(
      500,
      'This console could not open the list. Try again; if it happens again, ask the operator, who finds the reason in its log.',
    );
  }
}

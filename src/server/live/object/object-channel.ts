import type { ListState, SubscribeObject } from '../../../contract/live.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Access } from '../wire/access.ts';
import type { Channel, Post } from '../wire/channel.ts';
import type { ClusterLive } from '../cluster/cluster.ts';
import type { Feed } from '../feed/feed.ts';
import { bodyOf } from './object-body.ts';
import { ObjectSurroundings } from './object-surroundings.ts';
import type { ObjectMembership } from '../source/object-watch.ts';

/** Versions kept for a page while its person's grants are read; the oldest are dropped beyond. */
const maxPendingVersions = 50;

/** Inputs of `ObjectChannel`. */
export interface ObjectChannelParts {
  readonly post: Post;
  readonly live: ClusterLive;
  readonly clock: Clock;
  readonly access: Access;
  readonly kind: AnyKind;
  /** The page's message that asks for the object. */
  readonly message: SubscribeObject;
}

/** One object on one page: its versions, and what belongs to it as this person may see it. */
export class ObjectChannel implements Channel {
  readonly #post: Post;
  readonly #kind: AnyKind;
  readonly #feed: Feed;
  readonly #membership: ObjectMembership;
  readonly #surroundings: ObjectSurroundings;
  #isHeld = false;
  #isSuspended = false;
  #isOver = false;
  /** Versions that arrived while the channel is held. */
  #pending: KubeObject[] = [];
  #postedObject: KubeObject | undefined;
  #postedSurroundings: string | undefined;
  #isGonePosted = false;
  #postedState: ListState | undefined;

  /** Posts what is known already. Throws Problem 503 when the cluster has too many lists open. */
  constructor({ post, live, clock, access, kind, message }: ObjectChannelParts) {
    const { namespace = '', name } = message;
    this.#post = post;
    this.#kind = kind;
    this.#feed = live.feed(kind);
    this.#membership = this.#feed.open(namespace, name, {
      version: (object) => this.#receive(object),
      gone: () => {
        if (this.#isOpen) this.#postGone();
      },
      state: () => this.#postState(),
    });
    this.#surroundings = new ObjectSurroundings({
      live,
      kind,
      namespace,
      name,
      clock,
      access,
      onChange: () => this.#postSurroundings(),
    });
    if (this.#membership.object !== undefined) this.#postVersion(this.#membership.object);
    this.#postGone();
    this.#postState();
  }

  get isLive(): boolean {
    return this.#membership.state.status === 'live';
  }

  hold(): void {
    this.#isHeld = true;
  }

  release(access: Access): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#surroundings.changeAccess(access);
    const versions = this.#pending;
    this.#pending = [];
    if (this.#isOpen)
      for (const object of versions) if (object !== this.#postedObject) this.#postVersion(object);
    if (this.#postedObject !== undefined) this.#surroundings.followPods(this.#postedObject);
    this.#catchUp();
  }

  suspend(): void {
    this.#isSuspended = true;
    this.#pending = [];
  }

  resync(): void {
    this.#isSuspended = false;
    this.#catchUp();
  }

  retry(): void {
    this.#feed.retry();
  }

  leave(): void {
    this.#isOver = true;
    this.#surroundings.dispose();
    this.#membership.leave();
  }

  /** Whether messages may go to the page now. */
  get #isOpen(): boolean {
    return !this.#isHeld && !this.#isSuspended && !this.#isOver;
  }

  #receive(object: KubeObject): void {
    if (this.#isSuspended || this.#isOver) return;
    if (this.#isHeld) {
      this.#pending = [...this.#pending, object].slice(-maxPendingVersions);
      return;
    }
    this.#postVersion(object);
    this.#postState();
  }

  /** Sends the newest state. Nothing while the person's grants are being read: they may have lost them. */
  #catchUp(): void {
    if (!this.#isOpen) return;
    const { object, gone } = this.#membership;
    if (object !== undefined && gone === undefined && object !== this.#postedObject)
      this.#postVersion(object);
    else this.#postSurroundings();
    this.#postGone();
    this.#postState();
  }

  #postVersion(object: KubeObject): void {
    this.#surroundings.followPods(object);
    this.#postedObject = object;
    this.#isGonePosted = false;
    this.#postedSurroundings = this.#surroundings.read(object);
    this.#post('object', bodyOf(this.#kind, object), { lead: `${this.#postedSurroundings},` });
  }

  /** Posts what belongs to the object, if it is other than before. */
  #postSurroundings(): void {
    if (!this.#isOpen || this.#postedObject === undefined || this.#isGonePosted) return;
    const now = this.#surroundings.read(this.#postedObject);
    if (now === this.#postedSurroundings) return;
    this.#postedSurroundings = now;
    this.#post('surroundings', now);
  }

  #postGone(): void {
    const { gone } = this.#membership;
    if (gone === undefined || this.#isGonePosted) return;
    this.#isGonePosted = true;
    this.#post('gone', `"at":${JSON.stringify(gone.at)}`);
    this.#postState();
  }

  #postState(): void {
    if (!this.#isOpen) return;
    const state = this.#membership.state;
    if (JSON.stringify(state) === JSON.stringify(this.#postedState)) return;
    this.#postedState = state;
    this.#post('state', `"state":${JSON.stringify(state)}`);
  }
}

import type { Access } from '../wire/access.ts';
import type { Post } from '../wire/channel.ts';
import type { Clock } from '../../kit/clock.ts';
import type { ClusterLive } from '../cluster/cluster.ts';

export interface OpenParts {
  readonly post: Post;
  readonly live: ClusterLive;
  readonly access: Access;
  readonly clock: Clock;
  /** Begins the subscription anew: its kind is another. */
  readonly renew: () => void;
}

import type { AnyKind, Kind } from '../../../registry/kinds/kind.ts';
import type { Definitions } from '../definitions/definitions.ts';
import type { Feed } from '../feed/feed.ts';

/** The parts of a cluster's live data that a graph reads. */
export interface GraphSources {
  readonly kinds: readonly Kind[];
  kind(id: string): Kind | undefined;
  /** The rows of a kind. Throws NoPlace. */
  feed(kind: AnyKind): Feed;
  /** Any kind by its name, as the cluster has it. Throws Problem. */
  find(name: string): Promise<AnyKind>;
  readonly definitions: Definitions;
}

import type { AnyKind } from '../../../registry/kinds/kind.ts';
import type { Transport } from '../../clusters/transport.ts';
import type { ListTransport } from './reflector-options.ts';

/** A list of a cluster as all servers name it. */
export interface NamedList {
  readonly clusterId: number;
  readonly kind: Pick<AnyKind, 'id' | 'fingerprint'>;
}

/** The ways of lists where one server reads a cluster for all. */
export interface ListRoutes {
  /** The way of a list: the own one, or to the server that reads the cluster. Never throws. */
  routeOf(list: NamedList, own: Transport): Promise<ListTransport>;
}

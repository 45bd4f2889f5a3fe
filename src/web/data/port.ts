import type { QueryClient } from '@tanstack/react-query';
import type { KnownKinds } from '../core/kinds/known.ts';
import { createPort } from '../core/port.ts';
import type { ApiClient } from './client.ts';
import type { IdentityCheck } from './identity-check.ts';
import type { KeptKey } from './kept-key.ts';
import type { KnownData } from './live/known.ts';
import type { Live } from './live/live.ts';
import type { Queries } from './queries.ts';
import type { WarmUps } from './warm-ups.ts';

/** Where everything comes from that the server knows. */
export interface DataPort {
  readonly api: ApiClient;
  readonly identity: IdentityCheck;
  readonly queries: Queries;
  readonly queryClient: QueryClient;
  readonly live: Live;
  /** The data of live targets. */
  readonly known: KnownData;
  /** The last known rows of lists in this browser. */
  readonly kept: KeptKey;
  readonly kinds: KnownKinds;
  readonly warmUps: WarmUps;
}

export const dataPort = createPort<DataPort>('source of data');

/** Where everything comes from that the server knows. */
export const useData = dataPort.use;

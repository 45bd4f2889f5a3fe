import type { passkeyEndpoints } from '../../../contract/passkeys.ts';
import type { ResponseOf } from '../../../contract/endpoint.ts';

/** The own passkeys as the server gives them. */
export type OwnPasskeys = ResponseOf<(typeof passkeyEndpoints)['passkeys']>;

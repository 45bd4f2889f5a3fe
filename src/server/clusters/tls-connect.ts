import { Client } from 'undici';
import { guardAbandonedStreams } from './abandoned-streams.ts';
import { type AddressGuard, createGuardedConnector, type Resolver } from './address.ts';
import type { LiveCredential } from './credentials.ts';
import type { Target } from './target.ts';

/** Time until a connection is open, ms. */
const connectTimeout = 5_000;
/** Code of the error where a server has no HTTP/2. */
export const http2Missing = 'HTTP2_MISSING';

/** Inputs of connections to a cluster. */
export interface ConnectParts {
  readonly target: Target;
  /** Checks every address before it is dialled. */
  readonly guard: AddressGuard;
  readonly resolve: Resolver | undefined;
}

const tlsOptions = (target: Target, { certificate, key }: LiveCredential) => ({
  timeout: connectTimeout,
  ...(target.ca === undefined ? {} : { ca: target.ca }),
  ...(target.tlsServerName === undefined ? {} : { servername: target.tlsServerName }),
  ...(certificate === undefined ? {} : { cert: certificate }),
  ...(key === undefined ? {} : { key }),
});

/** Opens connections of HTTP/1.1. */
export const connectHttp1 = ({ target, guard, resolve }: ConnectParts, credential: LiveCredential) =>
  createGuardedConnector({ ...tlsOptions(target, credential), allowH2: false }, guard, resolve);

/** A client of one HTTP/2 connection; its requests fail with code `http2Missing` where the server has no HTTP/2. */
export function openHttp2Client(
  origin: string,
  { target, guard, resolve }: ConnectParts,
  credential: LiveCredential,
): Client {
  guardAbandonedStreams();
  const options = { ...tlsOptions(target, credential), allowH2: true, preferH2: true };
  const connect = createGuardedConnector(options, guard, resolve);
  return new Client(origin, {
    allowH2: true,
    pipelining: 100,
    connect: (connectOptions, callback) => {
      connect(connectOptions, (error, socket) => {
        if (error !== null) callback(error, null);
        else if (!('alpnProtocol' in socket) || socket.alpnProtocol !== 'h2') {
          socket.destroy();
          callback(
            Object.assign(new Error('The server does not support HTTP/2.'), { code: http2Missing }),
            null,
          );
        } else callback(null, socket);
      });
    },
  });
}

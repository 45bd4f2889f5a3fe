import { afterEach, beforeAll } from 'vitest';
import { createAddressGuard, loopbackCidrs } from '../../../src/server/clusters/address.ts';
import {
  ClusterTransport,
  type HttpTransport,
  type TransportOptions,
} from '../../../src/server/clusters/http-transport.ts';
import type { Target } from '../../../src/server/clusters/target.ts';
import { ClusterProblem } from '../../../src/server/clusters/transport.ts';
import { type Answer, type ApiServer, startApiServer } from './api-server.ts';
import { type Authority, makeAuthority } from './pki.ts';

/** Servers and transports of one test file; each test's own are closed after it. */
export interface Wire {
  /** Authority of the servers; known once the file's tests run. */
  authority(): Authority;
  serve(answer: Answer, options?: Parameters<typeof startApiServer>[2]): Promise<ApiServer>;
  /** A transport named prod, allowed on loopback. */
  connect(target: Target, options?: Partial<TransportOptions>): HttpTransport;
  /** Closes something of a test's own after it. */
  closing(close: () => Promise<void>): void;
}

/** To be called at the top of a test file. */
export function useWire(): Wire {
  const guard = createAddressGuard(loopbackCidrs);
  const open: (() => Promise<void>)[] = [];
  let authority: Authority | undefined;
  const known = () => {
    if (authority === undefined) throw new Error('The authority is made before the first test.');
    return authority;
  };
  beforeAll(async () => {
    authority = await makeAuthority();
  });
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
  return {
    authority: known,
    async serve(answer, options) {
      const server = await startApiServer(known(), answer, options);
      open.push(() => server.close());
      return server;
    },
    connect(target, options = {}) {
      const transport = new ClusterTransport(target, {
        clusterId: 7,
        name: 'prod',
        credential: '7.1',
        guard,
        ...options,
      });
      open.push(() => transport.close());
      return transport;
    },
    closing: (close) => void open.push(close),
  };
}

/** The ClusterProblem that a promise is rejected with. */
export async function failure(promise: Promise<unknown>): Promise<ClusterProblem> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ClusterProblem) return error;
  throw new Error(`expected a ClusterProblem, not ${String(error)}`, { cause: error });
}

/** Every line to the end. */
export async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** A Status body. */
export function status(code: number, message: string, more: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code, ...more };
}

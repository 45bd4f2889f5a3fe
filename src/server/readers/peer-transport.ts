import { finished } from 'node:stream';
import { createLineSplitter, splitLines } from '../clusters/lines.ts';
import { ClusterProblem, type KubeRequest, type KubeStream, type Transport } from '../clusters/transport.ts';
import { SilentWatch } from '../live/source/faults.ts';
import { reflectorLimits } from '../live/source/limits.ts';
import type { ListTransport } from '../live/source/reflector-options.ts';
import { type PeerAnswer, type PeerLink, SilentPeer } from './peer-link.ts';

/** Inputs of a way to a list through another server. */
export interface PeerTransportParts {
  /** The cluster's own way, for everything but the list. */
  readonly own: Transport;
  readonly link: PeerLink;
  /** Identity of the server, and its number: part of the credential. */
  readonly reader: string;
  /** The list at the other server. */
  readonly query: string;
}

/** The part of a credential that names the server which reads; none in one of a cluster's own way. */
export const readerIn = (credential: string): string | undefined => / reader (\S+)$/.exec(credential)?.[1];

/** The way to one list through the server that reads its cluster. */
export function createPeerTransport({ own, link, reader, query }: PeerTransportParts): ListTransport {
  const ask = (path: string) => `${path}?${query}`;
  return {
    clusterId: own.clusterId,
    credential: `${own.credential} reader ${reader}`,
    mark: link.mark,
    async json<T>(request: KubeRequest): Promise<T> {
      const { limit = 0, continue: token } = request.query ?? {};
      const page = `&limit=${limit}${token === undefined ? '' : `&continue=${encodeURIComponent(token)}`}`;
      const { status, body } = await link
        .json(ask('/lists') + page, request.signal)
        .catch((error: unknown) => rethrow(error, request.signal));
      if (status !== 200) throw refusal(status);
      // A page of a list, as the caller asks for.
      return body as T;
    },
    async stream(request: KubeRequest): Promise<KubeStream> {
      const version = encodeURIComponent(String(request.query?.['resourceVersion'] ?? ''));
      const answer = await link
        .request(`${ask('/watches')}&version=${version}`, request.signal)
        .catch((error: unknown) => rethrow(error, request.signal));
      if (answer.status === 200) return streamOf(answer);
      answer.stream.destroy();
      throw refusal(answer.status);
    },
    close: async () => undefined,
  };
}

function refusal(status: number): ClusterProblem {
  const title = 'The server that reads this list does not have it at present.';
  return new ClusterProblem({ status: 502, title }, { status: status === 410 ? 410 : undefined });
}

function rethrow(error: unknown, signal: AbortSignal | undefined): never {
  if (signal?.aborted === true) throw error;
  throw broken(error);
}

/** A failure of the link, as lists take it. */
function broken(error: unknown): Error {
  if (error instanceof SilentPeer) return new SilentWatch(error.heardAt, true);
  const title = 'The connection to the server that reads this list was lost.';
  return new ClusterProblem({ status: 502, title }, {}, { cause: error });
}

function streamOf({ stream }: PeerAnswer): KubeStream {
  return {
    lines: splitLines(stream as AsyncIterable<Uint8Array>, reflectorLimits.line),
    each(onLine) {
      const splitter = createLineSplitter(reflectorLimits.line);
      return new Promise((resolve, reject) => {
        finished(stream, { writable: false }, (error) => {
          if (error == null) resolve();
          else reject(broken(error));
        });
        stream.on('data', (chunk: Uint8Array) => {
          try {
            for (const line of splitter.push(chunk)) onLine(line);
          } catch (error) {
            stream.destroy(error as Error);
          }
        });
      });
    },
    close: () => stream.destroy(),
  };
}

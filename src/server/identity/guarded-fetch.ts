import { buildConnector, Agent, fetch as undiciFetch } from 'undici';
import { type AddressGuard, createGuardedConnector } from '../clusters/address.ts';

/** No answer of a provider is longer, bytes: configuration, keys, tokens and claims. */
const maxAnswerLength = 1024 * 1024;
const connectTimeout = 5_000;

/** As `fetch`, of the part that is used here. */
export type Fetch = (url: string, options: RequestInit) => Promise<Response>;

/**
 * Connections that go through the address guard.
 * @param trusted an origin that is dialled as it is written: what the operator put into the environment
 * @param guardOfTrusted judges connections to the trusted origin, in place of nothing
 */
export function createGuardedAgent(guard: AddressGuard, trusted?: URL, guardOfTrusted?: AddressGuard): Agent {
  const options = { timeout: connectTimeout };
  const guarded = createGuardedConnector(options, guard);
  const plain =
    guardOfTrusted === undefined ? buildConnector(options) : createGuardedConnector(options, guardOfTrusted);
  const portOf = (port: string, protocol: string) => port || (protocol === 'https:' ? '443' : '80');
  const isTrusted = ({ hostname, port, protocol }: buildConnector.Options) =>
    trusted !== undefined &&
    hostname === trusted.hostname &&
    protocol === trusted.protocol &&
    portOf(port, protocol) === portOf(trusted.port, trusted.protocol);
  return new Agent({
    connect: (target, callback) => (isTrusted(target) ? plain : guarded)(target, callback),
    // Sign-ins are rare: a connection that lies idle would be closed by the provider at any moment.
    pipelining: 0,
  });
}

/**
 * A `fetch` whose connections go through the address guard, that follows no redirects, and that takes no answer above 1
 * MB. Throws AddressRefused (as a cause) for an address that must not be dialled.
 * @param parameters as `createGuardedAgent` has them
 */
export function createGuardedFetch(...parameters: Parameters<typeof createGuardedAgent>): Fetch {
  const dispatcher = createGuardedAgent(...parameters);
  return async (url, init) => {
    const answer = await undiciFetch(url, {
      // Node's own types are of another version of undici than the one that fetches.
      ...(init as unknown as Parameters<typeof undiciFetch>[1]),
      redirect: 'manual',
      dispatcher,
    });
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of answer.body ?? []) {
      length += chunk.byteLength;
      if (length > maxAnswerLength) throw new Error('The answer is longer than 1 MB.');
      chunks.push(chunk);
    }
    const body = [204, 205, 304].includes(answer.status) ? null : Buffer.concat(chunks);
    return new Response(body, { status: answer.status, headers: [...answer.headers] });
  };
}

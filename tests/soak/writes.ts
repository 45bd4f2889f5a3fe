import { setTimeout as wait } from 'node:timers/promises';
import type { OriginClient } from './origin-client.ts';
import type { Received } from '../server/webhooks/receiver.ts';

/** How often something is written, ms. Of one type a webhook gets 60 messages in 10 minutes, and then summaries. */
const pauses = { team: 500, restart: 12_000 } as const;
/** A call that is not answered in this time is given up, ms; it may have been done all the same. */
const patience = 5_000;

/** What is written through the round-robin, and which of it was acknowledged. */
export class Writes {
  /** Names of teams whose creation was answered with success. */
  readonly teams: string[] = [];
  /** Restarts of deployments that were answered with success. */
  restarts = 0;
  /** Restarts that were asked for. */
  asked = 0;
  /** Calls without a success. */
  failures = 0;
  readonly #owner: OriginClient;
  readonly #clusterId: number;
  readonly #deployments: readonly { readonly namespace: string; readonly name: string }[];

  constructor(
    owner: OriginClient,
    clusterId: number,
    deployments: readonly { readonly namespace: string; readonly name: string }[],
  ) {
    this.#owner = owner;
    this.#clusterId = clusterId;
    this.#deployments = deployments;
  }

  /** Writes until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#makeTeams(signal), this.#restart(signal)]);
  }

  async #makeTeams(signal: AbortSignal): Promise<void> {
    for (let index = 1; !signal.aborted; index += 1) {
      const name = `soak ${index}`;
      if (await this.#isDone(this.#owner.call('createTeam', { body: { name } }))) this.teams.push(name);
      await wait(pauses.team, undefined, { signal }).catch(() => undefined);
    }
  }

  async #restart(signal: AbortSignal): Promise<void> {
    for (let index = 0; !signal.aborted; index += 1) {
      const one = this.#deployments[index % this.#deployments.length];
      if (one === undefined) throw new Error('The cluster has no deployments.');
      this.asked += 1;
      const call = this.#owner.call('runAction', {
        params: { clusterId: this.#clusterId, actionId: 'deployment.restart' },
        body: { refs: [{ kind: 'deployment', ...one }] },
      });
      if (await this.#isDone(call, ({ outcomes }) => outcomes[0]?.ok === true)) this.restarts += 1;
      await wait(pauses.restart, undefined, { signal }).catch(() => undefined);
    }
  }

  async #isDone<T>(call: Promise<T>, isGood: (answer: T) => boolean = () => true): Promise<boolean> {
    const failed = call.then(
      (answer) => isGood(answer),
      () => false,
    );
    const isDone = await Promise.race([failed, wait(patience, false)]);
    if (!isDone) this.failures += 1;
    return isDone;
  }
}

/** What a receiver of webhooks counts. */
export interface DeliveryCounts {
  /** Messages by id. */
  readonly ids: number;
  /** Messages that tell of something that another id told of already. */
  readonly doubles: readonly string[];
  /** Times (epoch ms) at which an id came again, which receivers recognise. */
  readonly repeats: readonly number[];
}

/** Counts what came to one webhook: something that happened has one id, whoever sent it. */
export function countDeliveries(received: readonly Received[]): DeliveryCounts {
  const bodies = new Map<string, string>();
  const idOf = new Map<string, string>();
  const doubles: string[] = [];
  const repeats: number[] = [];
  for (const { headers, body, at } of received) {
    const id = headers['webhook-id'] ?? '';
    if (bodies.has(id)) {
      repeats.push(at);
      continue;
    }
    bodies.set(id, body);
    const other = idOf.get(body);
    if (other === undefined) idOf.set(body, id);
    else doubles.push(`${id} says what ${other} said`);
  }
  return { ids: bodies.size, doubles, repeats };
}

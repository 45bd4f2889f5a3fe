import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiCall } from '../bench/api.ts';

const podList = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ uid: z.string(), namespace: z.string(), name: z.string() }),
      status: z.optional(z.object({ reason: z.optional(z.string()) })),
    }),
  ),
});

/** Every so many changes one pod is created, and one that was created is deleted. */
const every = { created: 20, deleted: 20 } as const;
/** Changes whose arrival is waited for, at most: on a cluster of many pods some are never seen by themselves. */
const timed = 5_000;

/** A steady stream of changes to the pods of a cluster, which can be held, and what is true meanwhile. */
export class Changes {
  /** From the moment a change was asked for to the moment its row arrived, ms, since they were last taken. */
  #latencies: number[] = [];
  /** Changes that the cluster accepted. */
  made = 0;
  /** Changes whose row came to the page that tells of them. */
  arrived = 0;
  readonly #call: ApiCall;
  readonly #sentAt = new Map<string, number>();
  readonly #pods: { readonly namespace: string; readonly name: string }[] = [];
  readonly #created: string[] = [];
  #namespace = '';
  #index = 0;
  /** How many hold the changes. */
  #holders = 0;
  #isEnded = false;
  readonly #underway = new Set<Promise<unknown>>();
  /** The first change that the cluster refused. */
  #failure: Error | undefined;

  constructor(call: ApiCall) {
    this.#call = call;
  }

  /** Reads the pods to which the changes are made in turn. */
  async prepare(): Promise<void> {
    const { items } = podList.parse(JSON.parse(await this.#call('GET', '/api/v1/pods')));
    this.#pods.push(...items.map(({ metadata: { namespace, name } }) => ({ namespace, name })));
    this.#namespace = this.#pods[0]?.namespace ?? '';
  }

  /** Makes changes until `end`. Throws where the cluster refuses one. @param rate changes per second */
  async run(rate: number): Promise<void> {
    let due = performance.now();
    while (!this.#isEnded) {
      due = Math.max(due + 1000 / rate, performance.now() - 1000);
      const ahead = due - performance.now();
      if (ahead > 0) await wait(ahead);
      if (this.#holders > 0) continue;
      if (this.#failure !== undefined) throw this.#failure;
      const change = this.#change()
        .then(() => {
          this.made += 1;
        })
        .catch((error: unknown) => {
          this.#failure ??= error instanceof Error ? error : new Error(String(error));
        })
        .finally(() => this.#underway.delete(change));
      this.#underway.add(change);
      // Never more on their way than a slow cluster can take.
      if (this.#underway.size >= rate) await Promise.race(this.#underway);
    }
    await Promise.all(this.#underway);
  }

  end(): void {
    this.#isEnded = true;
  }

  /** Makes no more changes until everybody who holds them resumes; resolves with the status of each pod by uid, as the cluster has it. */
  async hold(): Promise<ReadonlyMap<string, string | undefined>> {
    this.#holders += 1;
    while (this.#underway.size > 0) await Promise.all(this.#underway);
    const { items } = podList.parse(JSON.parse(await this.#call('GET', '/api/v1/pods')));
    return new Map(items.map(({ metadata, status }) => [metadata.uid, status?.reason]));
  }

  /** Ends one hold. */
  resume(): void {
    this.#holders -= 1;
  }

  /** Notes that a page was sent this status. */
  seen(status: string): void {
    const at = this.#sentAt.get(status);
    if (at === undefined) return;
    this.#sentAt.delete(status);
    this.arrived += 1;
    this.#latencies.push(performance.now() - at);
  }

  /** The latencies since this was last called, ms. */
  takeLatencies(): readonly number[] {
    const taken = this.#latencies;
    this.#latencies = [];
    return taken;
  }

  async #change(): Promise<unknown> {
    this.#index += 1;
    const index = this.#index;
    const pods = `/api/v1/namespaces/${this.#namespace}/pods`;
    if (index % every.created === 0) {
      const name = `soak-${index}`;
      const body = { metadata: { name }, spec: { containers: [{ name: 'app', image: 'soak:1' }] } };
      const answer = await this.#call('POST', pods, body);
      this.#created.push(name);
      return answer;
    }
    if (index % every.deleted === every.deleted / 2) {
      const name = this.#created.shift();
      if (name !== undefined) return await this.#call('DELETE', `${pods}/${name}?gracePeriodSeconds=0`);
    }
    const pod = this.#pods[index % this.#pods.length];
    if (pod === undefined) throw new Error('The cluster has no pods.');
    const reason = `Soak${index}`;
    // The oldest goes: its row was sent with a later change.
    const [oldest] = this.#sentAt.keys();
    if (this.#sentAt.size >= timed && oldest !== undefined) this.#sentAt.delete(oldest);
    this.#sentAt.set(reason, performance.now());
    const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/status`;
    return await this.#call('PATCH', path, { status: { reason } }, 'application/merge-patch+json');
  }
}

/** What a page holds that is not true: a sentence; undefined where everything is as the cluster has it. */
export function differenceOf(
  held: ReadonlyMap<string, string>,
  truth: ReadonlyMap<string, string | undefined>,
): string | undefined {
  for (const [uid, reason] of truth) {
    const status = held.get(uid);
    if (status === undefined) return `a pod is missing (${held.size} of ${truth.size} rows)`;
    if (reason !== undefined && status !== reason) return `a row says ${status} and the cluster ${reason}`;
  }
  const more = held.size - truth.size;
  return more > 0 ? `${more} rows of pods that are gone` : undefined;
}

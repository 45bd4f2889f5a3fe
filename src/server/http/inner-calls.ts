import type { Logger } from 'pino';
import { z } from 'zod';
import { type Api, api } from '../../contract/api.ts';
import type { CallOf, Endpoint, ResponseOf } from '../../contract/endpoint.ts';
import { Problem } from '../../contract/problem.ts';
import { actorOf, type Member } from '../access/person.ts';
import type { Audit } from '../audit/audit.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import { type AllowedCall, type Authorities, authorise } from './guard.ts';
import type { Context, Handler, Handlers } from './handlers.ts';

/** Calls that change nothing. */
export type ReadName = {
  readonly [K in keyof Api]: Api[K] extends { readonly method: 'GET' } | { readonly reads: true } ? K : never;
}[keyof Api];

/** Calls that the server makes for a person of its own accord, as if their page had made them. */
export interface InnerCalls {
  /**
   * Makes a call that only reads, by the grants that the person has at this moment. Throws Problem as the call does, and
   * Problem 400 for what its schemas refuse.
   */
  read<K extends ReadName>(
    person: Member,
    name: K,
    call: CallOf<Api[K]>,
    signal: AbortSignal,
  ): Promise<ResponseOf<Api[K]>>;
  /** The dry run of an action: the cluster judges it and stores nothing; the audit has it. Throws Problem. */
  tryAction(
    person: Member,
    call: CallOf<Api['runAction']>,
    signal: AbortSignal,
  ): Promise<ResponseOf<Api['runAction']>>;
}

/** What inner calls need. */
export interface InnerCallParts extends Authorities {
  readonly handlers: () => Handlers<Api>;
  readonly audit: Pick<Audit, 'begin'>;
  readonly log: Logger;
}

/** Makes calls through the handlers of the API, behind the same guard. */
export class HandlerCalls implements InnerCalls {
  readonly #parts: InnerCallParts;

  constructor(parts: InnerCallParts) {
    this.#parts = parts;
  }

  async read<K extends ReadName>(
    person: Member,
    name: K,
    call: CallOf<Api[K]>,
    signal: AbortSignal,
  ): Promise<ResponseOf<Api[K]>> {
    const endpoint: Endpoint = api[name];
    if ((endpoint.method !== 'GET' && endpoint.reads !== true) || endpoint.proof !== undefined)
      throw new Error(`${name} changes something, or needs a confirmed identity.`);
    return (await this.#make(person, name, call as object, signal)) as ResponseOf<Api[K]>;
  }

  async tryAction(
    person: Member,
    call: CallOf<Api['runAction']>,
    signal: AbortSignal,
  ): Promise<ResponseOf<Api['runAction']>> {
    const { actionId, clusterId } = call.params;
    const row = await this.#parts.audit.begin({
      companyId: person.companyId,
      userId: person.id,
      actor: actorOf(person),
      action: actionId,
      clusterId: Number(clusterId),
      subject: { dryRun: true, by: 'chat', objects: call.body.refs.length },
      address: '',
      requestId: 'chat',
    });
    try {
      const dry = { ...call, body: { ...call.body, dryRun: true } };
      const answer = (await this.#make(person, 'runAction', dry, signal)) as ResponseOf<Api['runAction']>;
      await row.finish(200);
      return answer;
    } catch (error) {
      await row.finish(error instanceof Problem ? error.status : 500);
      throw error;
    }
  }

  async #make(person: Member, name: keyof Api, call: object, signal: AbortSignal): Promise<unknown> {
    const endpoint: Endpoint = api[name];
    const given = call as { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown };
    const request = {
      params: parse(endpoint.params ?? z.object({}), given.params ?? {}),
      query: parse(endpoint.query ?? z.object({}), given.query ?? {}),
      body: endpoint.body === undefined ? undefined : parse(endpoint.body, given.body),
    };
    // As in a path: the guard reads texts.
    const texts = Object.fromEntries(
      Object.entries(given.params ?? {}).map(([key, value]) => [key, String(value)]),
    );
    const asked = {
      person,
      access: endpoint.access,
      url: endpoint.path,
      params: texts,
      query: (given.query ?? {}) as Readonly<Record<string, unknown>>,
    };
    return await onBehalfOf(person.id, async () => {
      const allowed = await authorise(asked, this.#parts);
      signal.throwIfAborted();
      // The table pairs every endpoint with a handler of its own types; a name that varies cannot say so.
      const handler = this.#parts.handlers()[name] as unknown as Handler<Endpoint>;
      return await handler(request, this.#contextOf(person, allowed, signal));
    });
  }

  #contextOf(person: Member, { cluster, kind }: AllowedCall, signal: AbortSignal): Context {
    const nothing = () => {};
    const unavailable = (): never => {
      throw new Error('An inner call has neither session nor answer of its own.');
    };
    return {
      // The guard let the call in by the endpoint's access, which is what these types follow.
      person,
      cluster: cluster as Context['cluster'],
      kind: kind as Context['kind'],
      log: this.#parts.log,
      requestId: 'inner',
      address: '',
      signal,
      proveAct: unavailable,
      audit: {
        begin: async () => {},
        subject: nothing,
        record: async () => {},
        enter: async () => {},
        changed: nothing,
        actor: nothing,
      },
      session: { start: unavailable, end: unavailable },
      device: { value: undefined, set: unavailable },
      signInBrowser: { value: undefined, set: unavailable },
      isSentByOthers: false,
      origin: '',
      redirect: unavailable,
      sendFile: unavailable,
    };
  }
}

function parse(schema: unknown, value: unknown): unknown {
  const result = (schema as z.ZodType).safeParse(value);
  if (result.success) return result.data;
  const [first] = result.error.issues;
  throw new Problem({
    status: 400,
    title: `${first?.path.join('.') ?? 'The call'}: ${first?.message ?? 'it is not valid.'}`,
  });
}

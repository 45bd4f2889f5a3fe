import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Endpoint, tokenUseOf } from '../../contract/endpoint.ts';
import { Problem } from '../../contract/problem.ts';
import { hasLongList, stringifyInSteps } from '../kit/json-steps.ts';
import { actorOf, type Person } from '../access/person.ts';
import type { RequireActProof } from '../passkeys/act-proof.ts';
import type { Sessions } from '../access/sessions.ts';
import type { Audit, AuditChanges, AuditEntry, AuditSubject, OpenAuditRow } from '../audit/audit.ts';
import { describeError } from '../kit/describe-error.ts';
import { eachInTurn, inSteps } from '../kit/turns.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import type { DeviceCookie, SessionCookies } from './cookies.ts';
import { descriptionOf, problemResponses } from './description.ts';
import { callerFailure, toProblem } from './errors.ts';
import { isUnsafe } from './guard.ts';
import { isSentByOthers, type Origins } from './origins.ts';
import type { Context, Handler, Handlers, SessionControl } from './handlers.ts';

/** Maximum size of a body from somebody who may be signed out, bytes: a form, or the answer of a passkey. */
const publicBodyLimit = 16 * 1024;

/** Inputs that mounted endpoints share. */
export interface MountParts {
  readonly audit: Audit;
  readonly sessions: Sessions;
  readonly cookies: SessionCookies;
  readonly device: DeviceCookie;
  readonly signInBrowser: DeviceCookie;
  readonly origins: Pick<Origins, 'originOf'>;
  /** Throws Problem 403 unless the person confirmed their identity recently. */
  readonly requireProof: (person: Person) => Promise<void>;
  readonly requireActProof: RequireActProof;
}

/** Mounts a table of endpoints: schemas, limits, audit and the handlers, behind the guard. */
export function mountEndpoints<T extends Readonly<Record<string, Endpoint>>>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T>,
  parts: MountParts,
): void {
  for (const [name, endpoint] of Object.entries(table)) {
    // The table pairs every endpoint with a handler of its own types; a loop over it cannot say so.
    app.route(routeOf(name, endpoint, handlers[name] as unknown as Handler<Endpoint>, parts));
  }
}

function routeOf(
  name: string,
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
  parts: MountParts,
): RouteOptions {
  const { access, perMinute } = endpoint;
  const bodyLimit = endpoint.bodyLimit ?? (access === 'public' ? publicBodyLimit : undefined);
  const hasAnswer = endpoint.response !== undefined || endpoint.download === true;
  const status = endpoint.status ?? (hasAnswer ? 200 : 204);
  // Browsers may be sent here with parameters of others; calls have exactly theirs.
  const query = endpoint.query ?? z.object({});
  return {
    method: endpoint.method,
    url: endpoint.path,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: {
      access,
      tokens: tokenUseOf(endpoint),
      sameOriginOnly: endpoint.changes === true,
      reads: endpoint.reads === true,
      ...(endpoint.supersededBy === undefined ? {} : { supersededBy: endpoint.supersededBy }),
      ...(perMinute === undefined ? {} : { rateLimit: { max: perMinute, timeWindow: 60_000 } }),
    },
    schema: {
      ...descriptionOf(name, endpoint),
      querystring: endpoint.navigation === true ? query : z.strictObject(query.shape),
      ...(endpoint.params === undefined ? {} : { params: endpoint.params }),
      ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
      response: {
        [endpoint.navigation === true ? 302 : status]:
          endpoint.response ?? (endpoint.download === true ? z.string() : z.null()),
        ...problemResponses,
      },
    },
    handler: async (request, reply) => {
      if (endpoint.body === undefined) refuseBody(request);
      const call = { params: request.params, query: request.query, body: request.body };
      const facts: AuditFacts = {
        subject: { ...(endpoint.params === undefined ? {} : (request.params as AuditSubject)) },
      };
      const actor = endpoint.entrance === true ? undefined : request.person;
      const begin: Audited['begin'] = async ({ action = name, isEntrance = false } = {}) => {
        const companyId = actor?.companyId ?? null;
        if (companyId !== null && !isEntrance)
          facts.subject = {
            ...facts.subject,
            ...(await parts.audit.names(companyId, { ...Object(request.body), ...facts.subject })),
          };
        return await parts.audit.begin({
          ...entryOf(action, request, isEntrance ? undefined : actor, facts.subject),
          ...(endpoint.moves === true ? { companyId: null } : {}),
        });
      };
      const audited: Audited = { facts, begin, row: undefined };
      const isAudited = isUnsafe(endpoint.method) && endpoint.reads !== true && endpoint.own !== true;
      if (isAudited && endpoint.braked !== true) audited.row = await begin();
      const context = contextOf(request, reply, audited, parts);
      const finish = async (outcome: number) =>
        await audited.row?.finish(outcome, {
          subject: facts.subject,
          ...clusterOf(facts.subject),
          ...(facts.changes === undefined ? {} : { changes: facts.changes }),
          ...(endpoint.moves === true && actor !== undefined ? { companyId: actor.companyId } : {}),
          ...facts.actor,
        });
      let answer: unknown;
      try {
        const { person } = request;
        // After the body was checked: nobody is asked for a password to read that their form is wrong.
        if (endpoint.proof === 'recent' && person !== undefined) await parts.requireProof(person);
        if (endpoint.proof === 'act') await context.proveAct();
        const handle = async () => await handler(call, context);
        answer = await (person === undefined ? handle() : onBehalfOf(person.id, handle));
      } catch (failure) {
        const error = callerFailure(failure, context.signal);
        await finish(toProblem(error, request.id).status);
        // A file that began cannot become a problem: it ends where it is.
        if (reply.sent) return reply;
        throw error;
      }
      await finish(status);
      if (reply.sent) return reply;
      reply.status(status).header('cache-control', 'no-store');
      if (endpoint.response === undefined) return await reply.send();
      const bytes = await longAnswer(endpoint.response, answer, context.signal);
      if (bytes === undefined) return answer;
      return await reply.type('application/json; charset=utf-8').send(bytes);
    },
  };
}

/**
 * The JSON of an answer with a long list, which is written in steps; undefined for others, and for what is not as the
 * contract says, which the serializer refuses.
 */
async function longAnswer(
  schema: NonNullable<Endpoint['response']>,
  answer: unknown,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (!hasLongList(answer)) return undefined;
  const encoded = z.safeEncode(schema, answer);
  if (!encoded.success || !hasLongList(encoded.data)) return undefined;
  return await inSteps(stringifyInSteps(encoded.data), signal);
}

/** Facts from handlers for the audit row of a call. */
interface AuditFacts {
  subject: AuditSubject;
  changes?: AuditChanges;
  actor?: Partial<AuditEntry>;
}

/**
 * The audit of a call: its row exists from the start if the call changes something, otherwise once a handler asks for
 * it.
 */
interface Audited {
  readonly facts: AuditFacts;
  /** @param as the action, if not the call's own; an entrance is begun by somebody signed out */
  readonly begin: (as?: { readonly action?: string; readonly isEntrance?: boolean }) => Promise<OpenAuditRow>;
  row: OpenAuditRow | undefined;
}

function contextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  audited: Audited,
  parts: MountParts,
): Context {
  const { facts } = audited;
  const away = new AbortController();
  reply.raw.on('close', () => {
    if (!reply.raw.writableFinished) away.abort();
  });
  const { superseded } = request;
  return {
    // The guard let the request in by the endpoint's access, which is what these types follow.
    person: request.person as Context['person'],
    cluster: request.cluster as Context['cluster'],
    kind: request.kind as Context['kind'],
    log: request.log as Logger,
    requestId: request.id,
    address: request.ip,
    signal: superseded === undefined ? away.signal : AbortSignal.any([away.signal, superseded]),
    proveAct: async () => {
      const { person, cluster } = request;
      if (person === undefined || cluster === undefined)
        throw new Error('An act is somebody’s, on a cluster.');
      await parts.requireActProof({ person, cluster, origin: parts.origins.originOf(request.host) });
    },
    audit: {
      begin: async () => {
        audited.row ??= await audited.begin();
      },
      subject: (more) => {
        facts.subject = { ...facts.subject, ...more };
      },
      record: async (action, more) => {
        facts.subject = { ...facts.subject, ...more };
        if (audited.row === undefined) audited.row = await audited.begin({ action });
        else await audited.row.describe({ action, subject: facts.subject });
      },
      enter: async (action, more) => {
        facts.subject = { ...facts.subject, ...more };
        audited.row ??= await audited.begin({ action, isEntrance: true });
      },
      changed: (before, after) => {
        const different = Object.keys(after).filter((name) => before[name] !== after[name]);
        if (different.length === 0) return;
        facts.changes = Object.fromEntries(
          different.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
        );
      },
      actor: ({ id, companyId, email }) => {
        // The words stay with the person, also where they come by an API token.
        const { person } = request;
        facts.actor = { userId: id, companyId, actor: person?.id === id ? actorOf(person) : email };
      },
    },
    session: sessionOf(request, reply, parts),
    device: {
      value: parts.device.read(request),
      set: (value) => parts.device.set(reply, value),
    },
    signInBrowser: {
      value: parts.signInBrowser.read(request),
      set: (value) => parts.signInBrowser.set(reply, value),
    },
    isSentByOthers: isSentByOthers(request.headers),
    origin: parts.origins.originOf(request.host),
    redirect: (path) => {
      reply.header('cache-control', 'no-store').redirect(headerAddress(path), 302);
    },
    sendFile: async ({ name, type, chunks }) => {
      const parts = request.turn === undefined ? chunks : eachInTurn(request.turn, chunks);
      const file = Readable.from(parts, { objectMode: false });
      reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${name}"`)
        .type(type)
        .send(file);
      try {
        await finished(file);
      } catch (error) {
        if (away.signal.aborted)
          throw new Problem({ status: 499, title: 'The caller disconnected before the file was complete.' });
        request.log.error({ err: describeError(error) }, 'A file was cut short');
        throw error;
      }
    },
  };
}

/** An address as a header carries it: only what is neither visible nor ASCII is encoded, so `%` stays as it is. */
function headerAddress(address: string): string {
  return address.replace(/[^!-~]+/gu, encodeURIComponent);
}

function sessionOf(request: FastifyRequest, reply: FastifyReply, parts: MountParts): SessionControl {
  const { sessions, cookies } = parts;
  return {
    async start(userId, binding) {
      const token = await sessions.start(userId, {
        ...binding,
        before: request.sessionToken,
        userAgent: request.headers['user-agent'] ?? '',
        address: request.ip,
      });
      if (request.sessionToken !== undefined) await sessions.end(request.sessionToken);
      cookies.set(reply, token);
    },
    async end() {
      cookies.clear(reply);
      if (request.sessionToken !== undefined) await sessions.end(request.sessionToken);
    },
  };
}

function entryOf(
  action: string,
  request: FastifyRequest,
  person: FastifyRequest['person'],
  subject: AuditSubject,
): AuditEntry {
  return {
    companyId: person?.companyId ?? null,
    userId: person?.id ?? null,
    actor: person === undefined ? 'signed out' : actorOf(person),
    action,
    clusterId: request.cluster?.id ?? null,
    subject,
    address: request.ip,
    requestId: request.id,
  };
}

/** The cluster that a handler named after the fact (one just added). */
function clusterOf(subject: AuditSubject): Partial<AuditEntry> {
  return typeof subject.clusterId === 'number' ? { clusterId: subject.clusterId } : {};
}

/** A body that no handler reads is refused, never ignored. */
function refuseBody(request: FastifyRequest): void {
  const { body } = request;
  if (body === undefined || body === null) return;
  if (typeof body === 'object' && Object.keys(body).length === 0) return;
  throw new Problem({ status: 400, title: 'This call takes no body.' });
}

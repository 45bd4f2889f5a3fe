import { clusterSeconds } from '../clusters/cluster-clock.ts';
import { hasLongNumbers, parseExactJson } from '../../kube/exact-json.ts';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import cookie from '@fastify/cookie';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type Api, api } from '../../contract/api.ts';
import { AccountNotices } from '../notifications/account-notices.ts';
import { SharedRates } from '../access/rates.ts';
import { createSessions } from '../access/sessions.ts';
import { createThrottle } from '../access/throttle.ts';
import { createTriesRetention } from '../audit/retention.ts';
import { type Audit, createAudit } from '../audit/audit.ts';
import { groupPlacesExpiry } from '../organisation/group-places.ts';
import { accessRequestLapse, temporaryAccessExpiry } from '../organisation/access-expiry.ts';
import { Expiry } from '../organisation/expiry.ts';
import { AuditUpkeep } from '../audit/upkeep.ts';
import { BearerCheck, callerDigest } from '../http/bearer.ts';
import {
  createDeviceCookie,
  createSessionCookies,
  createSignInCookie,
  type SessionCookies,
} from '../http/cookies.ts';
import { installDocs, installOpenApi } from '../http/docs.ts';
import { answerClientError, answerProblem, bareHeaders, installErrorHandler } from '../http/errors.ts';
import { installChat } from '../http/chat.ts';
import { HandlerCalls } from '../http/inner-calls.ts';
import { type Chat, createChat } from '../chat/chat.ts';
import { callLimits, FairShare, resumeCall } from '../http/fair-share.ts';
import { createFirstRead } from '../http/first-read.ts';
import { installGuard } from '../http/guard.ts';
import type { Handlers } from '../http/handlers.ts';
import { Providers } from '../identity/providers.ts';
import { createActProof } from '../passkeys/act-proof.ts';
import { createProofCheck } from '../passkeys/proof.ts';
import { installHeaders, openForGoogle } from '../http/headers.ts';
import { installHealth } from '../http/health.ts';
import { installLive } from '../http/live.ts';
import { installLogs } from '../http/logs.ts';
import { installMetrics } from '../http/metrics.ts';
import { installOverload } from '../http/overload.ts';
import { mountEndpoints } from '../http/mount.ts';
import { createOrigins, type Origins } from '../http/origins.ts';
import { type GooglePage, installPage } from '../http/page.ts';
import { createProxyTrust, installProxyHint } from '../http/proxies.ts';
import { installRates } from '../http/rates.ts';
import { installSuccessions } from '../http/successions.ts';
import { installTraces } from '../http/traces.ts';
import { installRequestLog } from '../http/request-log.ts';
import { installReplays } from '../http/recordings.ts';
import { installShells } from '../http/shells.ts';
import { installUpgrades } from '../http/upgrades.ts';
import { Logs } from '../logs/logs.ts';
import { createResumeJob } from '../actions/resume-job.ts';
import { StoredJobs } from '../jobs/jobs.ts';
import { PlanLimits } from '../plans/limits.ts';
import { installBackground } from './background.ts';
import { systemClock } from '../kit/clock.ts';
import type { ShareLimits } from '../kit/shares.ts';
import { UsageHistories } from '../prometheus/histories.ts';
import { createManifestParser } from '../manifests/parser.ts';
import { readObject } from '../objects/read-object.ts';
import { dropOldRecordings, dropOrphanedParts } from '../recordings/expiry.ts';
import { apiHandlers } from '../routes/areas.ts';
import type { Services } from '../http/services.ts';

/** Body limit of calls that name none, in bytes. */
export const bodyLimit = 64 * 1024;
/** Calls are refused while the event loop is late by more than this, ms, until it has caught up. */
const maxDelay = 3_000;

/** Rights that end at a time which stands in the store. */
const expiringRights = [temporaryAccessExpiry, accessRequestLapse, groupPlacesExpiry];

/** Bodies and answers are checked by the contract. */
function installSchemas(app: FastifyInstance): void {
  // The contract is written with zod/mini, which has no sentences of its own.
  z.config(z.locales.en());
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // Forms and plain text are what other sites can send without asking.
  app.removeContentTypeParser('text/plain');
  // Whole numbers of objects come as they were written.
  const parseSafely = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    void resumeCall(request, () => {
      void parseSafely(request, text, (error, value) => {
        if (error !== null || !hasLongNumbers(text)) done(error, value);
        else done(null, parseExactJson(text));
      });
    });
  });
}

/** Options of the HTTP server that are the same everywhere; times in ms. */
const serverOptions = {
  bodyLimit,
  requestTimeout: 120_000,
  // Calls that still come while it closes are answered: whoever sent them had not heard yet that it is unready.
  return503OnClosing: false,
  // On a machine that is short of processors a start takes long; one that gave up would begin all of it anew.
  pluginTimeout: 60_000,
  routerOptions: { maxParamLength: 1024 },
} as const;

/**
 * The API host: every call of the contract, the live socket, the page, and what operators ask. It listens and closes
 * like any fastify app; `drain()` makes it unready first. Closing it closes the hub, nothing else of the services.
 * @param now the time in ms, for sessions and throttling
 * @param overloadedAt how late the event loop may be before calls are turned away, ms; 0: never
 * @param callShares how many calls are worked on at a time, and how many may wait
 */
export function createApp(
  services: Services,
  now: () => number = Date.now,
  overloadedAt = maxDelay,
  callShares: ShareLimits = callLimits,
): FastifyInstance {
  const { config, store, grants } = services;
  // Named with fastify's own type: with pino's, every part would have to carry it as a type parameter.
  const log: FastifyBaseLogger = services.log;
  const isTrusted = createProxyTrust(config.trustedProxies);
  const app = createServer(log, isTrusted);
  installSchemas(app);

  const origins = createOrigins(config, () => portOf(app) ?? config.port);
  const sessions = createSessions(store, now);
  const cookies = createSessionCookies(origins.isSecure, origins.place);
  const audit = createAudit(store, services.log, createTriesRetention(store, services.log, now));
  const rates = new SharedRates(services);
  installUpkeep(app, services, rates);
  const device = createDeviceCookie(origins.isSecure, origins.place);
  const signInBrowser = createSignInCookie(origins.isSecure, origins.place);
  const carriers = { cookies, device, signInBrowser };
  const throttle = createThrottle(store, services.log, now);
  const { kinds } = services.hub;
  const parser = createManifestParser();
  app.addHook('onClose', () => parser.close());
  const origin = () => publicOrigin(config, portOf(app));
  const limits = new PlanLimits(config.billing, now);
  const { mailer, webhooks, selling } = installBackground(app, services, { now, origin, limits });
  const resume = createResumeJob({ ...services, db: store.db, kinds });
  const jobs = new StoredJobs({ ...services, resume });
  const histories = new UsageHistories({ ...services, now });
  const chat = createChatOf(app, services, { audit, handlers: () => handlers });
  const providers = new Providers({ ...services, installation: config.providers });
  const proofs = {
    requireProof: createProofCheck(store.db, providers, now),
    requireActProof: createActProof(store.db, now),
  };
  const notices = new AccountNotices({ store, mailer, rates });
  const handlers: Handlers<Api> = apiHandlers({
    ...services,
    requireProof: proofs.requireProof,
    clock: systemClock,
    billing: selling?.billing,
    now,
    origin,
    sessions,
    throttle,
    providers,
    notices,
    mailer,
    webhooks,
    limits,
    kinds,
    parser,
    jobs,
    histories,
    chat,
  });

  // At once: another server goes on with them meanwhile.
  app.addHook('preClose', () => jobs.close());
  installErrorHandler(app);
  const plugins = async (root: FastifyInstance) => {
    installRequestLog(root);
    installTraces(root, services.tracer);
    installProxyHint(root, isTrusted);
    await installHeaders(root, origins, config.billing !== null, config.hasSecureSubdomains);
    await root.register(cookie);
    installOverload(root, overloadedAt);
    installCallOrder(root, cookies, callShares);
    const bearers = new BearerCheck(store.db, throttle, now);
    installGuard(root, { origins, sessions, bearers, cookies, grants, kinds, db: store.db });
    await installRates(root, rates);
    await installOpenApi(root, services.build);
    mountEndpoints(root, api, handlers, { ...carriers, ...proofs, audit, sessions, origins });
    installSockets(root, services, audit, { ...proofs, origins });
    installChat(root, services, chat.reading);
    installDocs(root, cookies.name);
    selling?.installRoutes(root, origins);
    installHealth(root, store);
    installMetrics(root, services);
    const facts = { build: services.build, hasHelp: services.config.helpUrl !== null };
    const readFirst = createFirstRead({ sessions, cookies, hub: services.hub, log: services.log });
    await installPage(root, services.pageDir, facts, readFirst, googlePage(config, cookies, origins));
  };
  // Hooks and decorators belong to the whole app, not to an encapsulated part of it.
  app.register(Object.assign(plugins, { [Symbol.for('skip-override')]: true }));
  return app;
}

/** The server before it answers anything. */
function createServer(
  log: FastifyBaseLogger,
  isTrusted: ReturnType<typeof createProxyTrust>,
): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: answerClientError,
    genReqId: () => randomBytes(9).toString('base64url'),
    trustProxy: isTrusted,
    ...serverOptions,
    frameworkErrors: (error, request, reply) => {
      void answerProblem(error, request, reply.headers(bareHeaders));
    },
  });
}

/** The order in which calls are worked on, and which of them a later one takes the place of. */
function installCallOrder(
  root: FastifyInstance,
  cookies: ReturnType<typeof createSessionCookies>,
  limits: ShareLimits,
): void {
  const callerOf = (request: FastifyRequest) => callerDigest(request, cookies);
  installSuccessions(root, callerOf);
  new FairShare(limits).install(root, callerOf);
}

/** What is answered over sockets. */
function installSockets(
  root: FastifyInstance,
  services: Services,
  audit: Audit,
  acts: Parameters<typeof installShells>[4],
): void {
  const upgrades = installUpgrades(root, services.log);
  installLive(root, services, upgrades);
  installLogs(root, services, upgrades);
  installShells(root, services, upgrades, audit, acts);
  installReplays(root, services, upgrades, audit);
}

/** The chat, whose answers make calls of the API for people; they end with the app. */
function createChatOf(
  app: FastifyInstance,
  services: Services,
  parts: { readonly audit: Audit; readonly handlers: () => Handlers<Api> },
): Chat {
  const { config, grants, hub, store, log } = services;
  const { kinds } = hub;
  const calls = new HandlerCalls({ ...parts, grants, kinds, db: store.db, log });
  const logs = new Logs(services);
  const chat = createChat({
    ...services,
    ai: config.ai,
    modelPolicy: config.modelPolicy,
    kinds,
    clock: systemClock,
    read: (person, name, call, signal) => calls.read(person, name, call, signal),
    tryAction: async (person, clusterId, { action, refs, args }, signal) => {
      const call = { params: { clusterId, actionId: action }, body: { refs: [...refs], args: { ...args } } };
      return (await calls.tryAction(person, call, signal)).outcomes;
    },
    readLog: async ({ person, signal }, cluster, asked) =>
      await logs.lastLines(asked, { person, cluster }, signal),
    timeOf: async (cluster) => clusterSeconds(systemClock, await services.clusters.transport(cluster.id)),
    readManagedFields: async (cluster, kind, ref, signal) => {
      const transport = await services.clusters.transport(cluster.id);
      const { metadata } = await readObject(transport, kind, ref, { cluster: cluster.name, signal });
      return metadata?.managedFields;
    },
  });
  app.addHook('onClose', async () => {
    await chat.answers.close();
    await logs.close();
  });
  return chat;
}

/** What is done in the background as long as the app runs: closing the audit, dropping what is old, ending access. */
function installUpkeep(
  app: FastifyInstance,
  { store, log }: Pick<Services, 'store' | 'log'>,
  rates: SharedRates,
): void {
  const upkeep = new AuditUpkeep({
    store,
    log,
    clock: systemClock,
    dropMore: (...asked) => dropOldRecordings(store, ...asked),
    dropLeft: [(isStopped) => rates.dropEnded(isStopped), (isStopped) => dropOrphanedParts(store, isStopped)],
  });
  const expiry = new Expiry({ store, log, clock: systemClock, sorts: expiringRights });
  for (const one of [upkeep, expiry]) {
    app.addHook('onReady', () => one.start());
    app.addHook('onClose', () => one.close());
  }
}

/** How the sign-in page loads Google's script; undefined where Google is not configured. */
function googlePage(
  { providers, billing }: Pick<Services['config'], 'providers' | 'billing'>,
  cookies: SessionCookies,
  origins: Origins,
): GooglePage | undefined {
  const google = providers.find(({ key }) => key === 'google');
  return (
    google && {
      clientId: google.clientId,
      hasSession: (request) => cookies.read(request) !== undefined,
      open: (reply) => openForGoogle(reply, origins, billing !== null),
    }
  );
}

/** The origin at which people open the console, for links in mail. @param port listened on, once it is known */
function publicOrigin(config: Services['config'], port: number | undefined): string {
  if (config.url !== null) return config.url.origin;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port ?? config.port}`;
}

function portOf(app: FastifyInstance): number | undefined {
  const address: AddressInfo | string | null = app.server.address();
  return typeof address === 'object' ? address?.port : undefined;
}

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
import { api } from '../../contract/api.ts';
import { SharedRates } from '../access/rates.ts';
import { type Audit } from '../audit/audit.ts';
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
import { callLimits, FairShare, resumeCall } from '../http/fair-share.ts';
import { createFirstRead } from '../http/first-read.ts';
import { installGuard } from '../http/guard.ts';
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
import type { Clock } from '../kit/clock.ts';
import type { ShareLimits } from '../kit/shares.ts';
import type { Services } from '../http/services.ts';
import { installUpkeep } from './background.ts';
import { installExplanations } from './explanations.ts';
import { installParts } from './parts.ts';

/** Body limit of calls that name none, in bytes. */
export const bodyLimit = 64 * 1024;
/** Calls are refused while the event loop is late by more than this, ms, until it has caught up. */
const maxDelay = 3_000;

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

/** How an app differs from the usual. */
export interface AppOptions {
  /** How late the event loop may be before calls are turned away, ms; 0: never. */
  readonly overloadedAt?: number | undefined;
  /** How many calls are worked on at a time, and how many may wait. */
  readonly callShares?: ShareLimits | undefined;
  /** Of sessions, whose ends the database compares with its own clock: for a console whose time stands still. */
  readonly sessionClock?: Clock | undefined;
}

/**
 * The API host: every call of the contract, the live socket, the page, and what operators ask. It listens and closes
 * like any fastify app; `drain()` makes it unready first. Closing it closes the hub, nothing else of the services.
 */
export function createApp(
  services: Services,
  { overloadedAt = maxDelay, callShares = callLimits, sessionClock = services.clock }: AppOptions = {},
): FastifyInstance {
  const { config, grants, hub, store } = services;
  // Named with fastify's own type: with pino's, every part would have to carry it as a type parameter.
  const log: FastifyBaseLogger = services.log;
  const isTrusted = createProxyTrust(config.trustedProxies);
  const app = createServer(log, isTrusted);
  installSchemas(app);

  const origins = createOrigins(config, () => portOf(app) ?? config.port);
  const cookies = createSessionCookies(origins.isSecure, origins.place);
  const carriers = {
    cookies,
    device: createDeviceCookie(origins.isSecure, origins.place),
    signInBrowser: createSignInCookie(origins.isSecure, origins.place),
  };
  const rates = new SharedRates(services);
  installUpkeep(app, services, rates);
  const parts = installParts(app, services, {
    origin: () => publicOrigin(config, portOf(app)),
    sessionClock,
    rates,
  });
  const { audit, handlers, kinds, sessions, throttle } = parts;

  installErrorHandler(app);
  const plugins = async (root: FastifyInstance) => {
    installRequestLog(root, services.measures);
    installTraces(root, services.tracer);
    installProxyHint(root, isTrusted);
    await installHeaders(root, origins, config.billing !== null, config.hasSecureSubdomains);
    await root.register(cookie);
    installOverload(root, overloadedAt);
    installCallOrder(root, cookies, callShares);
    const bearers = new BearerCheck(store.db, throttle, services.clock);
    installGuard(root, { origins, sessions, bearers, cookies, grants, kinds, db: store.db });
    await installRates(root, rates);
    await installOpenApi(root, services.build);
    mountEndpoints(root, api, handlers, { ...parts, ...carriers, origins });
    installSockets(root, services, audit, { ...parts, origins });
    installChat(root, services, parts.chat.reading);
    installDocs(root, cookies.name);
    parts.selling?.installRoutes(root, origins);
    installHealth(root, store);
    installMetrics(root, services);
    installExplanations(root, services);
    const facts = { build: services.build, hasHelp: config.helpUrl !== null };
    const readFirst = createFirstRead({ sessions, cookies, hub, log: services.log });
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

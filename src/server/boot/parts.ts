import type { FastifyInstance } from 'fastify';
import type { Api } from '../../contract/api.ts';
import type { SharedRates } from '../access/rates.ts';
import { createSessions } from '../access/sessions.ts';
import { createThrottle } from '../access/throttle.ts';
import { createResumeJob } from '../actions/resume-job.ts';
import { type Audit, createAudit } from '../audit/audit.ts';
import { createTriesRetention } from '../audit/retention.ts';
import { type Chat, createChat } from '../chat/chat.ts';
import { clusterSeconds } from '../clusters/cluster-clock.ts';
import type { Handlers } from '../http/handlers.ts';
import { HandlerCalls } from '../http/inner-calls.ts';
import type { Services } from '../http/services.ts';
import { Providers } from '../identity/providers.ts';
import { SignIns } from '../identity/sign-ins.ts';
import { StoredJobs } from '../jobs/jobs.ts';
import type { Clock } from '../kit/clock.ts';
import { Logs } from '../logs/logs.ts';
import { createManifestParser } from '../manifests/parser.ts';
import { AccountNotices } from '../notifications/account-notices.ts';
import { readObject } from '../objects/read-object.ts';
import { whoMay } from '../organisation/who-may.ts';
import { createActProof, type RequireActProof } from '../passkeys/act-proof.ts';
import { createProofCheck } from '../passkeys/proof.ts';
import { PlanLimits } from '../plans/limits.ts';
import { UsageHistories } from '../prometheus/histories.ts';
import { apiHandlers } from '../routes/areas.ts';
import type { RouteParts } from '../routes/parts.ts';
import { installBackground } from './background.ts';
import type { InstalledBilling } from './billing.ts';

/** Parts of a server that are made of its services once: those of the handlers, the handlers, and those around them. */
export interface ServerParts extends RouteParts {
  readonly audit: Audit;
  readonly handlers: Handlers<Api>;
  readonly requireActProof: RequireActProof;
  /** Undefined where the console sells nothing. */
  readonly selling: InstalledBilling | undefined;
}

/** Inputs of the parts besides the services. */
interface PartsInput {
  /** The origin at which people open the console. */
  readonly origin: () => string;
  readonly rates: SharedRates;
  /** Of sessions, whose ends the database compares with its own clock. */
  readonly sessionClock: Clock;
}

/** Makes the parts, and ties those that work by themselves to the life of the app. */
export function installParts(
  app: FastifyInstance,
  services: Services,
  { origin, rates, sessionClock }: PartsInput,
): ServerParts {
  const { clock, config, hub, log, store } = services;
  const { kinds } = hub;
  const { db } = store;
  const audit = createAudit(store, log, createTriesRetention(store, log, clock));
  const parser = createManifestParser();
  app.addHook('onClose', () => parser.close());
  const limits = new PlanLimits(config.billing, clock);
  const { mailer, webhooks, selling } = installBackground(app, services, { origin, limits });
  const jobs = new StoredJobs({ ...services, resume: createResumeJob({ ...services, db, kinds }) });
  const chat = installChatParts(app, services, { audit, handlers: () => handlers });
  const providers = new Providers({ ...services, installation: config.providers });
  const parts: RouteParts = {
    ...services,
    origin,
    sessions: createSessions(store, sessionClock),
    throttle: createThrottle(store, log, clock),
    requireProof: createProofCheck(db, providers, clock),
    providers,
    signIns: new SignIns({ ...services, providers }),
    notices: new AccountNotices({ store, mailer, rates }),
    mailer,
    webhooks,
    billing: selling?.billing,
    limits,
    kinds,
    parser,
    jobs,
    histories: new UsageHistories(services),
    chat,
  };
  const handlers = apiHandlers(parts);
  // At once: another server goes on with them meanwhile.
  app.addHook('preClose', () => jobs.close());
  return { ...parts, audit, handlers, requireActProof: createActProof(db, clock), selling };
}

/** The chat, whose answers make calls of the API for people; they end with the app. */
function installChatParts(
  app: FastifyInstance,
  services: Services,
  parts: { readonly audit: Audit; readonly handlers: () => Handlers<Api> },
): Chat {
  const { clock, clusters, config, grants, hub, store, log } = services;
  const { kinds } = hub;
  const calls = new HandlerCalls({ ...parts, grants, kinds, db: store.db, log });
  const logs = new Logs(services);
  const chat = createChat({
    ...services,
    ai: config.ai,
    modelPolicy: config.modelPolicy,
    kinds,
    read: (person, name, call, signal) => calls.read(person, name, call, signal),
    tryAction: async (person, clusterId, { action, refs, args }, signal) => {
      const call = { params: { clusterId, actionId: action }, body: { refs: [...refs], args: { ...args } } };
      return (await calls.tryAction(person, call, signal)).outcomes;
    },
    readLog: async ({ person, signal }, cluster, asked) =>
      await logs.lastLines(asked, { person, cluster }, signal),
    measureUsage(cluster, name) {
      const live = hub.live(cluster);
      const kind = live.kind(name);
      return kind === undefined ? () => undefined : live.metrics(kind).retain(() => undefined);
    },
    whoMay: (person, asked) => whoMay(services, person, asked),
    timeOf: async (cluster) => clusterSeconds(clock, await clusters.transport(cluster.id)),
    readManagedFields: async (cluster, kind, ref, signal) => {
      const transport = await clusters.transport(cluster.id);
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

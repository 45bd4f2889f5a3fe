import type { FastifyInstance } from 'fastify';
import type { z } from 'zod/mini';
import { logFileRequest, logPath } from '../../contract/log.ts';
import { Problem } from '../../contract/problem.ts';
import { type logFileQuery, streams } from '../../contract/streams.ts';
import { Logs } from '../logs/logs.ts';
import { streamRoute } from './description.ts';
import type { Services } from './services.ts';
import { requireMember } from './guard.ts';
import type { Upgrades } from './upgrades.ts';

/** Logs that one session may follow at a time. */
const logsPerSession = 32;

function fileRequestIn(text: string) {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    found = undefined;
  }
  const { data } = logFileRequest.safeParse(found);
  if (data === undefined) {
    throw new Problem({
      status: 400,
      title: 'The page sent a log request that this console does not understand.',
    });
  }
  return data;
}

/** Sockets and file downloads of logs, for people who may view pods on the cluster. */
export function installLogs(
  app: FastifyInstance,
  services: Pick<Services, 'grants' | 'rights' | 'clusters' | 'hub' | 'log'>,
  upgrades: Upgrades,
): void {
  const logs = new Logs(services);
  const sockets = upgrades.sockets({
    // The route's own path with any word for each parameter.
    place: new RegExp(`^${logPath.replaceAll(/:\w+/g, '[^/]+')}$`),
    perSession: logsPerSession,
    tooMany: `More than ${logsPerSession} logs are open. Close some and try again.`,
  });

  app.route({
    ...streamRoute('followLog', streams.followLog),
    handler: (request, reply) => {
      const { cluster } = request;
      if (cluster === undefined) throw new Problem({ status: 404, title: 'There is no such cluster.' });
      sockets.take(request, reply, (socket, person) => logs.serve(socket, { person, cluster }));
    },
  });

  app.route({
    ...streamRoute('logFile', streams.logFile),
    handler: async (request, reply) => {
      const { cluster, person } = request;
      if (cluster === undefined || person === undefined) {
        throw new Problem({ status: 404, title: 'There is no such cluster.' });
      }
      const asked = fileRequestIn((request.query as z.infer<typeof logFileQuery>).request);
      const away = new AbortController();
      reply.raw.on('close', () => away.abort());
      const file = await logs.file(asked, { person: requireMember(person), cluster }, away.signal);
      return await reply
        .header('content-type', 'text/plain; charset=utf-8')
        // The page names the file after what it is of; a name from here would take its place.
        .header('content-disposition', 'attachment')
        .header('cache-control', 'no-store')
        .send(file);
    },
  });

  app.addHook('preClose', async () => {
    await logs.close();
    sockets.close();
  });
}

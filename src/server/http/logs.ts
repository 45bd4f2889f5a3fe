import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { logParams, logPath, logQuery } from '../../contract/log.ts';
import { Problem } from '../../contract/problem.ts';
import { createLogs } from '../logs/logs.ts';
import type { Services } from '../services.ts';
import type { Upgrades } from './upgrades.ts';

/** Logs that one session may follow at a time. */
const logsPerSession = 32;

/** The sockets of logs, for whoever may see pods on the cluster. */
export function installLogs(
  app: FastifyInstance,
  services: Pick<Services, 'grants' | 'clusters' | 'store' | 'log'>,
  upgrades: Upgrades,
): void {
  const logs = createLogs(services);
  const sockets = upgrades.sockets({
    // The route's own path with any word for each parameter.
    place: new RegExp(`^${logPath.replaceAll(/:\w+/g, '[^/]+')}$`),
    perSession: logsPerSession,
    tooMany: `More than ${logsPerSession} logs are open. Close some and try again.`,
  });

  app.route({
    method: 'GET',
    url: logPath,
    config: { access: { permission: 'pods.view' }, sameOriginOnly: true },
    schema: { hide: true, params: logParams, querystring: logQuery },
    handler: (request, reply) => {
      const { cluster } = request;
      if (cluster === undefined) throw new Problem({ status: 404, title: 'No such cluster.' });
      const { namespace, name } = request.params as z.infer<typeof logParams>;
      const query = request.query as z.infer<typeof logQuery>;
      sockets.take(request, reply, (socket, person) =>
        logs.serve(socket, { person, cluster, namespace, name, query }),
      );
    },
  });

  app.addHook('preClose', async () => {
    await logs.close();
    sockets.close();
  });
}

import type { FastifyInstance } from 'fastify';
import { livePath } from '../../contract/live-socket.ts';
import type { Services } from './services.ts';
import type { Upgrades } from './upgrades.ts';

/** Live sockets that one session may hold open. */
const socketsPerSession = 64;

/** The live socket, handed to the hub, which closes it when the session ends. */
export function installLive(app: FastifyInstance, { hub }: Pick<Services, 'hub'>, upgrades: Upgrades): void {
  const sockets = upgrades.sockets({
    place: new RegExp(`^${livePath}$`),
    perSession: socketsPerSession,
    tooMany: `More than ${socketsPerSession} tabs of this console are open. Close some and try again.`,
  });

  app.route({
    method: 'GET',
    url: livePath,
    config: { access: 'member', sameOriginOnly: true },
    schema: { hide: true },
    handler: (request, reply) =>
      sockets.take(request, reply, (socket, member, wire) => hub.connect(socket, member, wire)),
  });

  app.addHook('preClose', async () => {
    await hub.close();
    sockets.close();
  });
}

import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { Problem } from '../../contract/problem.ts';
import { type shellParams, shellPath, type shellQuery } from '../../contract/shell.ts';
import { streams } from '../../contract/streams.ts';
import type { Audit } from '../audit/audit.ts';
import type { RequireActProof } from '../passkeys/act-proof.ts';
import { streamRoute } from './description.ts';
import type { Origins } from './origins.ts';
import type { Services } from './services.ts';
import { Shells } from '../shells/shells.ts';
import type { Upgrades } from './upgrades.ts';

/** Sockets of one session; what a person may have open is bounded in words on the socket, which a page can show. */
const socketsPerSession = 48;

/** The sockets of terminals, for people who may manage pods on the cluster. */
export function installShells(
  app: FastifyInstance,
  services: Pick<Services, 'rights' | 'clusters' | 'store' | 'vault' | 'log'>,
  upgrades: Upgrades,
  audit: Audit,
  acts: { readonly requireActProof: RequireActProof; readonly origins: Pick<Origins, 'originOf'> },
): void {
  const shells = new Shells({ ...services, audit, requireActProof: acts.requireActProof });
  const sockets = upgrades.sockets({
    // The route's own path with any word for each parameter.
    place: new RegExp(`^${shellPath.replaceAll(/:\w+/g, '[^/]+')}$`),
    perSession: socketsPerSession,
    tooMany: `More than ${socketsPerSession} terminals are open. Close some and try again.`,
  });

  app.route({
    ...streamRoute('openShell', streams.openShell),
    handler: (request, reply) => {
      const { cluster } = request;
      if (cluster === undefined) throw new Problem({ status: 404, title: 'There is no such cluster.' });
      const { namespace, name } = request.params as z.infer<typeof shellParams>;
      const query = request.query as z.infer<typeof shellQuery>;
      sockets.take(request, reply, (socket, person) =>
        shells.serve(socket, {
          person,
          cluster,
          namespace,
          name,
          query,
          address: request.ip,
          requestId: request.id,
          origin: acts.origins.originOf(request.host),
        }),
      );
    },
  });

  app.addHook('preClose', async () => {
    await shells.close();
    sockets.close();
  });
}

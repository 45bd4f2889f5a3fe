import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { Problem } from '../../contract/problem.ts';
import { recordingParams, replayPath } from '../../contract/recordings.ts';
import type { Audit } from '../audit/audit.ts';
import { findRecording } from '../recordings/reading.ts';
import { Replays } from '../recordings/replays.ts';
import { requireMember } from './guard.ts';
import type { Services } from './services.ts';
import type { Upgrades } from './upgrades.ts';

/** Replays that one session may hold open. */
const socketsPerSession = 16;

/** The sockets of replays, for Owners. */
export function installReplays(
  app: FastifyInstance,
  services: Pick<Services, 'rights' | 'store' | 'vault' | 'log'>,
  upgrades: Upgrades,
  audit: Audit,
): void {
  const replays = new Replays({ ...services, audit });
  const sockets = upgrades.sockets({
    // The route's own path with any word for its parameter.
    place: new RegExp(`^${replayPath.replaceAll(/:\w+/g, '[^/]+')}$`),
    perSession: socketsPerSession,
    tooMany: `More than ${socketsPerSession} recordings are being replayed. Close some and try again.`,
  });

  app.route({
    method: 'GET',
    url: replayPath,
    config: { access: 'owner', sameOriginOnly: true },
    schema: { hide: true, params: recordingParams },
    handler: async (request, reply) => {
      const { recordingId } = request.params as z.infer<typeof recordingParams>;
      const { person: caller } = request;
      if (caller === undefined) throw new Problem({ status: 401, title: 'Sign in to continue.' });
      const { companyId } = requireMember(caller);
      const recording = await findRecording(services.store, companyId, recordingId);
      sockets.take(request, reply, (socket, person) =>
        replays.serve(socket, { person, recording, address: request.ip, requestId: request.id }),
      );
    },
  });

  app.addHook('preClose', async () => {
    await replays.close();
    sockets.close();
  });
}

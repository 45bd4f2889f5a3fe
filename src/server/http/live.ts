import { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { livePath } from '../../contract/live.ts';
import { Problem } from '../../contract/problem.ts';
import { describeError } from '../describe-error.ts';
import type { Services } from '../services.ts';
import { answerBare } from './errors.ts';
import { requireMember } from './guard.ts';

/** Sockets that one session may hold open. */
const socketsPerSession = 64;
/** A client whose upgrade was refused has so long to hang up (ms): none of the server's time limits knows its socket. */
const partingTime = 1_000;

/**
 * The live socket. An upgrade request runs through the routing like any other, so host, origin, session and membership
 * are checked by the guard and refused with a status; only then is the socket handed to the hub, which closes
 * it when the session ends.
 */
export function installLive(app: FastifyInstance, services: Pick<Services, 'hub' | 'log'>): void {
  const { hub, log } = services;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    clientTracking: true,
    perMessageDeflate: {
      threshold: 1024,
      concurrencyLimit: 4,
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      zlibDeflateOptions: { level: 3, memLevel: 7 },
    },
  });
  const upgrades = new WeakMap<object, Buffer>();
  const owners = new Map<WebSocket, string>();

  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', (error) => log.debug({ err: describeError(error) }, 'An upgrade broke off'));
    const part = () => {
      // What it still sends is read and dropped, or the answer would be lost to a reset.
      socket.resume().once('end', () => socket.destroy());
      socket.end();
      setTimeout(() => socket.destroy(), partingTime).unref();
    };
    // Only small answers go over such a socket: no time limit would end one that is never read.
    if (request.url?.split('?')[0] !== livePath) {
      answerBare(socket, new Problem({ status: 404, title: 'Nothing can be upgraded at this address.' }));
      part();
      return;
    }
    const response = new ServerResponse(request);
    // node calls the plain socket a Duplex here; a server's is always a net.Socket.
    response.assignSocket(socket as Parameters<typeof response.assignSocket>[0]);
    response.on('finish', part);
    upgrades.set(request, head);
    app.routing(request, response);
  });

  app.route({
    method: 'GET',
    url: livePath,
    config: { access: 'member', sameOriginOnly: true },
    schema: { hide: true },
    handler: (request, reply) => {
      const head = upgrades.get(request.raw);
      const { person } = request;
      if (head === undefined) {
        throw new Problem({
          status: 426,
          title: 'This address speaks WebSocket only. Open the console instead.',
        });
      }
      if (person === undefined) throw new Problem({ status: 401, title: 'Sign in to continue.' });
      const member = requireMember(person);
      const open = owners.values().filter((hash) => hash === member.sessionHash);
      if ([...open].length >= socketsPerSession) {
        throw new Problem({
          status: 429,
          title: `More than ${socketsPerSession} tabs of this console are open. Close some and try again.`,
        });
      }
      reply.hijack();
      server.handleUpgrade(request.raw, request.raw.socket, head, (socket) => {
        owners.set(socket, member.sessionHash);
        socket.on('close', () => owners.delete(socket));
        socket.on('error', (error) =>
          request.log.debug({ err: describeError(error) }, 'A live socket broke'),
        );
        hub.connect(socket, member);
      });
    },
  });

  app.addHook('preClose', async () => {
    await hub.close();
    for (const socket of owners.keys()) socket.terminate();
    server.close();
  });
}

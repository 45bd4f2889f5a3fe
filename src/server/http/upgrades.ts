import { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { Problem } from '../../contract/problem.ts';
import type { Member } from '../access/person.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import { describeError } from '../kit/describe-error.ts';
import { deflateWindowBits } from '../live/wire/deflate-window.ts';
import { answerBare } from './errors.ts';
import { requireMember } from './guard.ts';

/**
 * A client whose upgrade was refused has this long to close its socket, ms: none of the server's timeouts covers it.
 */
const partingTime = 1_000;

/** Sockets of one sort. */
export interface Sockets {
  /**
   * Upgrades a request that the guard let in, and hands over the socket with whom it belongs to.
   * Throws Problem 426 for a plain request, 429 when the session has as many of them open as it may.
   */
  take(
    request: FastifyRequest,
    reply: FastifyReply,
    open: (socket: WebSocket, member: Member, wire: Duplex) => void,
  ): void;
  /** Cuts off what is still open. */
  close(): void;
}

export interface SocketSort {
  /** Matches the path of its addresses, whole. */
  readonly place: RegExp;
  /** How many one session may hold open. */
  readonly perSession: number;
  /** The message for people who open more. */
  readonly tooMany: string;
}

/** Turns requests into sockets. */
export interface Upgrades {
  sockets(sort: SocketSort): Sockets;
}

/**
 * An upgrade request runs through the routing like any other, so host, origin, session and access are checked by the
 * guard and refused with a status; only then does it become a socket.
 */
export function installUpgrades(app: FastifyInstance, log: FastifyBaseLogger): Upgrades {
  const heads = new WeakMap<object, Buffer>();
  const places: RegExp[] = [];
  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', (error) => log.debug({ err: describeError(error) }, 'An upgrade broke off'));
    const part = () => {
      // Further data is read and dropped: otherwise a reset would lose the answer.
      socket.resume().once('end', () => socket.destroy());
      socket.end();
      setTimeout(() => socket.destroy(), partingTime).unref();
    };
    const path = request.url?.split('?')[0] ?? '';
    // Only small answers go over such a socket: no time limit would end one that is never read.
    if (!places.some((place) => place.test(path))) {
      answerBare(socket, new Problem({ status: 404, title: 'Nothing can be upgraded at this address.' }));
      part();
      return;
    }
    const response = new ServerResponse(request);
    // node calls the plain socket a Duplex here; a server's is always a net.Socket.
    response.assignSocket(socket as Parameters<typeof response.assignSocket>[0]);
    response.on('finish', part);
    heads.set(request, head);
    app.routing(request, response);
  });

  return {
    sockets({ place, perSession, tooMany }) {
      places.push(place);
      const server = new WebSocketServer({
        noServer: true,
        maxPayload: 64 * 1024,
        clientTracking: true,
        perMessageDeflate: {
          threshold: 1024,
          concurrencyLimit: 4,
          serverNoContextTakeover: true,
          clientNoContextTakeover: true,
          serverMaxWindowBits: deflateWindowBits,
          zlibDeflateOptions: { level: 3, memLevel: 6 },
        },
      });
      const owners = new Map<WebSocket, string>();
      return {
        take(request, reply, open) {
          const head = heads.get(request.raw);
          const { person } = request;
          if (head === undefined) {
            throw new Problem({
              status: 426,
              title: 'This address speaks WebSocket only. Open the console instead.',
            });
          }
          if (person === undefined) throw new Problem({ status: 401, title: 'Sign in to continue.' });
          const member = requireMember(person);
          const held = owners.values().filter((hash) => hash === member.sessionHash);
          if ([...held].length >= perSession) throw new Problem({ status: 429, title: tooMany });
          reply.hijack();
          request.turn?.end();
          server.handleUpgrade(request.raw, request.raw.socket, head, (socket) => {
            owners.set(socket, member.sessionHash);
            socket.on('close', () => owners.delete(socket));
            socket.on('error', (error) => request.log.debug({ err: describeError(error) }, 'A socket broke'));
            onBehalfOf(member.id, () => open(socket, member, request.raw.socket));
          });
        },
        close() {
          for (const socket of owners.keys()) socket.terminate();
          server.close();
        },
      };
    },
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { absoluteLimit } from '../access/sessions.ts';

/** The cookie that the page reads and sends back as `X-XSRF-TOKEN`. */
export const xsrfCookie = 'XSRF-TOKEN';
/** Header of the token, as node gives it. */
export const xsrfHeader = 'x-xsrf-token';

/** The cookies of a browser session. */
export interface SessionCookies {
  /** Name of the session's cookie. */
  readonly name: string;
  /** The session token a request carries, if any. */
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  /** Gives the page its XSRF token again where it is missing or belongs to an older session. */
  refresh(request: FastifyRequest, reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

/** The XSRF token of a session: derived from its secret, so it fits no other and needs no storage. */
export function xsrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('wheelhouse xsrf').digest('base64url');
}

/** Whether a header carries the XSRF token of the session. */
export function isXsrfToken(header: unknown, sessionToken: string): boolean {
  if (typeof header !== 'string') return false;
  const expected = Buffer.from(xsrfTokenOf(sessionToken));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** @param isSecure whether people come over https; only then may a cookie be called `__Host-` */
export function createSessionCookies(isSecure: boolean): SessionCookies {
  const name = isSecure ? '__Host-sid' : 'sid';
  const common = { path: '/', secure: isSecure, sameSite: 'lax' } as const;
  const lifetime = { maxAge: absoluteLimit / 1000 };
  return {
    name,
    read: (request) => request.cookies[name],
    set(reply, token) {
      reply.setCookie(name, token, { ...common, ...lifetime, httpOnly: true });
      reply.setCookie(xsrfCookie, xsrfTokenOf(token), { ...common, ...lifetime });
    },
    refresh(request, reply, token) {
      const expected = xsrfTokenOf(token);
      if (request.cookies[xsrfCookie] === expected) return;
      reply.setCookie(xsrfCookie, expected, { ...common, ...lifetime });
    },
    clear(reply) {
      reply.clearCookie(name, { ...common, httpOnly: true });
      reply.clearCookie(xsrfCookie, common);
    },
  };
}

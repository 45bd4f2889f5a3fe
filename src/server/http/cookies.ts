import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type CookiePlace,
  deviceCookieName,
  sessionCookieName,
  signInCookieName,
  xsrfCookieName,
} from '../../contract/cookies.ts';
import { absoluteLimit } from '../access/sessions.ts';

/** Header of the token, as node gives it. */
export const xsrfHeader = 'x-xsrf-token';

/** The cookies of a browser session. */
export interface SessionCookies {
  /** Name of the session's cookie; known once the server listens. */
  readonly name: () => string;
  /** The session token a request carries, if any. */
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  /** Gives the page its XSRF token again where it is missing or belongs to an older session. */
  refresh(request: FastifyRequest, reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

/** A cookie of a browser that no script reads. The device cookie (see `access/devices.ts`) outlives signing out. */
export interface DeviceCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string): void;
}

/** How long a browser is known after its last sign-in, in seconds: the longest that browsers keep a cookie. */
const deviceLifetime = 400 * 24 * 3_600;

/** How long a sign-in may wait at a provider, in seconds. */
const signInLifetime = 600;

/** @param isSecure, place as for the session's cookies */
export function createDeviceCookie(isSecure: boolean, place: () => CookiePlace): DeviceCookie {
  return createCookie(() => deviceCookieName(place()), isSecure, 'strict', deviceLifetime);
}

/**
 * The cookie that ties a sign-in at a provider to the browser that began it. The provider sends the browser back from
 * another site, so it is lax.
 * @param isSecure, place as for the session's cookies
 */
export function createSignInCookie(isSecure: boolean, place: () => CookiePlace): DeviceCookie {
  return createCookie(() => signInCookieName(place()), isSecure, 'lax', signInLifetime);
}

function createCookie(
  name: () => string,
  isSecure: boolean,
  sameSite: 'strict' | 'lax',
  maxAge: number,
): DeviceCookie {
  return {
    read: (request) => request.cookies[name()],
    set(reply, value) {
      reply.setCookie(name(), value, { path: '/', secure: isSecure, sameSite, httpOnly: true, maxAge });
    },
  };
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

/**
 * @param isSecure whether people come over https
 * @param place where they come to; read on every use, as a port may be known only once the server listens
 */
export function createSessionCookies(isSecure: boolean, place: () => CookiePlace): SessionCookies {
  const common = { path: '/', secure: isSecure, sameSite: 'lax' } as const;
  const name = () => sessionCookieName(place());
  const xsrf = () => xsrfCookieName(place());
  const lifetime = { maxAge: absoluteLimit / 1000 };
  return {
    name,
    read: (request) => request.cookies[name()],
    set(reply, token) {
      reply.setCookie(name(), token, { ...common, ...lifetime, httpOnly: true });
      reply.setCookie(xsrf(), xsrfTokenOf(token), { ...common, ...lifetime });
    },
    refresh(request, reply, token) {
      const expected = xsrfTokenOf(token);
      if (request.cookies[xsrf()] === expected) return;
      reply.setCookie(xsrf(), expected, { ...common, ...lifetime });
    },
    clear(reply) {
      reply.clearCookie(name(), { ...common, httpOnly: true });
      reply.clearCookie(xsrf(), common);
    },
  };
}

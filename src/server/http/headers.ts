import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Origins } from './origins.ts';

/** What Google's sign-in script needs, as its documentation lists it: addresses of one host, and of no other. */
const googleSources = {
  'script-src': 'https://accounts.google.com/gsi/client',
  'style-src': 'https://accounts.google.com/gsi/style',
  'connect-src': 'https://accounts.google.com/gsi/',
  'frame-src': 'https://accounts.google.com/gsi/',
} as const;

/**
 * Security headers of every answer: nothing inline runs or is styled, nothing loads from other origins, no site frames
 * the console. HSTS only over https, and for names below the console's own where the operator says so.
 * @param hasCheckout whether pages frame the console's own document of the checkout, or open a window for it
 */
export async function installHeaders(
  app: FastifyInstance,
  origins: Origins,
  hasCheckout: boolean,
  hasSecureSubdomains: boolean,
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: policyOf(origins, hasCheckout),
    hsts: origins.isSecure ? { maxAge: 31_536_000, includeSubDomains: hasSecureSubdomains } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // The page sees that the window is closed in which somebody was to pay.
    crossOriginOpenerPolicy: { policy: hasCheckout ? 'same-origin-allow-popups' : 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    originAgentCluster: true,
    xDnsPrefetchControl: { allow: false },
  });
}

/** Headers of documents: half of the weight of a small script. */
const ofDocuments = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

/**
 * Takes from the answer of a hashed script or style sheet the headers that mean something only of documents. A worker
 * has the policy of its own script, which takes modules of the console.
 */
export function withoutDocumentHeaders(answer: ServerResponse): void {
  for (const name of ofDocuments) answer.removeHeader(name);
  answer.setHeader('content-security-policy', "default-src 'none';script-src 'self';frame-ancestors 'none'");
}

/**
 * Lets one answer, a document without a session, load Google's sign-in script: its addresses, the popup in which Google
 * may ask, and the origin of this console as what sent the browser there.
 */
export function openForGoogle(reply: FastifyReply, origins: Origins, hasCheckout: boolean): void {
  reply.helmet({
    contentSecurityPolicy: policyOf(origins, hasCheckout, googleSources),
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'strict-origin' },
  });
}

/** @param more sources that are allowed besides, by directive */
function policyOf(
  origins: Origins,
  hasCheckout: boolean,
  more: Partial<Readonly<Record<keyof typeof googleSources, string>>> = {},
) {
  const secureSocket = origins.isSecure ? origins.shown.replace(/^https:/, 'wss:') : "'self'";
  const frames = [
    ...(hasCheckout ? ["'self'"] : []),
    ...(more['frame-src'] === undefined ? [] : [more['frame-src']]),
  ];
  const also = (name: keyof typeof googleSources) => (more[name] === undefined ? [] : [more[name]]);
  return {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'", ...also('script-src')],
      'style-src': ["'self'", ...also('style-src')],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'worker-src': ["'self'"],
      'manifest-src': ["'self'"],
      // Not every browser takes 'self' for the sockets of the same origin.
      'connect-src': [
        "'self'",
        ({ headers: { host = '' } }: IncomingMessage) =>
          origins.isSecure || !origins.isOwnHost(host) ? secureSocket : `ws://${host}`,
        ...also('connect-src'),
      ],
      ...(frames.length === 0 ? {} : { 'frame-src': frames }),
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'object-src': ["'none'"],
    },
  };
}

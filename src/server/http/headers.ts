import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Origins } from './origins.ts';

/**
 * Security headers of every answer: nothing inline runs or is styled, nothing loads from other origins, no site frames
 * the console. HSTS only over https.
 */
export async function installHeaders(app: FastifyInstance, origins: Origins): Promise<void> {
  const secureSocket = origins.isSecure ? origins.shown.replace(/^https:/, 'wss:') : "'self'";
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'font-src': ["'self'"],
        'worker-src': ["'self'"],
        'manifest-src': ["'self'"],
        // Not every browser takes 'self' for the sockets of the same origin.
        'connect-src': [
          "'self'",
          ({ headers: { host = '' } }) =>
            origins.isSecure || !origins.isOwnHost(host) ? secureSocket : `ws://${host}`,
        ],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'object-src': ["'none'"],
      },
    },
    hsts: origins.isSecure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    originAgentCluster: true,
    xDnsPrefetchControl: { allow: false },
  });
}

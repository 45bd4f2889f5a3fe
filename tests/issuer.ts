import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import OidcProvider, { type JWK } from 'oidc-provider';

/** What an identity provider says of somebody. */
export interface IssuerClaims {
  readonly email?: string;
  readonly email_verified?: boolean | string;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** The client of the console at every issuer. */
export const issuerClient = {
  clientId: 'wheelhouse',
  clientSecret: 'the secret of the test client',
} as const;

/** A real OpenID Connect provider on loopback. */
export interface Issuer {
  readonly url: string;
  /** Its people by subject: what it says of each is read anew at each sign-in. */
  readonly people: Map<string, IssuerClaims>;
  /** Who signs in without being asked; undefined: a form asks for the subject. Null: they decline. */
  signsIn: string | null | undefined;
  /** When who signs in did so, in ms since 1970; undefined: now. */
  signedInAt: number | undefined;
  /** Whether its tokens say when somebody signed in; it says that they do in either case. */
  isDated: boolean;
  /** Answers in place of the provider, where it gives an answer. */
  fault: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Begins to answer for the console at these addresses; until then it answers 503. */
  open(redirectUris: readonly string[]): void;
  close(): Promise<void>;
}

const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  format: 'jwk',
}) as JWK;

const form = `<!doctype html><html lang="en"><title>Test issuer</title><link rel="icon" href="data:,"><main><h1>Test issuer</h1>
<form method="post"><label>Subject <input name="subject" autofocus></label><button>Sign in there</button></form></main>`;

/** Starts an issuer on a free port of 127.0.0.1. */
export async function startIssuer(): Promise<Issuer> {
  const people = new Map<string, IssuerClaims>();
  let answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server: Server = createServer((request, response) => {
    if (issuer.fault?.(request, response) === true) return;
    // It gives the time of a sign-in where it is asked for a maximum age.
    if (!issuer.isDated) request.url = request.url?.replaceAll(/&(?:prompt=login|max_age=0)/g, '');
    if (answer === undefined) response.writeHead(503).end();
    else answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const issuer: Issuer = {
    url,
    people,
    signsIn: undefined,
    signedInAt: undefined,
    isDated: true,
    fault: undefined,
    open(redirectUris) {
      const provider = new OidcProvider(url, {
        clients: [
          {
            client_id: issuerClient.clientId,
            client_secret: issuerClient.clientSecret,
            redirect_uris: [...redirectUris],
          },
        ],
        pkce: { required: () => true },
        scopes: ['openid', 'email', 'profile', 'groups'],
        claims: {
          openid: ['sub'],
          email: ['email', 'email_verified'],
          profile: ['name'],
          groups: ['groups'],
        },
        findAccount: (_context, subject) => ({
          accountId: subject,
          claims: () => ({ sub: subject, ...people.get(subject) }),
        }),
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        cookies: { keys: ['of the test issuer'] },
        jwks: { keys: [{ ...signingKey, use: 'sig', alg: 'RS256', kid: 'test' }] },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
        // The whole grant of whoever signs in: there is nobody to consent.
        async loadExistingGrant(context) {
          const { session, client } = context.oidc;
          const grant = new context.oidc.provider.Grant({
            clientId: client?.clientId ?? '',
            accountId: session?.accountId ?? '',
          });
          grant.addOIDCScope('openid email profile groups');
          await grant.save();
          return grant;
        },
      });
      const handle = provider.callback();
      answer = (request, response) => {
        if (request.url?.startsWith('/interaction/') !== true) void handle(request, response);
        else
          interact(request, response).catch((error: unknown) => {
            response.writeHead(500).end(String(error));
          });
      };
      async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const { signsIn } = issuer;
        if (signsIn === null) {
          await provider.interactionFinished(request, response, { error: 'access_denied' });
          return;
        }
        let subject = signsIn;
        if (request.method === 'POST') {
          let body = '';
          for await (const chunk of request) body += String(chunk);
          subject = new URLSearchParams(body).get('subject') ?? undefined;
        }
        if (subject === undefined) response.writeHead(200, { 'content-type': 'text/html' }).end(form);
        else
          await provider.interactionFinished(request, response, {
            login: {
              accountId: subject,
              remember: false,
              ...(issuer.signedInAt === undefined ? {} : { ts: Math.floor(issuer.signedInAt / 1_000) }),
            },
          });
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
}

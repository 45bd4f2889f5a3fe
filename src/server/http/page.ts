import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problem.ts';
import { answerProblem } from './errors.ts';
import { withoutDocumentHeaders } from './headers.ts';

/** Name of the meta tag that tells the page its build. */
export const buildMeta = 'wheelhouse-build';
/**
 * Name of the meta tag that says that Help leads somewhere, so that its place is kept. The address is sent to signed-in
 * people only.
 */
export const helpMeta = 'wheelhouse-help';

/** Name of the meta tag with the client id for Google's sign-in script, in documents that may load it. */
export const googleMeta = 'wheelhouse-google';

/** Facts that are sent with the page. */
export interface PageFacts {
  readonly build: string;
  readonly hasHelp: boolean;
}

/** The sign-in page of an installation that Google signs in to. */
export interface GooglePage {
  readonly clientId: string;
  /** Whether a request comes with a session: its document loads no script of somebody else. */
  readonly hasSession: (request: FastifyRequest) => boolean;
  /** Lets an answer load Google's script. */
  readonly open: (reply: FastifyReply) => void;
}

/** Told of each page that is sent, beside its answer. */
export type OnPage = (request: FastifyRequest) => Promise<void>;

/**
 * Serves the built page: hashed assets for ever (compressed by the build), files of the public folder for an hour, and
 * index.html for every other address that a browser navigates to. `/api/…` is never answered with the page.
 * @param pageDir null where no page is served
 * @param onPage must not throw
 * @param google undefined where Google is not configured
 */
export async function installPage(
  app: FastifyInstance,
  pageDir: string | null,
  facts: PageFacts,
  onPage: OnPage,
  google?: GooglePage,
): Promise<void> {
  const html = pageDir === null ? undefined : await pageOf(pageDir, facts);
  const forGoogle =
    pageDir === null || google === undefined ? undefined : await pageOf(pageDir, facts, google.clientId);
  if (pageDir !== null) {
    const assets = join(pageDir, 'assets', sep);
    await app.register(fastifyStatic, {
      root: pageDir,
      serve: false,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      // Everything here is small, and known by its name or its tag.
      acceptRanges: false,
      lastModified: false,
      // Source maps are for whoever has the build: they hold the sources of the whole page.
      allowedPath: (path) => !/\.map(?:\.\w+)?$/i.test(path),
      setHeaders: (answer, path) => {
        if (path.startsWith(assets)) withoutDocumentHeaders(answer.raw);
      },
    });
    app.get(
      '/assets/*',
      { config: { access: 'public', anonymous: true }, schema: { hide: true } },
      (request, reply) => {
        reply.header('cache-control', 'public, max-age=31536000, immutable');
        return reply.sendFile(pathOf(request));
      },
    );
  }

  app.setNotFoundHandler(async (request, reply) => {
    const path = pathOf(request);
    const isApi = path === 'api' || path.startsWith('api/');
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!isApi && reads && pageDir !== null && html !== undefined) {
      // A dot in the last segment is a file of the public folder, or the name of an object: a browser's
      // navigation says by its Accept header which one it wants.
      const wantsPage = path === '' || (request.headers.accept ?? '').includes('text/html');
      if (wantsPage) {
        void onPage(request);
        const isForGoogle = path === 'login' && google?.hasSession(request) === false;
        if (isForGoogle) google.open(reply);
        const encoding = encodingOf(request);
        if (encoding !== undefined) reply.header('content-encoding', encoding);
        return await reply
          .type('text/html; charset=utf-8')
          .header('cache-control', 'no-store')
          .header('vary', 'accept-encoding')
          .send(((isForGoogle ? forGoogle : undefined) ?? html)[encoding ?? 'identity']);
      }
      if (/^[\w.-]+$/.test(path) && path !== 'index.html') {
        reply.header('cache-control', 'public, max-age=3600');
        return await reply.sendFile(path);
      }
    }
    return await notFound(request, reply, isApi);
  });
}

async function notFound(request: FastifyRequest, reply: FastifyReply, isApi: boolean): Promise<FastifyReply> {
  const title = isApi ? 'This API call does not exist.' : 'There is nothing at this address.';
  return await answerProblem(new Problem({ status: 404, title }), request, reply);
}

function pathOf(request: FastifyRequest): string {
  const [path = ''] = request.url.split('?');
  return path.replace(/^\/+/, '');
}

/** The page as it is sent: icons are drawn from shapes inside it, so compression is worth it. */
interface PageHtml {
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** The best encoding of the page that a browser takes by name; a refusal (`q=0`) of one is rare enough to read none. */
function encodingOf(request: FastifyRequest): 'br' | 'gzip' | undefined {
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(accepted)) return undefined;
  return (['br', 'gzip'] as const).find((name) =>
    new RegExp(`(?:^|[\\s,])${name}(?:$|[\\s,;])`).test(accepted),
  );
}

async function pageOf(
  pageDir: string,
  { build, hasHelp }: PageFacts,
  googleClientId?: string,
): Promise<PageHtml> {
  const html = await readFile(join(pageDir, 'index.html'), 'utf8');
  if (!/^[\w.-]*$/.test(build))
    throw new Error('The build id has characters that are not allowed in the page.');
  if (googleClientId !== undefined && !/^[\w.-]+$/.test(googleClientId))
    throw new Error('WHEELHOUSE_GOOGLE_CLIENT_ID has characters that no client id of Google has.');
  const tags = [
    `<meta name="${buildMeta}" content="${build}" />`,
    ...(hasHelp ? [`<meta name="${helpMeta}" content="named" />`] : []),
    ...(googleClientId === undefined ? [] : [`<meta name="${googleMeta}" content="${googleClientId}" />`]),
  ];
  const page = html.replace('</head>', `${tags.map((tag) => `  ${tag}\n`).join('')}  </head>`);
  const identity = Buffer.from(page);
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  return { identity, br, gzip: gzipped };
}

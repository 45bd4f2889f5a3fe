import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { makeCertificates } from '../../src/playground/certificates.ts';

/** A cluster of nothing but names, that a console can be given. */
export interface NamesCluster {
  readonly kubeconfig: string;
  end(): Promise<void>;
}

const parts = [
  'checkout',
  'payments',
  'catalog',
  'gateway',
  'redis-master',
  'search-index',
  'worker',
  'ledger',
];
const kinds = ['api', 'cache', 'queue', 'config', 'cron', 'web'];
const namespaces = 40;

/** A name as clusters have them: words, and a few letters that look random. */
export function syntheticName(at: number): string {
  const tail = ((at * 2_654_435_761) % 4_294_967_296).toString(36).padStart(7, '0');
  return `${parts[at % parts.length]}-${kinds[(at >> 3) % kinds.length]}-${tail}`;
}

/** An API server on loopback with this many config maps; all other lists are empty, watches say nothing. */
export async function startNames(count: number): Promise<NamesCluster> {
  const certificates = await makeCertificates(Date.now());
  const watches = new Set<ServerResponse>();
  const server: Server = createServer(
    { key: certificates.key, cert: certificates.certificate },
    (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'https://localhost');
      response.setHeader('content-type', 'application/json');
      if (searchParams.get('watch') === 'true') {
        watches.add(response);
        response.on('close', () => watches.delete(response));
        response.flushHeaders();
        return;
      }
      if (pathname === '/version') {
        response.end(JSON.stringify({ major: '1', minor: '34', gitVersion: 'v1.34.0' }));
        return;
      }
      if (request.method === 'POST') {
        const rule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
        const status = { resourceRules: [rule], nonResourceRules: [], incomplete: false, allowed: true };
        response.end(JSON.stringify({ kind: 'Review', status }));
        return;
      }
      const isNames = pathname === '/api/v1/configmaps';
      const from = Number(searchParams.get('continue') ?? '0');
      const to = isNames ? Math.min(count, from + Number(searchParams.get('limit') ?? count)) : 0;
      const items = [];
      for (let at = from; at < to; at += 1) {
        const metadata = { name: syntheticName(at), namespace: `team-${at % namespaces}`, uid: `uid-${at}` };
        items.push({ metadata: { ...metadata, resourceVersion: '1' } });
      }
      const more = isNames && to < count ? { continue: String(to) } : {};
      response.end(JSON.stringify({ kind: 'List', metadata: { resourceVersion: '1', ...more }, items }));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const authority = Buffer.from(certificates.authority).toString('base64');
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'names',
    clusters: [
      {
        name: 'names',
        cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': authority },
      },
    ],
    users: [{ name: 'names', user: { token: 'bench' } }],
    contexts: [{ name: 'names', context: { cluster: 'names', user: 'names' } }],
  });
  return {
    kubeconfig,
    async end() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

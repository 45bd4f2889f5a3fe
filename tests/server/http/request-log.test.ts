import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { livePath } from '../../../src/contract/live-socket.ts';
import { installRequestLog } from '../../../src/server/http/request-log.ts';

const lines: Record<string, unknown>[] = [];
const app = Fastify({
  logger: {
    level: 'debug',
    stream: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  },
  disableRequestLogging: true,
});

beforeAll(async () => {
  installRequestLog(app);
  const answer = () => 'done';
  app.get('/assets/*', answer);
  app.get('/api/objects', answer);
  app.get('/api/clusters/:clusterId/counts', answer);
  app.get('/api/broken', (_request, reply) => reply.code(500).send('broken'));
  app.get('/api/callback', { config: { sameOriginOnly: true } }, answer);
  app.get(livePath, { config: { sameOriginOnly: true } }, answer);
  app.post('/api/search', { config: { reads: true } }, answer);
  app.delete('/api/objects', answer);
  app.get('/readyz', (_request, reply) => reply.code(503).send('not ready'));
  await app.ready();
});
afterAll(() => app.close());

const [debug, info] = [20, 30];

describe('a request is one line of the log', () => {
  it.each([
    ['GET', '/assets/page.js', debug],
    ['GET', '/api/objects', debug],
    ['POST', '/api/search', debug],
    ['GET', livePath, debug],
    ['GET', '/readyz', debug],
    ['GET', '/api/broken', info],
    ['GET', '/nowhere', info],
    ['GET', '/api/callback', info],
    ['DELETE', '/api/objects', info],
  ] as const)(
    '%s %s at level %i: reads that succeed and probes are for debugging',
    async (method, url, level) => {
      lines.length = 0;
      const { headers } = await app.inject({ method, url });
      expect(headers['x-request-id']).toBeTypeOf('string');
      const answered = lines.filter(({ msg }) => msg === 'Answered' || msg === 'A socket closed');
      expect(answered).toMatchObject([{ level, method }]);
      expect(JSON.stringify(answered)).not.toContain('page.js');
    },
  );

  it('that names the cluster it is about, by a whole number alone', async () => {
    for (const [id, clusterId] of [
      ['7', 7],
      ['seven', undefined],
    ] as const) {
      lines.length = 0;
      await app.inject({ method: 'GET', url: `/api/clusters/${id}/counts` });
      expect(lines.find(({ msg }) => msg === 'Answered')?.['clusterId']).toBe(clusterId);
    }
  });
});

import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod/mini';
import type { turnStreamParams, turnStreamQuery } from '../../contract/chat.ts';
import { Problem } from '../../contract/problem.ts';
import { streams } from '../../contract/streams.ts';
import type { ChatReading, StreamedPart } from '../chat/reading.ts';
import { onBehalfOf } from '../clusters/on-behalf.ts';
import { beginDownload } from '../access/downloads.ts';
import { streamRoute } from './description.ts';
import { requireMember } from './guard.ts';
import type { Services } from './services.ts';

/** The answers of the chat as server-sent events: each part with its number, from which a browser goes on by itself. */
export function installChat(
  app: FastifyInstance,
  services: Pick<Services, 'rights'>,
  reading: ChatReading,
): void {
  app.route({
    ...streamRoute('chatAnswer', streams.chatAnswer),
    handler: async (request, reply) => {
      const { cluster, person: caller } = request;
      if (cluster === undefined || caller === undefined)
        throw new Problem({ status: 404, title: 'There is no such cluster.' });
      const person = requireMember(caller);
      const { turnId } = request.params as z.infer<typeof turnStreamParams>;
      const { after } = request.query as z.infer<typeof turnStreamQuery>;
      const lastId = Number(request.headers['last-event-id'] ?? after);
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      const parts = reading.stream(person, cluster, {
        turnId,
        after: Number.isSafeInteger(lastId) && lastId > after ? lastId : after,
        signal: gone.signal,
      });
      // A generator runs for whoever asks for its next value.
      const next = () => onBehalfOf(person.id, () => parts.next());
      // Before anything is sent: what is not there is a problem, and no stream.
      const first = await next();
      const over = beginDownload(services.rights, {
        person,
        clusterId: cluster.id,
        needs: [{ need: [], place: 'anywhere' }],
        end: () => gone.abort(),
      });
      const texts = async function* () {
        for (let part = first; part.done !== true; part = await next()) yield textOf(part.value);
      };
      const body = Readable.from(texts());
      // Not in the generator: of one that a browser left before it began nothing runs.
      body.once('close', () => {
        over();
        gone.abort();
        void parts.return(undefined);
      });
      if (gone.signal.aborted) body.destroy();
      return await reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        // Proxies that collect answers would hold it back.
        .header('x-accel-buffering', 'no')
        .send(body);
    },
  });
}

/** Parts as events; without any a comment, by which both sides see that the other is there. */
function textOf(batch: readonly StreamedPart[]): string {
  if (batch.length === 0) return ': \n\n';
  return batch
    .map((one) =>
      'withheld' in one
        ? `event: withheld\ndata: ${JSON.stringify(one)}\n\n`
        : `id: ${one.number}\ndata: ${JSON.stringify(one.part)}\n\n`,
    )
    .join('');
}

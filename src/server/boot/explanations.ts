import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../http/services.ts';
import { describeError } from '../kit/describe-error.ts';
import { explanationOf } from './explanation.ts';

/** Characters of the lines of one message: it has room for some thousand bytes. */
const partSize = 5_000;

/** Answers operators who ask why something was slow (`npm run admin -- explain`), from what this server remembers. */
export function installExplanations(
  app: FastifyInstance,
  services: Pick<Services, 'clock' | 'hub' | 'log' | 'measures' | 'self' | 'store'>,
): void {
  const { clock, hub, log, measures, store } = services;
  const server = services.self?.server ?? randomBytes(6).toString('hex');
  const stop = store.channel.on('explain', ({ ask, userId, clusterId }) => {
    const lines = explanationOf({
      waits: measures.recent.of(userId, clusterId, clock.now()),
      silence: hub.stats().silences.find(({ id }) => id === clusterId)?.seconds,
      waiting: store.pool.waitingCount,
    });
    const pieces = piecesOf(lines);
    for (const [part, piece] of pieces.entries())
      store.channel
        .notify('explained', { ask, server, part, parts: pieces.length, lines: piece })
        .catch((error: unknown) =>
          log.warn({ err: describeError(error) }, 'The answer to an operator could not be sent'),
        );
  });
  app.addHook('onClose', async () => stop());
}

/** Lines in pieces that a message has room for. */
function piecesOf(lines: readonly string[]): readonly (readonly string[])[] {
  const pieces: string[][] = [[]];
  let size = 0;
  for (const line of lines) {
    if (size + line.length > partSize) {
      pieces.push([]);
      size = 0;
    }
    pieces.at(-1)?.push(line);
    size += line.length;
  }
  return pieces;
}

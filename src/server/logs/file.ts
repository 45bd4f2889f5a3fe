import { PassThrough } from 'node:stream';
import type { LogEnd, LogFileRequest, LogMessage, LogSource } from '../../contract/log.ts';
import { Problem } from '../../contract/problem.ts';
import { followLog, type LogOutcome } from './follow.ts';
import { readLogs, type ReadingOptions } from './reading.ts';

const statuses: Readonly<Record<LogEnd, number>> = {
  ended: 200,
  gone: 404,
  'no-previous': 404,
  wrong: 400,
  forbidden: 403,
  denied: 403,
  unreachable: 502,
};

/**
 * A log as a file that grows while it is read: what the containers wrote, as it is; of several containers each line
 * begins with whose it is. Throws Problem when nothing can be read.
 * @param ended breaks the file off, with the Problem as its reason where the person may no longer read it
 */
export async function logFile(
  request: LogFileRequest,
  options: Omit<ReadingOptions, 'request' | 'out' | 'tap' | 'follow' | 'isRaw' | 'signal'>,
  ended: AbortSignal,
): Promise<NodeJS.ReadableStream> {
  const file = new PassThrough();
  const broken = new AbortController();
  const signal = AbortSignal.any([ended, broken.signal]);
  const sources = new Map<number, LogSource>();
  const begun = Promise.withResolvers<void>();
  let isBegun = false;

  function write(text: string): Promise<void> | undefined {
    isBegun = true;
    begun.resolve();
    if (file.write(text)) return undefined;
    return new Promise((resolve) => {
      const go = () => {
        file.off('drain', go);
        file.off('close', go);
        resolve();
      };
      file.on('drain', go);
      file.on('close', go);
    });
  }

  const whole = { ...request, follow: false };
  const reading = readLogs({
    ...options,
    request: whole,
    isRaw: true,
    follow: followLog,
    tap: () => {
      throw new Error('A file follows nothing.');
    },
    signal,
    out: {
      line([, text, source, mark]) {
        if (mark !== undefined) return undefined;
        const from = sources.get(source);
        const whose = sources.size > 1 && from !== undefined ? `${from.pod}/${from.container} ` : '';
        return write(`${whose}${text}\n`);
      },
      tell(message: LogMessage) {
        if (message.type === 'source') sources.set(message.source.id, message.source);
        if (message.type === 'left-out' && message.names.length > 0)
          void write(`-- Not in this file, as there are too many: ${message.names.join(', ')}\n`);
      },
    },
  });
  const over = reading.catch((error: unknown): LogOutcome => {
    const title = error instanceof Problem ? error.title : 'The log could not be read to its end.';
    return { reason: error instanceof Problem ? 'denied' : 'unreachable', title };
  });
  void over.then((outcome) => {
    if (!isBegun) return;
    if (outcome.reason !== 'ended') file.write(`-- ${outcome.title}\n`);
    file.end();
  });
  file.once('close', () => broken.abort());
  await Promise.race([begun.promise, over]);
  if (isBegun) return file;
  const outcome = await over;
  if (outcome.reason !== 'ended') {
    throw new Problem({ status: statuses[outcome.reason], title: outcome.title });
  }
  file.end();
  return file;
}

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { writeKubeconfig } from './kubeconfig.ts';
import { startPlayground } from './server.ts';

/** The parent's message: starts a second cluster in this process. `kubeconfig`: file to write. */
interface StartMessage {
  readonly start?: unknown;
  readonly kubeconfig?: unknown;
}

/**
 * Starts the staging cluster in this process when the parent sends a line of JSON:
 * `{"start":"staging","kubeconfig":FILE}`. Answers with a line like the first one:
 * `{"ready":true,"cluster":"staging",…}`, or `{"ready":false,…}` with the reason.
 */
export function listenForMore(input: Readable): void {
  createInterface(input).on('line', (line) => {
    start(line).then(
      (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`),
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        process.stdout.write(`${JSON.stringify({ ready: false, cluster: 'staging', why })}\n`);
      },
    );
  });
}

async function start(line: string): Promise<object> {
  const { start: seed, kubeconfig: file } = JSON.parse(line) as StartMessage;
  if (seed !== 'staging' || typeof file !== 'string') throw new Error('Only staging can be started beside.');
  const { port, server, kubeconfig } = await startPlayground({
    seed,
    controllers: true,
    history: 1_500,
    name: 'playground-staging',
  });
  writeKubeconfig(file, kubeconfig);
  return { ready: true, cluster: seed, port, server };
}

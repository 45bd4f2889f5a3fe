import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Certificates, makeCertificates } from '../../../src/playground/certificates.ts';
import type { PlaygroundOptions } from '../../../src/playground/server.ts';

/** An API server as a process of its own, always on the same port. */
export interface ClusterProcess {
  /** https://127.0.0.1:PORT */
  readonly server: string;
  /** Those of its present life. */
  readonly authority: string;
  readonly token: string;
  /** Stops it in the middle of whatever it does: it accepts connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once, with everything it held. */
  kill(): Promise<void>;
  /**
   * Starts it after a kill, with these objects; resolves once it is ready.
   * @param identity `new`: with another certificate, authority and token
   */
  start(
    world: Pick<PlaygroundOptions, 'seed' | 'chance' | 'history'>,
    identity: 'same' | 'new',
  ): Promise<void>;
}

/** A port of loopback that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Makes one that is yet to be started. */
export async function prepareCluster(): Promise<ClusterProcess> {
  const port = await freePort();
  let certificates: Certificates = await makeCertificates(Date.now());
  let lives = 0;
  let token = 'token-of-life-0';
  let child: ChildProcess | undefined;

  return {
    server: `https://127.0.0.1:${port}`,
    get authority() {
      return certificates.authority;
    },
    get token() {
      return token;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async kill() {
      const dying = child;
      child = undefined;
      if (dying === undefined || dying.exitCode !== null) return;
      const gone = new Promise((resolve) => dying.once('exit', resolve));
      dying.kill('SIGKILL');
      await gone;
    },
    async start(world, identity) {
      if (identity === 'new') {
        lives += 1;
        token = `token-of-life-${lives}`;
        certificates = await makeCertificates(Date.now());
      }
      const born = fork(join(import.meta.dirname, 'playground-child.ts'), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      child = born;
      const options: PlaygroundOptions = {
        port,
        token,
        certificates,
        controllers: false,
        activity: false,
        ...world,
      };
      await new Promise((resolve, reject) => {
        born.once('message', resolve);
        born.once('exit', (code) => reject(new Error(`The cluster ended with ${code}.`)));
        born.send(options);
      });
    },
  };
}

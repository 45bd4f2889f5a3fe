import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { kubeconfigLimit } from '../../contract/clusters.ts';
import type { PlaygroundSource } from '../clusters/playground-source.ts';
import { parseStrictYaml } from '../clusters/strict-yaml.ts';

/** Address, certificate authority and token of a cluster of the playground. */
export type PlaygroundTarget = Awaited<ReturnType<PlaygroundSource['target']>>;

const readyLine = z.object({ ready: z.literal(true), server: z.url() });
const kubeconfig = z.object({
  clusters: z.tuple([z.object({ cluster: z.object({ 'certificate-authority-data': z.base64() }) })]),
  users: z.tuple([z.object({ user: z.object({ token: z.string().min(16) }) })]),
});

/**
 * Calls `use` with the path of a kubeconfig file in a new folder that only this user reads, and deletes the folder
 * afterwards. Throws what `use` throws, and errors of the file system.
 */
export async function withKubeconfigFile<T>(use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-playground-'));
  try {
    return await use(join(folder, 'kubeconfig'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The address from the line that a cluster of the playground prints when it is ready, authority and token from the
 * kubeconfig that it wrote. Throws when either is not as it should be.
 */
export async function readTarget(line: string, file: string): Promise<PlaygroundTarget> {
  const { server } = readyLine.parse(JSON.parse(line));
  const text = parseStrictYaml(await readFile(file, 'utf8'), kubeconfigLimit, 'The kubeconfig');
  const { clusters, users } = kubeconfig.parse(text);
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString('utf8');
  return { server, ca, token: users[0].user.token };
}

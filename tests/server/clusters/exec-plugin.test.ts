import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runExecPlugin } from '../../../src/server/clusters/exec-plugin.ts';
import type { ExecPlugin } from '../../../src/server/clusters/target.ts';
import { targetFor } from './api-server.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wheelhouse-exec-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const shell = (script: string): ExecPlugin => ({
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'sh',
  args: ['-c', script],
  env: {},
  installHint: undefined,
  provideClusterInfo: false,
});

/** Whether a process still runs; one that has ended and waits for its parent does not. */
async function isRunning(pid: string): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return !/\) Z /.test(stat);
  } catch {
    return false;
  }
}

describe('a credential program', () => {
  it.runIf(process.platform === 'linux')(
    'that does not finish in time is ended with everything it started',
    async () => {
      const file = join(folder, 'pid');
      const plugin = shell(`sleep 600 & echo $! > "${file}"; wait`);
      await expect(runExecPlugin(plugin, targetFor('https://10.0.0.1', ''), 500)).rejects.toThrow(
        'The credential program sh did not finish within 0.5 s.',
      );
      const pid = (await readFile(file, 'utf8')).trim();
      await expect.poll(() => isRunning(pid)).toBe(false);
    },
  );

  it('has no terminal and nothing on its input', async () => {
    const plugin = shell('if [ -t 0 ]; then echo terminal >&2; else wc -c >&2; fi; exit 1');
    await expect(runExecPlugin(plugin, targetFor('https://10.0.0.1', ''))).rejects.toThrow(/failed: 0$/);
  });

  it('gets no facts of the cluster unless its kubeconfig says so', async () => {
    const plugin = shell('echo "$KUBERNETES_EXEC_INFO" >&2; exit 1');
    const error: unknown = await runExecPlugin(plugin, targetFor('https://10.0.0.1', '')).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).toContain('"spec":{"interactive":false}');
  });
});

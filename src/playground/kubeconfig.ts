import { chmodSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';

/** A kubeconfig with one context that reaches the playground as administrator. */
export function kubeconfig(name: string, server: string, authority: string, token: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') },
      },
    ],
    users: [{ name: `${name}-admin`, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: `${name}-admin`, namespace: 'default' } }],
    'current-context': name,
  });
}

/** Writes a kubeconfig that only its owner can read. */
export function writeKubeconfig(file: string, content: string): void {
  writeFileSync(file, content, { mode: 0o600 });
  chmodSync(file, 0o600);
}

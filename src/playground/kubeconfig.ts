import { chmodSync, writeFileSync } from 'node:fs';

/** A kubeconfig with one context that reaches the playground as administrator. */
export function kubeconfig(name: string, server: string, authority: string, token: string): string {
  const data = Buffer.from(authority).toString('base64');
  const user = `${name}-admin`;
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${name}`,
    '  cluster:',
    `    server: ${server}`,
    `    certificate-authority-data: ${data}`,
    'users:',
    `- name: ${user}`,
    '  user:',
    `    token: ${JSON.stringify(token)}`,
    'contexts:',
    `- name: ${name}`,
    '  context:',
    `    cluster: ${name}`,
    `    user: ${user}`,
    '    namespace: default',
    `current-context: ${name}`,
    '',
  ].join('\n');
}

/** Writes a kubeconfig that only its owner can read. */
export function writeKubeconfig(file: string, content: string): void {
  writeFileSync(file, content, { mode: 0o600 });
  chmodSync(file, 0o600);
}

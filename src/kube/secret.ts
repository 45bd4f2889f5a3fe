import type { KubeObject } from './object.ts';

/** A Secret as the API server sends it: its values in base64. */
export interface Secret extends KubeObject {
  type?: string;
  immutable?: boolean;
  data?: Record<string, string>;
}

/** The types of Secrets that the console says more of. */
export const secretTypes = {
  opaque: 'Opaque',
  tls: 'kubernetes.io/tls',
  dockerConfig: 'kubernetes.io/dockerconfigjson',
  oldDockerConfig: 'kubernetes.io/dockercfg',
  serviceAccountToken: 'kubernetes.io/service-account-token',
  helmRelease: 'helm.sh/release.v1',
} as const;

/** Bytes that a text of base64 stands for; 0 for what is no text. */
export function base64Bytes(text: unknown): number {
  if (typeof text !== 'string') return 0;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}

/** The keys of a Secret, by name. */
export function secretKeys({ data }: Secret): string[] {
  return Object.keys(data ?? {}).sort();
}

/** Bytes of all values of a Secret together. */
export function secretSize({ data }: Secret): number {
  return Object.values(data ?? {}).reduce((sum, value) => sum + base64Bytes(value), 0);
}

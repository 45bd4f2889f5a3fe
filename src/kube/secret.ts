import type { KubeObject } from './object.ts';

/** A Secret as the API server sends it, with base64 values. */
export interface Secret extends KubeObject {
  type?: string;
  immutable?: boolean;
  data?: Record<string, string>;
}

/** The types of Secrets that the console describes further. */
export const secretTypes = {
  opaque: 'Opaque',
  tls: 'kubernetes.io/tls',
  dockerConfig: 'kubernetes.io/dockerconfigjson',
  oldDockerConfig: 'kubernetes.io/dockercfg',
  serviceAccountToken: 'kubernetes.io/service-account-token',
  helmRelease: 'helm.sh/release.v1',
} as const;

/** The number of bytes that a base64 text encodes; 0 for non-strings. */
export function base64Bytes(text: unknown): number {
  if (typeof text !== 'string') return 0;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}

/** The keys of a Secret, sorted. */
export function secretKeys({ data }: Secret): string[] {
  return Object.keys(data ?? {}).sort();
}

/** The size of all values of a Secret in bytes. */
export function secretSize({ data }: Secret): number {
  return Object.values(data ?? {}).reduce((sum, value) => sum + base64Bytes(value), 0);
}

import { beforeAll, expect } from 'vitest';
import { createAddressGuard } from '../../../src/server/clusters/address.ts';
import { contextProblems } from '../../../src/server/clusters/judge.ts';
import { chooseContext, parseKubeconfig } from '../../../src/server/clusters/kubeconfig.ts';
import { type Authority, makeAuthority, type Pair } from './pki.ts';

/** Stands for a secret: no sentence may repeat it. */
export const canary = 'CANARY-f3a9c1';

/** Base64, as the …-data fields have it. */
export const encode = (text: string): string => Buffer.from(text).toString('base64');

type Fields = Record<string, unknown>;

/** Certificates to build kubeconfigs from. */
export interface Samples {
  readonly authority: Authority;
  readonly client: Pair;
  readonly other: Pair;
  /** Ended on 2026-01-01. */
  readonly expired: Pair;
  /** A kubeconfig as an object, good but for what a test changes. */
  config(change?: { cluster?: Fields; user?: Fields; context?: Fields; root?: Fields }): Fields;
}

/** To be called at the top of a test file; what it returns is filled before the first test. */
export function useSamples(): () => Samples {
  let made: Samples | undefined;
  beforeAll(async () => {
    const authority = await makeAuthority();
    made = {
      authority,
      client: await authority.issue({ name: 'kubernetes-admin' }),
      other: await authority.issue({ name: 'other' }),
      expired: await authority.issue({ name: 'late', notAfter: new Date('2026-01-01T00:00:00Z') }),
      config: (change = {}) => ({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'prod',
        contexts: [{ name: 'prod', context: { cluster: 'c', user: 'u', ...change.context } }],
        clusters: [
          {
            name: 'c',
            cluster: {
              server: 'https://prod.example.org:6443',
              'certificate-authority-data': encode(authority.pem),
              ...change.cluster,
            },
          },
        ],
        users: [{ name: 'u', user: change.user ?? { token: `token-${canary}` } }],
        ...change.root,
      }),
    };
  });
  return () => {
    if (made === undefined) throw new Error('Samples are made before the first test.');
    return made;
  };
}

/** Every sentence that keeps a text from being added; empty when nothing does. */
export function verdict(text: string): string {
  try {
    const context = chooseContext(parseKubeconfig(text), undefined);
    const problems = contextProblems(context, createAddressGuard([]), Date.now());
    expect(context.target === undefined).toBe(context.problems.length > 0);
    return problems.join(' ');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
}

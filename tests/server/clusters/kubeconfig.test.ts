import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { Problem } from '../../../src/contract/problem.ts';
import { presentContext } from '../../../src/server/clusters/judge.ts';
import { chooseContext, parseKubeconfig } from '../../../src/server/clusters/kubeconfig.ts';
import { toKubeconfig } from '../../../src/server/clusters/target.ts';
import { canary, encode, useSamples, verdict } from './samples.ts';
import { proof, rounds } from '../../prove.ts';

fc.configureGlobal(proof());

const samples = useSamples();

describe('good kubeconfigs', () => {
  it.each([
    ['YAML', () => stringify(samples().config())],
    ['JSON', () => JSON.stringify(samples().config())],
    [
      'YAML with a document start, comments and quotes',
      () => `---\n# mine\n${stringify(samples().config(), { defaultStringType: 'QUOTE_DOUBLE' })}`,
    ],
    [
      'preferences and extensions',
      () =>
        stringify(
          samples().config({
            root: { preferences: {}, extensions: [] },
            cluster: { extensions: [{ name: 'x', extension: {} }] },
          }),
        ),
    ],
    [
      'insecure-skip-tls-verify: false',
      () => stringify(samples().config({ cluster: { 'insecure-skip-tls-verify': false } })),
    ],
    [
      'a private address',
      () => stringify(samples().config({ cluster: { server: 'https://10.0.0.5:6443' } })),
    ],
  ])('takes %s', (_name, text) => {
    expect(verdict(text())).toBe('');
  });

  it('takes a client certificate, and says whose it is and when it ends', () => {
    const text = stringify(
      samples().config({
        user: {
          'client-certificate-data': encode(samples().client.certificate),
          'client-key-data': encode(samples().client.key),
        },
      }),
    );
    const [context] = parseKubeconfig(text);
    if (context === undefined) throw new Error('No context.');
    const shown = presentContext(context, []);
    expect(shown).toMatchObject({
      name: 'prod',
      cluster: 'c',
      server: 'https://prod.example.org:6443',
      isCurrent: true,
      credential: 'Client certificate of kubernetes-admin',
    });
    expect(Date.parse(shown.credentialExpiresAt ?? '')).toBeGreaterThan(Date.now());
  });

  it('keeps the prefix of a server behind a gateway, and no slash at its end', () => {
    const text = stringify(
      samples().config({ cluster: { server: 'https://rancher.example.org/k8s/clusters/c-1/' } }),
    );
    expect(parseKubeconfig(text)[0]?.target?.server).toBe('https://rancher.example.org/k8s/clusters/c-1');
  });

  it('judges contexts one by one: a bad neighbour does not spoil a good one', () => {
    const base = samples().config();
    const text = stringify({
      ...base,
      users: [
        { name: 'u', user: { token: 'x' } },
        { name: 'e', user: { exec: { command: 'aws' } } },
      ],
      contexts: [
        { name: 'prod', context: { cluster: 'c', user: 'u' } },
        { name: 'eks', context: { cluster: 'c', user: 'e' } },
      ],
    });
    expect(parseKubeconfig(text).map((context) => [context.name, context.problems.length])).toEqual([
      ['prod', 0],
      ['eks', 1],
    ]);
  });

  it('asks which context is meant where the file does not say', () => {
    const text = stringify(
      samples().config({
        root: {
          'current-context': '',
          contexts: ['a', 'b'].map((name) => ({ name, context: { cluster: 'c', user: 'u' } })),
        },
      }),
    );
    expect(() => chooseContext(parseKubeconfig(text), undefined)).toThrow(
      /has 2 contexts and none is the current one/,
    );
    expect(chooseContext(parseKubeconfig(text), 'b').name).toBe('b');
    expect(() => chooseContext(parseKubeconfig(text), 'c')).toThrow(/has no context "c"/);
  });

  it('stores the chosen context alone, and reads back exactly that', () => {
    const user = {
      token: 'chosen',
      'client-certificate-data': encode(samples().client.certificate),
      'client-key-data': encode(samples().client.key),
      as: 'robin',
      'as-uid': '7',
      'as-groups': ['dev', 'ops'],
      'as-user-extra': { scopes: ['view'] },
    };
    const base = samples().config({
      user,
      cluster: { 'tls-server-name': 'kubernetes', 'disable-compression': true },
      context: { namespace: 'shop' },
    });
    const text = stringify({
      ...base,
      users: [...(base['users'] as unknown[]), { name: 'neighbour', user: { token: canary } }],
    });
    const { target } = chooseContext(parseKubeconfig(text), undefined);
    if (target === undefined) throw new Error('Not usable.');
    const stored = toKubeconfig(target);
    expect(stored).not.toContain(canary);
    expect(chooseContext(parseKubeconfig(stored), undefined).target).toEqual(target);
    expect(target.impersonate).toEqual({
      user: 'robin',
      uid: '7',
      groups: ['dev', 'ops'],
      extra: { scopes: ['view'] },
    });
  });
});

describe('any text', () => {
  it('is read or refused with a problem, whatever was done to it', () => {
    const { client } = samples();
    const good = stringify(
      samples().config({
        user: {
          token: canary,
          'client-certificate-data': encode(client.certificate),
          'client-key-data': encode(client.key),
        },
      }),
    );
    const piece = fc.constantFrom(
      '\n',
      ': ',
      '- ',
      '"',
      "'",
      '{',
      '[',
      '}',
      '|\n',
      '? ',
      '\t',
      'null',
      '#',
      '\u0000',
      '',
    );
    const edits = fc.array(fc.tuple(fc.nat(good.length), fc.nat(40), piece), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(edits, (changes) => {
        let text = good;
        for (const [at, removed, added] of changes)
          text = text.slice(0, at) + added + text.slice(at + removed);
        try {
          for (const { target, problems } of parseKubeconfig(text)) {
            expect(target === undefined).toBe(problems.length > 0);
          }
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          expect([400, 413]).toContain(error.status);
        }
      }),
      { numRuns: rounds(200, 20_000) },
    );
  });
});

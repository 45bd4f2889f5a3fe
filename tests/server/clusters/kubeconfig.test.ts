import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { createAddressGuard } from '../../../src/server/clusters/address.ts';
import { contextProblems, presentContext } from '../../../src/server/clusters/judge.ts';
import { chooseContext, parseKubeconfig } from '../../../src/server/clusters/kubeconfig.ts';
import { toKubeconfig } from '../../../src/server/clusters/target.ts';
import { type Authority, makeAuthority, type Pair } from './pki.ts';

const canary = 'CANARY-f3a9c1';
const encode = (text: string) => Buffer.from(text).toString('base64');
const guard = createAddressGuard([]);

let authority: Authority;
let client: Pair;
let other: Pair;
let expired: Pair;

beforeAll(async () => {
  authority = await makeAuthority();
  client = await authority.issue({ name: 'kubernetes-admin' });
  other = await authority.issue({ name: 'other' });
  expired = await authority.issue({ name: 'late', notAfter: new Date('2026-01-01T00:00:00Z') });
});

type Fields = Record<string, unknown>;

/** A kubeconfig as an object, good but for what a test changes. */
function config(change: { cluster?: Fields; user?: Fields; context?: Fields; root?: Fields } = {}): Fields {
  return {
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
  };
}

/** Every sentence that keeps a text from being added. */
function verdict(text: string): string {
  try {
    const context = chooseContext(parseKubeconfig(text), undefined);
    const problems = contextProblems(context, guard, Date.now());
    expect(context.target === undefined).toBe(context.problems.length > 0);
    return problems.join(' ');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
}

const hostile: [name: string, text: () => string, sentence: RegExp][] = [
  [
    'exec of EKS',
    () => stringify(config({ user: { exec: { command: 'aws', args: ['eks', canary], apiVersion: 'x' } } })),
    /exec, the way EKS signs in, would run a program.*create token wheelhouse/,
  ],
  [
    'exec of GKE',
    () => stringify(config({ user: { exec: { command: 'gke-gcloud-auth-plugin' } } })),
    /the way GKE signs in/,
  ],
  ['exec of AKS', () => stringify(config({ user: { exec: { command: '/usr/bin/kubelogin' } } })), /AKS/],
  [
    'any other exec',
    () => stringify(config({ user: { exec: { command: 'sh' } } })),
    /exec would run a program/,
  ],
  [
    'exec beside a token',
    () => stringify(config({ user: { token: 'x', exec: { command: 'sh' } } })),
    /exec would run/,
  ],
  ['exec that is no mapping', () => stringify(config({ user: { exec: `sh ${canary}` } })), /exec/],
  [
    'auth-provider',
    () => stringify(config({ user: { 'auth-provider': { name: 'gcp', config: { 'cmd-path': canary } } } })),
    /auth-provider is a plug-in.*create token/,
  ],
  [
    'tokenFile',
    () => stringify(config({ user: { tokenFile: '/etc/shadow' } })),
    /tokenFile would read a file/,
  ],
  [
    'client-certificate path',
    () => stringify(config({ user: { 'client-certificate': '/root/a', 'client-key': '/root/b' } })),
    /client-certificate is a path.*client-certificate-data.*--flatten --raw.*client-key is a path/,
  ],
  [
    'certificate-authority path',
    () =>
      stringify(
        config({ cluster: { 'certificate-authority': '/etc/passwd', 'certificate-authority-data': null } }),
      ),
    /certificate-authority is a path.*certificate-authority-data.*--flatten/,
  ],
  [
    'proxy-url',
    () => stringify(config({ cluster: { 'proxy-url': `http://${canary}:1` } })),
    /proxy-url is not accepted/,
  ],
  [
    'insecure-skip-tls-verify',
    () => stringify(config({ cluster: { 'insecure-skip-tls-verify': true } })),
    /insecure-skip-tls-verify.*certificate-authority-data/,
  ],
  [
    'basic authentication',
    () => stringify(config({ user: { username: 'a', password: canary } })),
    /basic authentication/,
  ],
  ['plain http', () => stringify(config({ cluster: { server: 'http://prod.example.org' } })), /https:\/\//],
  ['another scheme', () => stringify(config({ cluster: { server: 'file:///etc/passwd' } })), /https:\/\//],
  [
    'a password in the server',
    () => stringify(config({ cluster: { server: `https://me:${canary}@prod.example.org` } })),
    /user name or password/,
  ],
  [
    'a query in the server',
    () => stringify(config({ cluster: { server: `https://a.example.org/?t=${canary}` } })),
    /query or fragment/,
  ],
  [
    'a fragment in the server',
    () => stringify(config({ cluster: { server: `https://a.example.org/#${canary}` } })),
    /query or fragment/,
  ],
  [
    'no URL as server',
    () => stringify(config({ cluster: { server: `not a url ${canary}` } })),
    /server is not a URL/,
  ],
  ['no server', () => stringify(config({ cluster: { server: null } })), /server is missing/],
  [
    'kind on loopback',
    () => stringify(config({ cluster: { server: 'https://127.0.0.1:40123' } })),
    /kind and minikube.*--kubeconfig FILE.*WHEELHOUSE_ALLOW_CIDRS/,
  ],
  [
    'localhost',
    () => stringify(config({ cluster: { server: 'https://localhost:6443' } })),
    /loopback.*--kubeconfig/,
  ],
  [
    'loopback as a number',
    () => stringify(config({ cluster: { server: 'https://2130706433:6443' } })),
    /loopback/,
  ],
  [
    'cloud metadata',
    () => stringify(config({ cluster: { server: 'https://169.254.169.254' } })),
    /link-local/,
  ],
  [
    'mapped metadata',
    () => stringify(config({ cluster: { server: 'https://[::ffff:a9fe:a9fe]' } })),
    /link-local/,
  ],
  [
    'a field of tomorrow in the user',
    () => stringify(config({ user: { token: 'x', 'run-command': canary } })),
    /run-command is not a field/,
  ],
  [
    'a field of tomorrow in the cluster',
    () => stringify(config({ cluster: { 'read-file': canary } })),
    /read-file is not a field/,
  ],
  [
    'a field of tomorrow in the context',
    () => stringify(config({ context: { hook: canary } })),
    /hook is not a field/,
  ],
  [
    'a field of tomorrow in the file',
    () => stringify(config({ root: { hooks: [canary] } })),
    /hooks is not a field/,
  ],
  [
    'a prototype as field',
    () => JSON.stringify(config()).replace('"token"', '"__proto__":{"x":1},"token"'),
    /__proto__ is not a field/,
  ],
  [
    'a token with a line break',
    () => stringify(config({ user: { token: `a\r\nX-Evil: ${canary}` } })),
    /token has a line break/,
  ],
  [
    'a token with NUL',
    () => JSON.stringify(config({ user: { token: `a\0${canary}` } })),
    /token has a line break or NUL/,
  ],
  [
    'a token with other characters',
    () => JSON.stringify(config({ user: { token: `ä${canary}` } })),
    /token has characters/,
  ],
  ['a token that is no text', () => stringify(config({ user: { token: [canary] } })), /token must be a text/],
  ['no credential', () => stringify(config({ user: {} })), /there is no credential/],
  [
    'a certificate without key',
    () => stringify(config({ user: { 'client-certificate-data': encode(client.certificate) } })),
    /needed together/,
  ],
  [
    'a key of another certificate',
    () =>
      stringify(
        config({
          user: {
            'client-certificate-data': encode(client.certificate),
            'client-key-data': encode(other.key),
          },
        }),
      ),
    /client-key-data does not belong/,
  ],
  [
    'a key that is none',
    () =>
      stringify(
        config({
          user: { 'client-certificate-data': encode(client.certificate), 'client-key-data': encode(canary) },
        }),
      ),
    /client-key-data is not a private key/,
  ],
  [
    'a certificate that has ended',
    () =>
      stringify(
        config({
          user: {
            'client-certificate-data': encode(expired.certificate),
            'client-key-data': encode(expired.key),
          },
        }),
      ),
    /ended on 2026-01-01/,
  ],
  [
    'a token that has ended',
    () =>
      stringify(
        config({ user: { token: `e30.${Buffer.from('{"exp":1700000000}').toString('base64url')}.x` } }),
      ),
    /ended on 2023-11-14/,
  ],
  [
    'data that is no base64',
    () => stringify(config({ cluster: { 'certificate-authority-data': `!${canary}` } })),
    /not base64/,
  ],
  [
    'data that is no certificate',
    () => stringify(config({ cluster: { 'certificate-authority-data': encode(canary) } })),
    /no certificate in PEM/,
  ],
  [
    'data left out by kubectl',
    () => stringify(config({ cluster: { 'certificate-authority-data': 'DATA+OMITTED' } })),
    /left out of this copy.*--raw/,
  ],
  [
    'a control character in impersonation',
    () => JSON.stringify(config({ user: { token: 'x', as: `a\n${canary}` } })),
    /printable ASCII/,
  ],
  [
    'groups without a user to act as',
    () => stringify(config({ user: { token: 'x', 'as-groups': ['system:masters'] } })),
    /need as\./,
  ],
  [
    'a tls-server-name that is none',
    () => stringify(config({ cluster: { 'tls-server-name': `a b/${canary}` } })),
    /not a host name/,
  ],
  [
    'clusters of one name',
    () =>
      stringify(
        config({
          root: {
            clusters: [
              { name: 'c', cluster: {} },
              { name: 'c', cluster: {} },
            ],
          },
        }),
      ),
    /two entries named "c" in clusters/,
  ],
  [
    'contexts of one name',
    () => stringify(config({ root: { contexts: [{ name: 'prod' }, { name: 'prod' }] } })),
    /two entries named "prod"/,
  ],
  ['a user that does not exist', () => stringify(config({ context: { user: 'nobody' } })), /names no user/],
  ['keys twice', () => `${stringify(config())}kind: ${canary}\n`, /has a key twice, on line \d+/],
  ['anchors', () => `a: &x ${canary}\n`, /anchors/],
  ['aliases', () => `a: *x\n`, /aliases/],
  ['merge keys', () => `base: &b {token: ${canary}}\nuser:\n  <<: *b\n`, /anchors/],
  ['tags', () => `a: !!js/function "${canary}"\n`, /tags/],
  ['directives', () => `%YAML 1.1\n---\n${stringify(config())}`, /directives/],
  ['several documents', () => `${stringify(config())}---\n${stringify(config())}`, /more than one document/],
  ['several quoted documents', () => '"a": "b"\n---\n"c": "d"\n', /more than one document/],
  ['another kind', () => stringify(config({ root: { kind: 'Secret' } })), /of kind Secret/],
  ['a list', () => `- ${canary}\n`, /^That is not a kubeconfig/],
  ['a text', () => canary, /^That is not a kubeconfig/],
  ['nothing', () => '# empty\n', /^That is not a kubeconfig/],
  ['no YAML at all', () => `{"token": "${canary}"`, /not valid YAML: line \d+/],
  ['bad YAML that a parser would quote', () => `token: "${canary}" ${canary}\n`, /not valid YAML/],
  ['a NUL', () => `a: \0${canary}`, /NUL/],
  ['too many bytes', () => `a: ${'ä'.repeat(140 * 1024)}`, /larger than 256 KB/],
  ['deep brackets', () => '['.repeat(100_000), /nested too deeply/],
  ['deep brackets behind quotes', () => '["]",'.repeat(50_000), /nested too deeply/],
  ['deep dashes', () => '- '.repeat(100_000), /nested too deeply/],
  ['deep questions', () => '? '.repeat(100_000), /nested too deeply/],
];

describe('hostile kubeconfigs', () => {
  it.each(hostile)('refuses %s and says why without quoting the file', (_name, text, sentence) => {
    const begun = performance.now();
    const said = verdict(text());
    expect(said).toMatch(sentence);
    expect(said).not.toContain(canary);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

describe('good kubeconfigs', () => {
  it.each([
    ['YAML', () => stringify(config())],
    ['JSON', () => JSON.stringify(config())],
    [
      'YAML with a document start, comments and quotes',
      () => `---\n# mine\n${stringify(config(), { defaultStringType: 'QUOTE_DOUBLE' })}`,
    ],
    [
      'preferences and extensions',
      () =>
        stringify(
          config({
            root: { preferences: {}, extensions: [] },
            cluster: { extensions: [{ name: 'x', extension: {} }] },
          }),
        ),
    ],
    [
      'insecure-skip-tls-verify: false',
      () => stringify(config({ cluster: { 'insecure-skip-tls-verify': false } })),
    ],
    ['a private address', () => stringify(config({ cluster: { server: 'https://10.0.0.5:6443' } }))],
  ])('takes %s', (_name, text) => {
    expect(verdict(text())).toBe('');
  });

  it('takes a client certificate, and says whose it is and when it ends', () => {
    const text = stringify(
      config({
        user: {
          'client-certificate-data': encode(client.certificate),
          'client-key-data': encode(client.key),
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
    const text = stringify(config({ cluster: { server: 'https://rancher.example.org/k8s/clusters/c-1/' } }));
    expect(parseKubeconfig(text)[0]?.target?.server).toBe('https://rancher.example.org/k8s/clusters/c-1');
  });

  it('judges contexts one by one: a bad neighbour does not spoil a good one', () => {
    const base = config();
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
      config({
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
      'client-certificate-data': encode(client.certificate),
      'client-key-data': encode(client.key),
      as: 'robin',
      'as-uid': '7',
      'as-groups': ['dev', 'ops'],
      'as-user-extra': { scopes: ['view'] },
    };
    const base = config({
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

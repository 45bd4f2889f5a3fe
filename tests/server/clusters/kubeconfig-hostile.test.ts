import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { canary, encode, useSamples, verdict } from './samples.ts';

const invisibles = ['\n', '\t', '\r', '\0', '\u001b[31m', '\u007f', '\u0085', '\u202e', '\ud800'];
const samples = useSamples();

const many = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(', ');

const hostile: [name: string, text: () => string, sentence: RegExp][] = [
  [
    'exec of EKS',
    () =>
      stringify(
        samples().config({ user: { exec: { command: 'aws', args: ['eks', canary], apiVersion: 'x' } } }),
      ),
    /exec, the way EKS signs in, would run a program.*create token wheelhouse/,
  ],
  [
    'exec of GKE',
    () => stringify(samples().config({ user: { exec: { command: 'gke-gcloud-auth-plugin' } } })),
    /the way GKE signs in/,
  ],
  [
    'exec of AKS',
    () => stringify(samples().config({ user: { exec: { command: '/usr/bin/kubelogin' } } })),
    /AKS/,
  ],
  [
    'any other exec',
    () => stringify(samples().config({ user: { exec: { command: 'sh' } } })),
    /exec would run a program/,
  ],
  [
    'exec beside a token',
    () => stringify(samples().config({ user: { token: 'x', exec: { command: 'sh' } } })),
    /exec would run/,
  ],
  ['exec that is no mapping', () => stringify(samples().config({ user: { exec: `sh ${canary}` } })), /exec/],
  [
    'auth-provider',
    () =>
      stringify(
        samples().config({ user: { 'auth-provider': { name: 'gcp', config: { 'cmd-path': canary } } } }),
      ),
    /auth-provider is a plug-in.*create token/,
  ],
  [
    'tokenFile',
    () => stringify(samples().config({ user: { tokenFile: '/etc/shadow' } })),
    /tokenFile would read a file/,
  ],
  [
    'client-certificate path',
    () => stringify(samples().config({ user: { 'client-certificate': '/root/a', 'client-key': '/root/b' } })),
    /client-certificate is a path.*client-certificate-data.*--flatten --raw.*client-key is a path/,
  ],
  [
    'certificate-authority path',
    () =>
      stringify(
        samples().config({
          cluster: { 'certificate-authority': '/etc/passwd', 'certificate-authority-data': null },
        }),
      ),
    /certificate-authority is a path.*certificate-authority-data.*--flatten/,
  ],
  [
    'proxy-url',
    () => stringify(samples().config({ cluster: { 'proxy-url': `http://${canary}:1` } })),
    /proxy-url is not accepted/,
  ],
  [
    'insecure-skip-tls-verify',
    () => stringify(samples().config({ cluster: { 'insecure-skip-tls-verify': true } })),
    /insecure-skip-tls-verify.*certificate-authority-data/,
  ],
  [
    'basic authentication',
    () => stringify(samples().config({ user: { username: 'a', password: canary } })),
    /basic authentication/,
  ],
  [
    'plain http',
    () => stringify(samples().config({ cluster: { server: 'http://prod.example.org' } })),
    /https:\/\//,
  ],
  [
    'another scheme',
    () => stringify(samples().config({ cluster: { server: 'file:///etc/passwd' } })),
    /https:\/\//,
  ],
  [
    'a password in the server',
    () => stringify(samples().config({ cluster: { server: `https://me:${canary}@prod.example.org` } })),
    /user name or password/,
  ],
  [
    'a query in the server',
    () => stringify(samples().config({ cluster: { server: `https://a.example.org/?t=${canary}` } })),
    /query or fragment/,
  ],
  [
    'a fragment in the server',
    () => stringify(samples().config({ cluster: { server: `https://a.example.org/#${canary}` } })),
    /query or fragment/,
  ],
  [
    'no URL as server',
    () => stringify(samples().config({ cluster: { server: `not a url ${canary}` } })),
    /server is not a URL/,
  ],
  ['no server', () => stringify(samples().config({ cluster: { server: null } })), /server is missing/],
  [
    'kind on loopback',
    () => stringify(samples().config({ cluster: { server: 'https://127.0.0.1:40123' } })),
    /kind and minikube.*--kubeconfig FILE.*WHEELHOUSE_ALLOW_CIDRS/,
  ],
  [
    'localhost',
    () => stringify(samples().config({ cluster: { server: 'https://localhost:6443' } })),
    /loopback.*--kubeconfig/,
  ],
  [
    'loopback as a number',
    () => stringify(samples().config({ cluster: { server: 'https://2130706433:6443' } })),
    /loopback/,
  ],
  [
    'cloud metadata',
    () => stringify(samples().config({ cluster: { server: 'https://169.254.169.254' } })),
    /link-local/,
  ],
  [
    'mapped metadata',
    () => stringify(samples().config({ cluster: { server: 'https://[::ffff:a9fe:a9fe]' } })),
    /link-local/,
  ],
  [
    'a field of tomorrow in the user',
    () => stringify(samples().config({ user: { token: 'x', 'run-command': canary } })),
    /run-command is not a field/,
  ],
  [
    'a field of tomorrow in the cluster',
    () => stringify(samples().config({ cluster: { 'read-file': canary } })),
    /read-file is not a field/,
  ],
  [
    'a field of tomorrow in the context',
    () => stringify(samples().config({ context: { hook: canary } })),
    /hook is not a field/,
  ],
  [
    'a field of tomorrow in the file',
    () => stringify(samples().config({ root: { hooks: [canary] } })),
    /hooks is not a field/,
  ],
  [
    'a secret in the place of a name',
    () => stringify(samples().config({ user: { token: 'x', [canary]: '' } })),
    /A name with other characters is not a field/,
  ],
  [
    'a prototype as field',
    () => JSON.stringify(samples().config()).replace('"token"', '"__proto__":{"x":1},"token"'),
    /__proto__ is not a field/,
  ],
  ...invisibles.flatMap((odd) =>
    ['server', 'tls-server-name', 'proxy-url'].map((field): [string, () => string, RegExp] => [
      `${JSON.stringify(odd)} in ${field}`,
      () =>
        JSON.stringify(samples().config({ cluster: { [field]: `https://a${odd}.example.org/${canary}` } })),
      new RegExp(`${field} has control or other invisible characters`),
    ]),
  ),
  [
    'an invisible character in a namespace',
    () => JSON.stringify(samples().config({ context: { namespace: `shop\u200b${canary}` } })),
    /namespace has control or other invisible characters/,
  ],
  [
    'a token with a line break',
    () => stringify(samples().config({ user: { token: `a\r\nX-Evil: ${canary}` } })),
    /token has a line break/,
  ],
  [
    'a token with NUL',
    () => JSON.stringify(samples().config({ user: { token: `a\0${canary}` } })),
    /token has a line break or NUL/,
  ],
  [
    'a token with other characters',
    () => JSON.stringify(samples().config({ user: { token: `ä${canary}` } })),
    /token has characters/,
  ],
  [
    'a token that is no text',
    () => stringify(samples().config({ user: { token: [canary] } })),
    /token must be a text/,
  ],
  ['no credential', () => stringify(samples().config({ user: {} })), /there is no credential/],
  [
    'a certificate without key',
    () =>
      stringify(
        samples().config({ user: { 'client-certificate-data': encode(samples().client.certificate) } }),
      ),
    /needed together/,
  ],
  [
    'a key of another certificate',
    () =>
      stringify(
        samples().config({
          user: {
            'client-certificate-data': encode(samples().client.certificate),
            'client-key-data': encode(samples().other.key),
          },
        }),
      ),
    /client-key-data does not belong/,
  ],
  [
    'a key that is none',
    () =>
      stringify(
        samples().config({
          user: {
            'client-certificate-data': encode(samples().client.certificate),
            'client-key-data': encode(canary),
          },
        }),
      ),
    /client-key-data is not a private key/,
  ],
  [
    'a certificate that has ended',
    () =>
      stringify(
        samples().config({
          user: {
            'client-certificate-data': encode(samples().expired.certificate),
            'client-key-data': encode(samples().expired.key),
          },
        }),
      ),
    /expired on 2026-01-01/,
  ],
  [
    'a token that has ended',
    () =>
      stringify(
        samples().config({
          user: { token: `e30.${Buffer.from('{"exp":1700000000}').toString('base64url')}.x` },
        }),
      ),
    /expired on 2023-11-14/,
  ],
  [
    'data that is no base64',
    () => stringify(samples().config({ cluster: { 'certificate-authority-data': `!${canary}` } })),
    /not base64/,
  ],
  [
    'data that is no certificate',
    () => stringify(samples().config({ cluster: { 'certificate-authority-data': encode(canary) } })),
    /no certificate in PEM/,
  ],
  [
    'data left out by kubectl',
    () => stringify(samples().config({ cluster: { 'certificate-authority-data': 'DATA+OMITTED' } })),
    /left out of this copy.*--raw/,
  ],
  [
    'a control character in impersonation',
    () => JSON.stringify(samples().config({ user: { token: 'x', as: `a\n${canary}` } })),
    /printable ASCII/,
  ],
  [
    'groups without a user to act as',
    () => stringify(samples().config({ user: { token: 'x', 'as-groups': ['system:masters'] } })),
    /need as\./,
  ],
  [
    'a tls-server-name that is none',
    () => stringify(samples().config({ cluster: { 'tls-server-name': `a b/${canary}` } })),
    /not a host name/,
  ],
  [
    'clusters of one name',
    () =>
      stringify(
        samples().config({
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
    () => stringify(samples().config({ root: { contexts: [{ name: 'prod' }, { name: 'prod' }] } })),
    /two entries named "prod"/,
  ],
  [
    'a user that does not exist',
    () => stringify(samples().config({ context: { user: 'nobody' } })),
    /names no user/,
  ],
  [
    'keys twice in flow style',
    () => `{kind: Config, users: [{"kind": a, kind: ${canary}}]}`,
    /key twice, on line 1/,
  ],
  ['keys twice', () => `${stringify(samples().config())}kind: ${canary}\n`, /has a key twice, on line \d+/],
  ['anchors', () => `a: &x ${canary}\n`, /anchors/],
  ['aliases', () => `a: *x\n`, /aliases/],
  ['merge keys', () => `base: &b {token: ${canary}}\nuser:\n  <<: *b\n`, /anchors/],
  ['tags', () => `a: !!js/function "${canary}"\n`, /tags/],
  ['directives', () => `%YAML 1.1\n---\n${stringify(samples().config())}`, /directives/],
  [
    'several documents',
    () => `${stringify(samples().config())}---\n${stringify(samples().config())}`,
    /more than one document/,
  ],
  ['several quoted documents', () => '"a": "b"\n---\n"c": "d"\n', /more than one document/],
  ['another kind', () => stringify(samples().config({ root: { kind: 'Secret' } })), /of kind Secret/],
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
  [
    'very many keys',
    () =>
      `${stringify(samples().config())}extensions: {${many(9_000, (n) => `${n.toString(36)}: ""`)}}\nmore: x`,
    /more is not a field/,
  ],
  [
    'more keys than anybody has',
    () => `{${many(30_000, (n) => `${n.toString(36)}: 1`)}}`,
    /more than 20,000 entries/,
  ],
  ['more items than anybody has', () => `[${'1,'.repeat(100_000)}]`, /more than 20,000 entries/],
  ['very many lines', () => `a: "${'\\\n'.repeat(100_000)}"`, /more than 8,000 lines/],
  ['many lines in quotes', () => `a: "${'\\\n'.repeat(7_900)}"\nb: ${canary}\n`, /^The kubeconfig/],
  [
    'a server of slashes',
    () =>
      stringify(samples().config({ cluster: { server: `https://a.example.org/${'/'.repeat(200_000)}x` } })),
    /server is longer than 2,048 characters/,
  ],
  [
    'blanks that end in no base64',
    () =>
      JSON.stringify(
        samples().config({ cluster: { 'certificate-authority-data': `a${'\t'.repeat(120_000)}!` } }),
      ),
    /not base64/,
  ],
  ['deep questions', () => '? '.repeat(100_000), /nested too deeply/],
];

describe('hostile kubeconfigs', () => {
  it.each(hostile)('refuses %s and says why without quoting the file', (_name, text, sentence) => {
    const begun = process.cpuUsage();
    const said = verdict(text());
    expect(said).toMatch(sentence);
    expect(said).not.toContain(canary);
    // Work, not time on the clock: a busy machine is no fault of the parser.
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000).toBeLessThan(1_500);
  });
});

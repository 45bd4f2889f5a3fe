import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/server/kit/config.ts';

const key = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const database = 'postgresql://me:hunter2@db.example:5432/wheelhouse';

test('without any setting: loopback, port 8080, the embedded database and the playground', () => {
  expect(readConfig({}, [], '/srv')).toEqual({
    config: {
      host: '127.0.0.1',
      port: 8080,
      url: null,
      hasSecureSubdomains: false,
      dataDir: '/srv/.wheelhouse',
      databaseUrl: null,
      secretKey: null,
      allowCidrs: [],
      issuerCidrs: [],
      metricsSourceCidrs: [],
      trustedProxies: [],
      helpUrl: null,
      isSignupOpen: false,
      mail: null,
      kubeconfigFile: null,
      playground: true,
      setup: null,
      providers: [],
      metricsToken: null,
      webhooks: { allowPorts: [], allowCidrs: [] },
      auditStreams: { file: null, allowPorts: [], allowCidrs: [], sent: 'audit' },
      billing: { kind: 'test' },
      ai: null,
      modelPolicy: { allowPorts: [], allowCidrs: [] },
      peerAddress: null,
      logLevel: 'info',
    },
    problems: [],
    warnings: [],
  });
});

test('every setting is read', () => {
  const { config } = readConfig(
    {
      HOST: '0.0.0.0',
      PORT: '443',
      WHEELHOUSE_URL: 'https://console.example.org',
      WHEELHOUSE_DATA: 'data',
      DATABASE_URL: database,
      WHEELHOUSE_SECRET_KEY: key,
      WHEELHOUSE_ISSUER_ALLOW_CIDRS: '10.7.0.0/16',
      WHEELHOUSE_METRICS_SOURCE_ALLOW_CIDRS: '10.6.0.0/16',
      WHEELHOUSE_ALLOW_CIDRS: '127.0.0.0/8, 10.1.2.3 ::1',
      WHEELHOUSE_TRUSTED_PROXIES: '10.0.0.0/8',
      WHEELHOUSE_HSTS_SUBDOMAINS: 'on',
      WHEELHOUSE_HELP_URL: 'https://chat.example.org/room',
      WHEELHOUSE_AI_ALLOW_PORTS: '8000',
      WHEELHOUSE_AI_ALLOW_CIDRS: '10.8.0.0/16',
      WHEELHOUSE_AI_BASE_URL: 'http://127.0.0.1:8000/v1',
      WHEELHOUSE_AI_MODEL: 'small',
      WHEELHOUSE_AI_API_KEY: 'hunter5',
      WHEELHOUSE_OPEN_SIGNUP: 'on',
      WHEELHOUSE_SMTP_URL: 'smtp://console:p%40ss@mail.example.org',
      WHEELHOUSE_MAIL_FROM: 'Wheelhouse <console@example.org>',
      WHEELHOUSE_KUBECONFIG: 'a.yaml',
      WHEELHOUSE_SETUP_EMAIL: 'Ada@Acme.example',
      WHEELHOUSE_SETUP_PASSWORD: 'correct horse battery',
      WHEELHOUSE_OIDC_CORP_ISSUER: 'https://id.example.org/realms/staff',
      WHEELHOUSE_OIDC_CORP_CLIENT_ID: 'console',
      WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: 'hunter2',
      WHEELHOUSE_OIDC_CORP_GROUPS_CLAIM: 'groups',
      WHEELHOUSE_OIDC_PARTNERS_ISSUER: 'http://127.0.0.1:4000',
      WHEELHOUSE_OIDC_PARTNERS_CLIENT_ID: 'console',
      WHEELHOUSE_OIDC_PARTNERS_CLIENT_SECRET: 'hunter3',
      WHEELHOUSE_OIDC_PARTNERS_LABEL: 'Partners',
      WHEELHOUSE_GOOGLE_CLIENT_ID: 'of-google',
      WHEELHOUSE_GOOGLE_CLIENT_SECRET: 'hunter4',
      WHEELHOUSE_METRICS_TOKEN: '0123456789abcdef',
      WHEELHOUSE_WEBHOOK_ALLOW_PORTS: '8443, 9443',
      WHEELHOUSE_WEBHOOK_ALLOW_CIDRS: '10.9.0.0/16',
      WHEELHOUSE_AUDIT_FILE: 'audit.jsonl',
      WHEELHOUSE_AUDIT_ALLOW_PORTS: '8088',
      WHEELHOUSE_AUDIT_ALLOW_CIDRS: '10.8.0.0/16',
      WHEELHOUSE_PEER_ADDRESS: '10.0.0.7:8081',
      WHEELHOUSE_CHARGEBEE_SITE: 'acme-test',
      WHEELHOUSE_CHARGEBEE_API_KEY: 'hunter5',
      WHEELHOUSE_CHARGEBEE_WEBHOOK_USER: 'chargebee',
      WHEELHOUSE_CHARGEBEE_WEBHOOK_PASSWORD: 'sixteen letters!',
      WHEELHOUSE_LOG_LEVEL: 'debug',
      PATH: '/bin',
    },
    ['--kubeconfig', 'b.yaml'],
    '/srv',
  );
  expect(config).toEqual({
    host: '0.0.0.0',
    port: 443,
    url: new URL('https://console.example.org'),
    hasSecureSubdomains: true,
    dataDir: '/srv/data',
    databaseUrl: database,
    secretKey: key,
    allowCidrs: ['127.0.0.0/8', '10.1.2.3/32', '::1/128'],
    issuerCidrs: ['10.7.0.0/16'],
    metricsSourceCidrs: ['10.6.0.0/16'],
    trustedProxies: ['10.0.0.0/8'],
    helpUrl: 'https://chat.example.org/room',
    isSignupOpen: true,
    mail: {
      host: 'mail.example.org',
      port: 587,
      isSecure: false,
      login: { user: 'console', password: 'p@ss' },
      from: { name: 'Wheelhouse', address: 'console@example.org' },
    },
    kubeconfigFile: '/srv/b.yaml',
    playground: false,
    setup: { email: 'ada@acme.example', password: 'correct horse battery' },
    providers: [
      {
        key: 'corp',
        label: 'single sign-on',
        issuer: new URL('https://id.example.org/realms/staff'),
        clientId: 'console',
        clientSecret: 'hunter2',
        groupsClaim: 'groups',
      },
      {
        key: 'partners',
        label: 'Partners',
        issuer: new URL('http://127.0.0.1:4000'),
        clientId: 'console',
        clientSecret: 'hunter3',
        groupsClaim: null,
      },
      {
        key: 'google',
        label: 'Google',
        issuer: new URL('https://accounts.google.com'),
        clientId: 'of-google',
        clientSecret: 'hunter4',
        groupsClaim: null,
      },
    ],
    metricsToken: '0123456789abcdef',
    webhooks: { allowPorts: [8443, 9443], allowCidrs: ['10.9.0.0/16'] },
    auditStreams: {
      file: '/srv/audit.jsonl',
      allowPorts: [8088],
      allowCidrs: ['10.8.0.0/16'],
      sent: 'audit',
    },
    modelPolicy: { allowPorts: [8000], allowCidrs: ['10.8.0.0/16'] },
    peerAddress: '10.0.0.7:8081',
    billing: {
      kind: 'chargebee',
      site: 'acme-test',
      apiKey: 'hunter5',
      webhook: { user: 'chargebee', password: 'sixteen letters!' },
      hosts: {
        protocol: 'https',
        suffix: '.chargebee.com',
        port: 443,
        script: 'https://js.chargebee.com/v2/chargebee.js',
      },
    },
    ai: {
      provider: 'openai-compatible',
      baseUrl: new URL('http://127.0.0.1:8000/v1'),
      model: 'small',
      apiKey: 'hunter5',
    },
    logLevel: 'debug',
  });
});

test('a model needs its address and its name, and its key is never repeated', () => {
  const problemsOf = (env: Record<string, string>) => readConfig(env).problems.join(' ');
  expect(problemsOf({ WHEELHOUSE_AI_API_KEY: 'hunter5' })).toMatch(/only work together/);
  expect(problemsOf({ WHEELHOUSE_AI_MODEL: 'small' })).toMatch(/only work together/);
  const odd = {
    WHEELHOUSE_AI_BASE_URL: 'ftp://a.example',
    WHEELHOUSE_AI_MODEL: 'm',
    WHEELHOUSE_AI_API_KEY: 'hunter5',
  };
  expect(problemsOf(odd)).toMatch(/not of the form/);
  expect(problemsOf(odd)).not.toContain('hunter5');
  expect(problemsOf({ WHEELHOUSE_AI_PROVIDER: 'other' })).toMatch(/openai-compatible or anthropic/);
  const { config } = readConfig({ WHEELHOUSE_AI_PROVIDER: 'anthropic', WHEELHOUSE_AI_MODEL: 'm' });
  expect(config?.ai?.baseUrl.href).toBe('https://api.anthropic.com/v1');
});

/** Settings of a provider with this issuer. */
const provider = (issuer: string) => ({
  WHEELHOUSE_OIDC_CORP_ISSUER: issuer,
  WHEELHOUSE_OIDC_CORP_CLIENT_ID: 'console',
  WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: 'hunter2',
});

const testPages = {
  WHEELHOUSE_BILLING: 'test',
  WHEELHOUSE_BILLING_TEST_URL: 'https://pay.example',
  WHEELHOUSE_BILLING_TEST_PORT: '8081',
};

describe('a bad value is one sentence that names the variable and what is expected', () => {
  test.each<[Record<string, string>, string]>([
    [{ PORT: '80a' }, 'PORT is "80a"; it must be a number from 0 (any free port) to 65535.'],
    [{ PORT: '65536' }, 'PORT is "65536"'],
    [{ HOST: 'http://x' }, 'HOST is "http://x"; it must be an address or name to listen on'],
    [{ HOST: '0.0.0.0' }, 'HOST is "0.0.0.0", which others can reach over plain http.'],
    [{ HOST: '::' }, 'HOST is "::", which others can reach over plain http.'],
    [{ HOST: 'console.example.org' }, 'which others can reach over plain http.'],
    [{ WHEELHOUSE_URL: 'console.example.org' }, 'WHEELHOUSE_URL is "console.example.org"; it is the address'],
    [{ WHEELHOUSE_URL: 'https://a.example/console' }, 'without a path after it.'],
    [{ WHEELHOUSE_URL: 'https://me:pw@a.example' }, 'WHEELHOUSE_URL carries a user name or password'],
    [{ WHEELHOUSE_URL: 'http://a.example' }, 'over plain http anyone on the network can read passwords'],
    [{ WHEELHOUSE_URL: 'ftp://a.example' }, 'WHEELHOUSE_URL is "ftp://a.example"'],
    [
      { DATABASE_URL: 'mysql://me:hunter2@db/x', WHEELHOUSE_SECRET_KEY: key },
      'DATABASE_URL is not of the form',
    ],
    [{ DATABASE_URL: database }, 'DATABASE_URL is set, so WHEELHOUSE_SECRET_KEY is needed too'],
    [{ WHEELHOUSE_BILLING: 'on' }, 'WHEELHOUSE_BILLING is "on"; it must be "test" or "off".'],
    [
      { WHEELHOUSE_BILLING: 'test', HOST: '0.0.0.0', WHEELHOUSE_URL: 'https://a.example' },
      'set WHEELHOUSE_BILLING_TEST_URL to an origin of its own',
    ],
    [{ ...testPages, WHEELHOUSE_BILLING_TEST_PORT: '' }, 'only work together: set both.'],
    [{ ...testPages, WHEELHOUSE_BILLING_TEST_PORT: '8080' }, 'and different from PORT.'],
    [{ ...testPages, WHEELHOUSE_BILLING: 'off' }, 'WHEELHOUSE_BILLING is not "test"'],
    [{ ...testPages, WHEELHOUSE_URL: 'https://pay.example' }, 'the payment page needs an origin of its own'],
    [{ ...testPages, WHEELHOUSE_BILLING_TEST_URL: 'http://pay.example' }, 'Use an https address.'],
    [{ WHEELHOUSE_CHARGEBEE_SITE: 'acme' }, 'WHEELHOUSE_CHARGEBEE_API_KEY only work together'],
    [
      {
        WHEELHOUSE_CHARGEBEE_SITE: 'acme',
        WHEELHOUSE_CHARGEBEE_API_KEY: 'hunter2',
        WHEELHOUSE_BILLING: 'test',
      },
      'WHEELHOUSE_BILLING is "test", and Chargebee is configured too',
    ],
    [
      { WHEELHOUSE_CHARGEBEE_SITE: 'acme.example/', WHEELHOUSE_CHARGEBEE_API_KEY: 'hunter2' },
      'it must be the first part of your Chargebee address',
    ],
    [{ WHEELHOUSE_SECRET_KEY: 'hunter2' }, 'WHEELHOUSE_SECRET_KEY: entry 1 is not of the form id:base64'],
    [{ WHEELHOUSE_ALLOW_CIDRS: '10.0.0.0/33' }, 'WHEELHOUSE_ALLOW_CIDRS has "10.0.0.0/33"'],
    [{ WHEELHOUSE_TRUSTED_PROXIES: 'proxy' }, 'WHEELHOUSE_TRUSTED_PROXIES has "proxy"'],
    [{ WHEELHOUSE_HELP_URL: 'javascript:alert(1)' }, 'WHEELHOUSE_HELP_URL is "javascript:alert(1)"'],
    [{ WHEELHOUSE_PLAYGROUND: 'no' }, 'WHEELHOUSE_PLAYGROUND is "no"; it must be "on" or "off".'],
    [
      { WHEELHOUSE_PLAYGROUND: 'on', DATABASE_URL: database, WHEELHOUSE_SECRET_KEY: key },
      'runs on the embedded database only',
    ],
    [{ WHEELHOUSE_SETUP_EMAIL: 'a@b.example' }, 'only work together: set both.'],
    [{ WHEELHOUSE_SETUP_PASSWORD: 'hunter2hunter2' }, 'only work together: set both.'],
    [
      { WHEELHOUSE_SETUP_EMAIL: 'me', WHEELHOUSE_SETUP_PASSWORD: 'hunter2hunter2' },
      'WHEELHOUSE_SETUP_EMAIL is "me"; that is not an email address.',
    ],
    [
      { WHEELHOUSE_SETUP_EMAIL: 'a@b.example', WHEELHOUSE_SETUP_PASSWORD: 'hunter2' },
      'WHEELHOUSE_SETUP_PASSWORD needs 12 to 256 characters.',
    ],
    [{ WHEELHOUSE_SMTP_URL: 'smtp://a:hunter2@mail.example' }, 'only work together: set both.'],
    [
      { WHEELHOUSE_SMTP_URL: 'http://a:hunter2@mail.example', WHEELHOUSE_MAIL_FROM: 'a@b.example' },
      'WHEELHOUSE_SMTP_URL is not of the form',
    ],
    [
      { WHEELHOUSE_SMTP_URL: 'smtp://mail.example', WHEELHOUSE_MAIL_FROM: 'console' },
      'WHEELHOUSE_MAIL_FROM is "console"; it must be an address',
    ],
    [{ WHEELHOUSE_METRICS_TOKEN: 'hunter2' }, 'WHEELHOUSE_METRICS_TOKEN is too short'],
    [{ WHEELHOUSE_LOG_LEVEL: 'loud' }, 'WHEELHOUSE_LOG_LEVEL is "loud"; it must be one of fatal, error'],
    [{ WHEELHOUSE_GOOGLE_CLIENT_SECRET: 'hunter2' }, 'only work together: set both.'],
    [{ WHEELHOUSE_OIDC_CORP_CLIENT_SECRET: 'hunter2' }, 'only work together: set all three.'],
    [
      provider('http://id.example.org'),
      'WHEELHOUSE_OIDC_CORP_ISSUER is "http://id.example.org"; over plain http',
    ],
    [provider('id.example.org'), 'it must be the address of an OpenID Connect issuer'],
    [provider('https://id.example.org?a=b'), 'Leave out what follows ? or #.'],
    [
      { WHEELHOUSE_OIDC_CORP_SECRET: 'hunter2' },
      'WHEELHOUSE_OIDC_CORP_SECRET is not a setting of Wheelhouse.',
    ],
    [{ WHEELHOUSE_OIDC_GOOGLE_LABEL: 'x' }, 'is not needed: set WHEELHOUSE_GOOGLE_CLIENT_ID'],
    [{ DATABSE_URL: 'x' }, 'DATABSE_URL is not a setting of Wheelhouse, but DATABASE_URL is: rename it'],
    [{ WHEELHOUSE_DATE: 'x' }, 'but WHEELHOUSE_DATA is'],
    [{ WHEELHOUSE_PORT: '8080', WHEELHOUSE_DATTA: 'x' }, 'but WHEELHOUSE_DATA is'],
  ])('%j', (env, sentence) => {
    const { config, problems } = readConfig(env);
    expect(config).toBeNull();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(sentence);
    expect(problems[0]).not.toContain('hunter2');
  });

  test('variables that begin as ours do, and are like none of them, are told and have no effect', () => {
    const { config, warnings } = readConfig({ WHEELHOUSE_DATABASE: 'hunter2', HOME: '/root', POST: '1' });
    expect(config).not.toBeNull();
    expect(warnings).toEqual([
      'WHEELHOUSE_DATABASE is not a setting of Wheelhouse and has no effect. The README lists its settings.',
    ]);
  });

  test('variables that Kubernetes adds for a Service called wheelhouse are none of ours', () => {
    const injected = {
      WHEELHOUSE_SERVICE_HOST: '10.96.0.7',
      WHEELHOUSE_SERVICE_PORT: '80',
      WHEELHOUSE_SERVICE_PORT_HTTP: '80',
      WHEELHOUSE_PORT: 'tcp://10.96.0.7:80',
      WHEELHOUSE_PORT_80_TCP: 'tcp://10.96.0.7:80',
      WHEELHOUSE_PORT_80_TCP_PROTO: 'tcp',
      WHEELHOUSE_PORT_80_TCP_PORT: '80',
      WHEELHOUSE_PORT_80_TCP_ADDR: '10.96.0.7',
      WHEELHOUSE_POSTGRESQL_SERVICE_HOST: '10.96.0.8',
    };
    const { config, warnings } = readConfig(injected);
    expect(config).not.toBeNull();
    expect(warnings).toEqual([]);
  });

  test('a password of the mail server may have a bare %', () => {
    const { config } = readConfig({
      WHEELHOUSE_SMTP_URL: 'smtp://console:100%safe@mail.example.org',
      WHEELHOUSE_MAIL_FROM: 'console@example.org',
    });
    expect(config?.mail?.login?.password).toBe('100%safe');
  });

  test.each([[['--kubeconfg', 'x']], [['x']], [['--kubeconfig']], [['--kubeconfig=']]])(
    'the arguments %j',
    (argv) => {
      expect(readConfig({}, argv).problems).toEqual([expect.stringContaining('--kubeconfig')]);
    },
  );
});

test('plans are tried out without a word where the console is: on loopback, with the embedded database', () => {
  const billing = (env: Record<string, string>) => readConfig(env).config?.billing;
  expect(billing({ DATABASE_URL: database, WHEELHOUSE_SECRET_KEY: key })).toBeNull();
  expect(billing({ HOST: '0.0.0.0', WHEELHOUSE_URL: 'https://a.example' })).toBeNull();
  expect(billing({ WHEELHOUSE_BILLING: 'off' })).toBeNull();
  const asked = { DATABASE_URL: database, WHEELHOUSE_SECRET_KEY: key, WHEELHOUSE_BILLING: 'test' };
  expect(billing(asked)).toEqual({ kind: 'test' });
  expect(billing({ ...testPages, HOST: '0.0.0.0', WHEELHOUSE_URL: 'https://a.example' })).toEqual({
    kind: 'test',
    pages: { origin: 'https://pay.example', port: 8081 },
  });
});

test('all problems show at once, and empty variables count as absent', () => {
  expect(
    readConfig({ PORT: 'x', HOST: '', WHEELHOUSE_LOG_LEVEL: 'y', WHEELHOUSE_URL: ' ' }).problems,
  ).toHaveLength(2);
});

test('a kubeconfig argument is meant from where npm was called, the variable from the checkout', () => {
  const env = { INIT_CWD: '/home/ada', WHEELHOUSE_KUBECONFIG: 'a.yaml' };
  expect(readConfig(env, ['--kubeconfig', 'b.yaml'], '/srv').config?.kubeconfigFile).toBe('/home/ada/b.yaml');
  expect(readConfig(env, [], '/srv').config?.kubeconfigFile).toBe('/srv/a.yaml');
});

test.each(['localhost', '127.0.0.2', '::1', '[::1]'])('plain http is fine on %s', (host) => {
  expect(readConfig({ HOST: host }).problems).toEqual([]);
});

test.each(['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:9', 'https://a.example:8443/'])(
  '%s is an origin',
  (url) => {
    expect(readConfig({ WHEELHOUSE_URL: url }).config?.url?.origin).toBe(new URL(url).origin);
  },
);

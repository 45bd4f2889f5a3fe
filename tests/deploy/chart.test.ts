import { describe, expect, test } from 'vitest';
import { kinds } from '../../commands/kinds/index.ts';
import { bootstrapRoles } from '../../src/playground/seeds/bootstrap-roles.ts';
import { closeLimit } from '../../src/server/boot/close-limit.ts';
import { chart, objectsOf, render, type Rendered, runHelm, valueNames, valuesFile } from './chart.ts';
import { isHelmMissing } from './helm.ts';

interface Container {
  readonly image: string;
  readonly securityContext: unknown;
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: { readonly requests?: object; readonly limits?: object };
  readonly readinessProbe: { readonly httpGet: { readonly path: string } };
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
}

interface PodSpec {
  readonly securityContext: unknown;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly Container[];
  readonly volumes: readonly Readonly<Record<string, unknown>>[];
}

const podOf = (objects: readonly Rendered[]): PodSpec => {
  const template = objects.find(({ kind }) => kind === 'Deployment')?.spec?.['template'];
  if (template === undefined) throw new Error('The chart has no Deployment.');
  return (template as { readonly spec: PodSpec }).spec;
};

const rendered = new Map(valueNames.map((name) => [name, render(name)]));

describe.skipIf(isHelmMissing)('real Helm renders the chart', () => {
  test.each(valueNames)('%s: as its golden file', async (name) => {
    const { manifests, refusal } = rendered.get(name) ?? render(name);
    expect(refusal).toBe('');
    await expect(manifests).toMatchFileSnapshot(`golden/${name}.yaml`);
  });

  test('and finds nothing to say about it', () => {
    const { manifests, refusal } = runHelm(['lint', chart, '--strict', '--values', valuesFile('everything')]);
    expect(refusal).toBe('');
    expect(manifests).toContain('0 chart(s) failed');
  });
});

test.skipIf(isHelmMissing)('it renders without a cluster, whatever version Helm takes that to be', () => {
  const { refusal } = runHelm([
    'template',
    'console',
    chart,
    '--kube-version=1.25.0',
    '--values',
    valuesFile('servers'),
  ]);
  expect(refusal).toBe('');
});

test.skipIf(isHelmMissing)('a variable that is a number or a switch is as it was written', () => {
  const written = { WHEELHOUSE_LIMIT: 2_000_000, OTEL_TRACES_SAMPLER_ARG: 0.1, WHEELHOUSE_TRIAL: true };
  const values = ['--values', valuesFile('servers'), '--set-json', `env=${JSON.stringify(written)}`];
  const { manifests } = runHelm(['template', 'console', chart, '--kube-version=1.36.0', ...values]);
  const { env = [] } = podOf(objectsOf(manifests)).containers[0] ?? {};
  const given = Object.keys(written).map((name) => env.find((one) => one.name === name)?.value);
  expect(given).toEqual(['2000000', '0.1', 'true']);
});

describe.skipIf(isHelmMissing)('bad values are refused with a sentence', () => {
  test.each<[what: string, set: string, sentence: string]>([
    ['no address', 'url=', 'Set url to the public origin of the console'],
    ['an address with a path', 'url=https://example.org/x', 'url: Does not match pattern'],
    ['an address over plain http', 'url=http://example.org', 'url: Does not match pattern'],
    [
      'no database',
      'database.existingSecret=',
      'Name the Secret that holds DATABASE_URL in database.existingSecret',
    ],
    [
      'no key',
      'secretKey.existingSecret=',
      'Name the Secret that holds WHEELHOUSE_SECRET_KEY in secretKey.existingSecret',
    ],
    ['several servers over an embedded database', 'embedded.enabled=true', 'replicas does not match: 1'],
    ['no server', 'replicas=0', 'replicas: Must be greater than or equal to 1'],
    ['a name that no value has', 'replica=2', 'Additional property replica is not allowed'],
    ['the same deeper down', 'image.name=x', 'image: Additional property name is not allowed'],
    ['half a digest', 'image.digest=sha256:12', 'image.digest: Does not match pattern'],
    ['a variable in lower case', 'env.log=x', 'Property name of "log" does not match'],
    [
      'a monitor without a token',
      'metrics.serviceMonitor.enabled=true',
      'Name the Secret that holds the bearer token for /metrics',
    ],
    [
      'a playground beside an external database',
      'playground=true',
      'The playground runs on an embedded database only',
    ],
    ['a variable that the chart sets', 'env.HOST=x', 'Remove env.HOST: the chart sets this variable'],
    [
      'a variable twice',
      'env.HTTPS_PROXY=x,extraEnv[0].name=HTTPS_PROXY',
      'Remove HTTPS_PROXY from extraEnv',
    ],
    ['a route without a Gateway', 'httpRoute.enabled=true', 'Name the Gateway in httpRoute.parentRefs.'],
  ])('%s', (_what, set, sentence) => {
    expect(render('servers', set).refusal).toContain(sentence);
  });
});

test.skipIf(isHelmMissing)(
  'the role for its own cluster and the cluster’s own `view` together read every kind with a file but Secrets',
  () => {
    const objects = objectsOf(rendered.get('everything')?.manifests ?? '');
    const own = objects.find(({ kind }) => kind === 'ClusterRole')?.rules ?? [];
    const view = bootstrapRoles['system:aggregate-to-view']?.rules ?? [];
    const readable = [...own, ...(view as unknown as typeof own)].flatMap(
      ({ apiGroups, resources, verbs }) =>
        verbs.includes('watch')
          ? apiGroups.flatMap((group) => resources.map((name) => `${group}/${name}`))
          : [],
    );
    const unread = kinds
      .filter(({ id, source }) => id !== 'secret' && source === undefined)
      .map(({ group, plural }) => `${group}/${plural}`)
      .filter((name) => !readable.includes(name));
    expect(unread).toEqual([]);
  },
);

describe.each(isHelmMissing ? [] : valueNames)('%s: what it runs is restricted', (name) => {
  const objects = objectsOf(rendered.get(name)?.manifests ?? '');
  const pod = podOf(objects);

  test('the pod meets the restricted Pod Security Standard', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const container of pod.containers)
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    for (const volume of pod.volumes) expect(volume).not.toHaveProperty('hostPath');
  });

  test('it holds no secret as text, and no link to a Service that it would take for a variable', () => {
    for (const { name: variable, value } of pod.containers.flatMap(({ env }) => env))
      if (/KEY|TOKEN|PASSWORD|DATABASE_URL/.test(variable)) expect(value).toBeUndefined();
    expect(pod.enableServiceLinks).toBe(false);
    expect(objects.map(({ kind }) => kind)).not.toContain('Secret');
  });

  test('it states what it needs, and a limit of memory', () => {
    for (const { resources } of pod.containers) {
      expect(resources.requests).toMatchObject({ cpu: expect.any(String), memory: expect.any(String) });
      expect(resources.limits).toMatchObject({ memory: expect.any(String) });
    }
  });

  test('a pod that goes is asked by nobody before it is told to end, and has the time to end in order', () => {
    for (const { readinessProbe, lifecycle } of pod.containers) {
      // A full disk is no reason to send nobody to a pod: reads go on.
      expect(readinessProbe.httpGet.path).toBe('/readyz?exclude=disk');
      // The kubelet's own pause: the image has no shell.
      const pause = lifecycle.preStop.sleep.seconds;
      expect(pause).toBeGreaterThanOrEqual(5);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pause + closeLimit / 1_000);
    }
  });

  test('a role of the cluster exists where it is asked for alone, reads, and never Secrets', () => {
    const roles = objects.filter(({ kind }) => kind === 'ClusterRole');
    const isAsked = name === 'everything';
    expect(roles).toHaveLength(isAsked ? 1 : 0);
    expect(pod.automountServiceAccountToken).toBe(isAsked);
    for (const { resources, verbs } of roles.flatMap(({ rules }) => rules ?? [])) {
      expect(resources).not.toContain('secrets');
      expect(resources).not.toContain('*');
      expect(['get', 'list', 'watch']).toEqual(expect.arrayContaining([...verbs]));
    }
  });
});

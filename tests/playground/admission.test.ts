import { describe, expect, test } from 'vitest';
import { startPlayground } from '../../src/playground/server.ts';
import { ManualClock } from '../../src/playground/kit/clock.ts';
import { createObject, updateObject } from '../../src/playground/objects/objects.ts';
import { resourceAt } from '../../src/playground/life/write.ts';
import { at, type Obj, type Rec, rec, recs } from '../../src/playground/kit/values.ts';
import { send } from './client.ts';
import { Lab } from './lab.ts';

/** Stores an object of the default namespace; the refusal's sentence when it is refused. */
function make(lab: Lab, storage: string, body: Rec): string {
  try {
    createObject(lab.world, resourceAt(lab.world, storage), 'default', body);
    return 'made';
  } catch (error) {
    return (error as Error).message;
  }
}
function change(lab: Lab, storage: string, name: string, update: (object: Obj) => Rec): string {
  try {
    updateObject(lab.world, resourceAt(lab.world, storage), 'default', name, update);
    return 'changed';
  } catch (error) {
    return (error as Error).message;
  }
}
const pod = (name: string, resources: Rec = {}, fields: Rec = {}, metadata: Rec = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'a', image: 'a:1', resources }], ...fields },
});
const range = (limits: Rec) => ({ metadata: { name: 'usual' }, spec: { limits: [limits] } });
const resourcesOf = (object: Obj) => recs(at(object, 'spec', 'containers'))[0]?.['resources'];

describe('a limit range', () => {
  test('sets missing requests and limits of containers, and notes it in an annotation', () => {
    const lab = new Lab();
    make(
      lab,
      '/limitranges',
      range({ type: 'Container', default: { cpu: '500m', memory: '1Gi' }, defaultRequest: { cpu: '100m' } }),
    );
    make(lab, '/pods', pod('one', { requests: { memory: '10Mi' } }));
    const one = lab.get('/pods', 'one');
    expect(resourcesOf(one)).toEqual({
      limits: { cpu: '500m', memory: '1Gi' },
      requests: { cpu: '100m', memory: '10Mi' },
    });
    expect(one.metadata.annotations?.['kubernetes.io/limit-ranger']).toBe(
      'LimitRanger plugin set: cpu request for container a; cpu, memory limit for container a',
    );
    expect(at(one, 'status', 'qosClass')).toBe('Burstable');
  });

  test("refuses amounts outside its bounds with the server's message", () => {
    const lab = new Lab();
    const bounds = { min: { cpu: '100m' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '2' } };
    make(lab, '/limitranges', range({ type: 'Container', ...bounds }));
    expect(make(lab, '/pods', pod('low', { requests: { cpu: '50m' }, limits: { cpu: '80m' } }))).toBe(
      'pods "low" is forbidden: minimum cpu usage per Container is 100m, but request is 50m',
    );
    expect(make(lab, '/pods', pod('high', { requests: { cpu: '1500m' }, limits: { cpu: '2' } }))).toBe(
      'pods "high" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
    );
    expect(make(lab, '/pods', pod('wide', { requests: { cpu: '200m' }, limits: { cpu: '1' } }))).toBe(
      'pods "wide" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 5.000000',
    );
    expect(make(lab, '/pods', pod('fine', { requests: { cpu: '500m' }, limits: { cpu: '1' } }))).toBe('made');
  });

  test("bounds the sum over a pod's containers, and claims", () => {
    const lab = new Lab();
    make(lab, '/limitranges', range({ type: 'Pod', max: { memory: '1Gi' } }));
    const two = pod('two');
    const container = (name: string) => ({ name, image: 'a', resources: { limits: { memory: '600Mi' } } });
    expect(make(lab, '/pods', { ...two, spec: { containers: [container('a'), container('b')] } })).toBe(
      'pods "two" is forbidden: maximum memory usage per Pod is 1Gi, but limit is 1200Mi',
    );
    make(lab, '/limitranges', {
      metadata: { name: 'claims' },
      spec: { limits: [{ type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '4Gi' } }] },
    });
    const claim = (storage: string) => ({
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    });
    expect(make(lab, '/persistentvolumeclaims', claim('1Gi'))).toBe(
      'persistentvolumeclaims "data" is forbidden: minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi',
    );
    expect(make(lab, '/persistentvolumeclaims', claim('5Gi'))).toBe(
      'persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 4Gi, but request is 5Gi',
    );
  });
});

describe('a quota', () => {
  const quota = (hard: Rec, more: Rec = {}) => ({ metadata: { name: 'team' }, spec: { hard, ...more } });
  const used = (lab: Lab) => at(lab.get('/resourcequotas', 'team'), 'status', 'used');

  test('is charged by each write, refuses writes above it, and is credited by deletions', () => {
    const lab = new Lab();
    make(lab, '/resourcequotas', quota({ pods: '2', 'requests.cpu': '1', 'count/configmaps': '2' }));
    lab.advance(1);
    expect(lab.get('/resourcequotas', 'team')['status']).toEqual({
      hard: { pods: '2', 'requests.cpu': '1', 'count/configmaps': '2' },
      used: { pods: '0', 'requests.cpu': '0', 'count/configmaps': '1' },
    });
    expect(make(lab, '/pods', pod('one', { requests: { cpu: '600m' } }))).toBe('made');
    expect(used(lab)).toMatchObject({ pods: '1', 'requests.cpu': '600m' });
    expect(make(lab, '/pods', pod('two', { requests: { cpu: '500m' } }))).toBe(
      'pods "two" is forbidden: exceeded quota: team, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1',
    );
    expect(make(lab, '/pods', pod('two'))).toBe(
      'pods "two" is forbidden: failed quota: team: must specify requests.cpu for: a',
    );
    expect(make(lab, '/configmaps', { metadata: { name: 'a' } })).toBe('made');
    expect(make(lab, '/configmaps', { metadata: { name: 'b' } })).toBe(
      'configmaps "b" is forbidden: exceeded quota: team, requested: count/configmaps=1, used: count/configmaps=2, limited: count/configmaps=2',
    );
    lab.remove('/pods', 'one');
    lab.advance(60);
    expect(used(lab)).toMatchObject({ pods: '0', 'requests.cpu': '0' });
  });

  test('restricts nothing until its usage has been counted', () => {
    const lab = new Lab();
    make(lab, '/resourcequotas', quota({ pods: '0' }));
    expect(make(lab, '/pods', pod('early'))).toBe('made');
  });

  test('counts node ports and load balancers also when a service changes', () => {
    const lab = new Lab();
    make(lab, '/resourcequotas', quota({ 'services.nodeports': '1', 'services.loadbalancers': '0' }));
    lab.advance(1);
    const ports = [{ name: 'a', port: 80 }];
    make(lab, '/services', { metadata: { name: 'web' }, spec: { ports } });
    const typed = (type: string) =>
      change(lab, '/services', 'web', (object) => ({ ...object, spec: { ...rec(object['spec']), type } }));
    expect(typed('LoadBalancer')).toBe(
      'services "web" is forbidden: exceeded quota: team, requested: services.loadbalancers=1, used: services.loadbalancers=0, limited: services.loadbalancers=0',
    );
    expect(typed('NodePort')).toBe('changed');
    expect(used(lab)).toEqual({ 'services.nodeports': '1', 'services.loadbalancers': '0' });
  });

  test('with scopes counts only the pods in all of them', () => {
    const lab = new Lab();
    make(lab, '/resourcequotas', quota({ pods: '0' }, { scopes: ['BestEffort', 'NotTerminating'] }));
    lab.advance(1);
    expect(make(lab, '/pods', pod('plain'))).toMatch(/exceeded quota: team, requested: pods=1, used: pods=0/);
    expect(make(lab, '/pods', pod('ending', {}, { activeDeadlineSeconds: 5 }))).toBe('made');
    expect(make(lab, '/pods', pod('asking', { requests: { cpu: '1m' } }))).toBe('made');
  });

  test('selects pods by their priority class', () => {
    const lab = new Lab();
    make(lab, 'scheduling.k8s.io/priorityclasses', { metadata: { name: 'high' }, value: 1000 });
    const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }];
    make(lab, '/resourcequotas', quota({ pods: '0' }, { scopeSelector: { matchExpressions } }));
    lab.advance(1);
    expect(make(lab, '/pods', pod('low'))).toBe('made');
    expect(make(lab, '/pods', pod('top', {}, { priorityClassName: 'high' }))).toMatch(/exceeded quota: team/);
  });

  test('keeps a ReplicaSet from creating pods, which reports it', () => {
    const lab = new Lab();
    make(lab, '/resourcequotas', quota({ pods: '1' }));
    lab.advance(1);
    lab.deploy('shop', { replicas: 2 });
    lab.advance(30);
    expect(lab.pods('shop')).toHaveLength(1);
    const condition = lab.condition(lab.deployment('shop'), 'ReplicaFailure');
    expect(condition).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    expect(String(condition['message'])).toMatch(
      /^pods "shop-[^"]+" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1$/,
    );
  });
});

describe('other admission', () => {
  test('lets a claim grow only if its storage class allows it', () => {
    const lab = new Lab();
    for (const [name, allowVolumeExpansion] of [
      ['stiff', false],
      ['soft', true],
    ] as const) {
      const own = { provisioner: 'csi.example.net', allowVolumeExpansion };
      make(lab, 'storage.k8s.io/storageclasses', { metadata: { name }, ...own });
      make(lab, '/persistentvolumeclaims', {
        metadata: { name },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: name,
          resources: { requests: { storage: '1Gi' } },
        },
      });
    }
    lab.advance(5);
    const grow = (name: string) =>
      change(lab, '/persistentvolumeclaims', name, (claim) => ({
        ...claim,
        spec: { ...rec(claim['spec']), resources: { requests: { storage: '2Gi' } } },
      }));
    expect(grow('stiff')).toBe(
      'persistentvolumeclaims "stiff" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
    expect(grow('soft')).toBe('changed');
  });

  test('sets service accounts with their pull secrets and token volumes', () => {
    const lab = new Lab();
    expect(make(lab, '/pods', pod('lost', {}, { serviceAccountName: 'nobody' }))).toBe(
      'pods "lost" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
    );
    make(lab, '/serviceaccounts', {
      metadata: { name: 'builder' },
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: 'registry' }],
    });
    make(lab, '/pods', pod('build', {}, { serviceAccountName: 'builder' }));
    const spec = rec(lab.get('/pods', 'build')['spec']);
    expect(spec['imagePullSecrets']).toEqual([{ name: 'registry' }]);
    expect(spec['volumes']).toBeUndefined();
  });

  test('computes priorities and allows one default class', () => {
    const lab = new Lab();
    const classes = 'scheduling.k8s.io/priorityclasses';
    make(lab, classes, { metadata: { name: 'usual' }, value: 10, globalDefault: true });
    expect(make(lab, classes, { metadata: { name: 'other' }, value: 20, globalDefault: true })).toBe(
      'priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    );
    expect(make(lab, classes, { metadata: { name: 'system-mine' }, value: 20 })).toBe(
      'PriorityClass.scheduling.k8s.io "system-mine" is invalid: metadata.name: Forbidden: priority class names with \'system-\' prefix are reserved for system use only. error: system-mine is not a known system priority class',
    );
    expect(make(lab, '/pods', pod('own', {}, { priority: 5 }))).toBe(
      'pods "own" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 10 from the given PriorityClass name',
    );
    make(lab, '/pods', pod('plain'));
    expect(lab.get('/pods', 'plain')['spec']).toMatchObject({ priority: 10, priorityClassName: 'usual' });
  });

  test('adds the overhead of a runtime class', () => {
    const lab = new Lab();
    expect(make(lab, '/pods', pod('boxed', {}, { runtimeClassName: 'box' }))).toBe(
      'pods "boxed" is forbidden: pod rejected: RuntimeClass "box" not found',
    );
    make(lab, 'node.k8s.io/runtimeclasses', {
      metadata: { name: 'box' },
      handler: 'box',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: { boxed: 'yes' } },
    });
    make(lab, '/pods', pod('boxed', {}, { runtimeClassName: 'box' }));
    expect(lab.get('/pods', 'boxed')['spec']).toMatchObject({
      overhead: { cpu: '100m' },
      nodeSelector: { boxed: 'yes' },
    });
  });
});

test("a namespace's pod security level refuses pods and warns the writers of workloads", async () => {
  const playground = await startPlayground({
    seed: 'none',
    clock: new ManualClock(Date.parse('2026-03-01')),
  });
  const call = async (method: string, path: string, body: object, type = 'application/json') => {
    const headers = { 'content-type': type };
    const answer = await send(playground, { method, path, headers, body: JSON.stringify(body) });
    const { warning } = answer.headers;
    return { ...(JSON.parse(answer.text) as Rec), warning: warning ?? '' };
  };
  const labels = (level: string) => ({
    'pod-security.kubernetes.io/enforce': level,
    'pod-security.kubernetes.io/warn': 'restricted',
  });
  try {
    await call('POST', '/api/v1/namespaces', { metadata: { name: 'calm', labels: labels('baseline') } });
    const asRoot = {
      hostNetwork: true,
      containers: [{ name: 'a', image: 'a', securityContext: { privileged: true } }],
    };
    expect(
      await call('POST', '/api/v1/namespaces/calm/pods', { metadata: { name: 'root' }, spec: asRoot }),
    ).toMatchObject({
      code: 403,
      message:
        'pods "root" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true), privileged (container "a" must not set securityContext.privileged=true)',
    });
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    };
    const made = await call('POST', '/apis/apps/v1/namespaces/calm/deployments', {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { app: 'a' } }, template },
    });
    expect(made.warning).toBe(
      `299 - ${JSON.stringify(
        'would violate PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
      )}`,
    );
    await call('POST', '/api/v1/namespaces/calm/pods', { metadata: { name: 'plain' }, spec: template.spec });
    const merge = 'application/merge-patch+json';
    const stricter = await call(
      'PATCH',
      '/api/v1/namespaces/calm',
      { metadata: { labels: labels('restricted') } },
      merge,
    );
    expect(stricter.warning).toContain(
      'plain: allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile',
    );
    const odd = await call(
      'PATCH',
      '/api/v1/namespaces/calm',
      { metadata: { labels: labels('odd') } },
      merge,
    );
    expect(odd).toMatchObject({ code: 422 });
    expect(String((odd as Rec)['message'])).toContain('must be one of privileged, baseline, restricted');
  } finally {
    await playground.close();
  }
});

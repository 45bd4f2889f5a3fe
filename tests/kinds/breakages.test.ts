import { describe, expect, test } from 'vitest';
import { deployment } from '../../commands/kinds/deployment.ts';
import { pod } from '../../commands/kinds/pod.ts';
import { type Behaviour, behaviours } from '../../src/playground/kit/behaviour.ts';
import { create } from '../../src/playground/life/write.ts';
import type { Attention } from '../../src/registry/kinds/attention.ts';
import type { Around } from '../../src/registry/kinds/kind.ts';
import { isDue } from '../../src/server/live/dashboard/attention-lines.ts';
import { Lab } from '../playground/lab.ts';

/** The rules that must report each breakage, and the cause. Empty for a breakage that breaks nothing. */
const expected: Readonly<Record<Behaviour, { readonly rules: readonly string[]; readonly detail?: RegExp }>> =
  {
    ok: { rules: [] },
    noisy: { rules: [] },
    deaf: { rules: [] },
    'slow-start': { rules: [] },
    'crash-loop': { rules: ['pod.crash-loop'], detail: /^Last exit with code 1$/ },
    'exit-1': { rules: ['pod.crash-loop'], detail: /^Last exit with code 1$/ },
    'exit-0': { rules: ['pod.crash-loop'], detail: /^Last exit with code 0 \(Completed\)$/ },
    flaky: { rules: ['pod.crash-loop'], detail: /^Last exit with code 1$/ },
    oom: { rules: ['pod.oom'], detail: /^Last exit with code 137 \(OOMKilled\)$/ },
    'image-pull': { rules: ['pod.image'], detail: /image/ },
    'config-error': { rules: ['pod.config'], detail: /not found/ },
    unready: { rules: ['pod.unready'], detail: /^Readiness probe failed/ },
    flapping: { rules: [] },
    liveness: { rules: ['pod.crash-loop'], detail: /Liveness probe failed/ },
    startup: { rules: ['pod.crash-loop'], detail: /Startup probe failed/ },
    'init-fail': { rules: ['pod.crash-loop'], detail: /^Last exit with code 1$/ },
    evicted: { rules: ['pod.failed'], detail: /low on resource/ },
    unschedulable: { rules: ['pod.unschedulable'], detail: /nodes are available/ },
  };

/** What surrounds an object in this cluster: its warnings, newest first. */
function aroundOf(lab: Lab, name: string): Around {
  const warnings = lab.events(name).flatMap((text) => {
    const [, reason = '', message = ''] = /^Warning (\w+): ([\s\S]*)$/.exec(text) ?? [];
    return reason === '' ? [] : [{ reason, message }];
  });
  return { warnings: warnings.reverse() };
}

/** The problems reported for a workload's pods over some time: at the end and in between. */
function saidOver(lab: Lab, name: string, seconds: number): Attention[] {
  const said: Attention[] = [];
  for (let second = 0; second < seconds; second += 5) {
    lab.advance(5);
    for (const object of lab.pods(name)) {
      const found = pod.attention?.(object, aroundOf(lab, object.metadata.name ?? ''));
      if (found !== undefined && isDue(found, lab.clock.now() / 1000)) said.push(found);
    }
  }
  return said;
}

describe('every breakage of the playground is diagnosed with its cause and remedy', () => {
  test.each(Object.keys(behaviours) as Behaviour[])('%s', (behaviour) => {
    const lab = new Lab();
    const { rules, detail } = expected[behaviour];
    create(lab.world, 'apps/deployments', 'default', {
      metadata: { name: 'web' },
      spec: {
        // The kubelet evicts only some of the pods.
        replicas: behaviour === 'evicted' ? 3 : 1,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' }, annotations: { 'playground/behaviour': behaviour } },
          spec: {
            ...(behaviour === 'init-fail'
              ? { initContainers: [{ name: 'migrate', image: 'example/migrate:1' }] }
              : {}),
            containers: [
              {
                name: 'main',
                image: 'example/app:1',
                resources: { limits: { memory: '64Mi' } },
                readinessProbe: { httpGet: { path: '/', port: 80 } },
                ...(behaviour === 'liveness'
                  ? { livenessProbe: { httpGet: { path: '/live', port: 80 } } }
                  : {}),
                ...(behaviour === 'startup' || behaviour === 'slow-start'
                  ? { startupProbe: { httpGet: { path: '/start', port: 80 } } }
                  : {}),
              },
            ],
          },
        },
      },
    });
    const said = saidOver(lab, 'web', behaviour === 'flaky' ? 3_600 : 900);
    expect([...new Set(said.map(({ rule }) => rule))]).toEqual(rules);
    if (detail !== undefined)
      expect(said.map((one) => one.detail ?? '').join('\n---\n')).toMatch(detailIn(detail));
    for (const one of said) expect(one.action).toMatch(/^(deployment\.|object\.delete$)/);
    // Every ended container has last log lines.
    for (const one of said)
      if (one.rule === 'pod.crash-loop' || one.rule === 'pod.oom') expect(one.log).toBeDefined();
    if (behaviour === 'oom') expect(said[0]?.title).toContain('64Mi');
  });

  test('a crash loop is reported between two crashes, and no longer once the container has run for a while', () => {
    const lab = new Lab();
    lab.deploy('web', { replicas: 1, behaviour: 'liveness' });
    saidOver(lab, 'web', 300);
    const [object] = lab.pods('web');
    const found = pod.attention?.(object ?? {});
    const since = found?.since ?? 0;
    expect(found).toMatchObject({ rule: 'pod.crash-loop' });
    if (found?.notAfter !== undefined) {
      expect(isDue(found, since + 179)).toBe(true);
      expect(isDue(found, since + 600)).toBe(false);
    }
  });

  test('a workload reports that a quota prevents its pods, and can be scaled', () => {
    const lab = new Lab();
    create(lab.world, '/resourcequotas', 'default', {
      metadata: { name: 'small' },
      spec: { hard: { pods: '1' } },
    });
    lab.advance(5);
    lab.deploy('web', { replicas: 2 });
    lab.advance(30);
    const read = () => deployment.attention?.(lab.deployment('web'));
    expect(read()).toMatchObject({
      rule: 'deployment.blocked',
      title: 'Its pods cannot be created: the quota of the namespace is used up.',
      detail: expect.stringContaining('exceeded quota: small'),
      action: 'deployment.scale',
    });
  });
});

/** A pattern for one line among several. */
const detailIn = ({ source }: RegExp) => new RegExp(source, 'm');

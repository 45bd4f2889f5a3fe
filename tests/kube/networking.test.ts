import { describe, expect, test } from 'vitest';
import { type Ingress, ingressHosts, ingressRoutes } from '../../src/kube/networking.ts';

const http = { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web' } } }] };

describe('the hosts of an Ingress', () => {
  test.each<[string, Ingress['spec'], readonly string[]]>([
    [
      'are those of its rules, each once',
      { rules: [{ host: 'a.io' }, { host: 'b.io' }, { host: 'a.io' }] },
      ['a.io', 'b.io'],
    ],
    ['are * for a rule without one', { rules: [{ http }] }, ['*']],
    ['are * for a rule with an empty one', { rules: [{ host: '', http }] }, ['*']],
    ['are both where rules differ', { rules: [{ host: 'a.io' }, { http }] }, ['a.io', '*']],
    ['are * without rules', { defaultBackend: { service: { name: 'web' } } }, ['*']],
    ['are * without rules in an empty list', { rules: [] }, ['*']],
  ])('%s', (_rule, spec, hosts) => {
    expect(ingressHosts({ metadata: { name: 'web' }, spec } as Ingress)).toEqual(hosts);
  });

  test('equal those of its routes', () => {
    const routes = ingressRoutes({ spec: { rules: [{ host: '', http }, { http }] } });
    expect(routes.map(({ host }) => host)).toEqual(['*', '*']);
  });
});

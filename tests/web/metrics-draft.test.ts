import { expect, test } from 'vitest';
import type { MetricsSource } from '../../src/contract/metrics-source.ts';
import { changeOf, draftOf, reasonAgainst } from '../../src/web/screens/ClusterRules/metrics-draft.ts';

const service = {
  from: 'service',
  service: 'prometheus',
  port: 'web',
  namespace: 'monitoring',
  isTls: true,
  label: { name: 'cluster', value: 'a=b' },
} as const satisfies MetricsSource;
const address = {
  from: 'url',
  url: 'https://prometheus.example.org',
  ca: '',
  label: null,
  credential: { sort: 'kept', as: 'basic' },
} as const satisfies MetricsSource;

test('a source that is stored is sent again as it is, and is no change', () => {
  for (const saved of [{ from: 'metrics.k8s.io' } as const, service]) {
    expect(changeOf(draftOf(saved))).toEqual(saved);
    expect(reasonAgainst(draftOf(saved), saved)).toBe('Nothing is changed.');
  }
  expect(changeOf(draftOf(address))).toMatchObject({ url: address.url, credential: { sort: 'kept' } });
  expect(reasonAgainst(draftOf(address), address)).toBe('Nothing is changed.');
});

test('what is typed for another source is not sent', () => {
  const draft = {
    ...draftOf(service),
    from: 'url',
    url: ' https://p.example ',
    credential: 'bearer',
    token: ' t ',
  } as const;
  expect(changeOf(draft)).toEqual({
    from: 'url',
    url: 'https://p.example',
    ca: '',
    label: service.label,
    credential: { sort: 'bearer', token: 't' },
  });
  expect(changeOf({ ...draft, from: 'metrics.k8s.io' })).toEqual({ from: 'metrics.k8s.io' });
});

test('a source needs its parts first', () => {
  expect(reasonAgainst({ ...draftOf(service), namespace: ' ' }, service)).toContain('namespace');
  expect(reasonAgainst({ ...draftOf(address), url: '' }, address)).toContain('address');
  expect(reasonAgainst({ ...draftOf(address), token: 'x' }, address)).toBeUndefined();
});

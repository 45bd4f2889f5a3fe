import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../commands/index.ts';
import { renderTemplate } from '../../commands/templates/render.ts';
import { templateKinds, templatesOf, templateVariants } from '../../src/registry/commands/templates.ts';

const render = (kind: string, variant: string, values = {}) => renderTemplate(kind, variant, values);
const read = (kind: string, variant: string, values = {}) => parse(render(kind, variant, values)) as never;

describe('the eight templates (specification section 9)', () => {
  test('are these, in this order', () => {
    expect(templateKinds(commands)).toEqual(['Deployment', 'Service', 'Ingress']);
    expect(templateVariants(commands, 'Deployment')).toEqual(['basic', 'with-resources', 'with-probes']);
    expect(templateVariants(commands, 'Service')).toEqual(['basic', 'nodeport', 'loadbalancer']);
    expect(templateVariants(commands, 'Ingress')).toEqual(['basic', 'with-tls']);
  });

  test.each(templatesOf(commands).map(({ resource, variant }) => [resource, variant] as const))(
    '%s %s is an object of its kind named example in namespace default',
    (kind, variant) => {
      expect(read(kind, variant)).toMatchObject({
        kind,
        metadata: { name: 'example', namespace: 'default' },
      });
    },
  );

  const container = (variant: string) =>
    (read('Deployment', variant) as { spec: { template: { spec: { containers: unknown[] } } } }).spec.template
      .spec.containers;
  const plain = { name: 'example', image: 'nginx:latest', ports: [{ containerPort: 80 }] };

  test('Deployment basic: 1 replica, nginx:latest, port 80', () => {
    expect(read('Deployment', 'basic')).toMatchObject({
      apiVersion: 'apps/v1',
      spec: { replicas: 1, selector: { matchLabels: { app: 'example' } } },
    });
    expect(container('basic')).toEqual([plain]);
  });

  test('Deployment with-resources: requests and limits', () => {
    expect(container('with-resources')).toEqual([
      {
        ...plain,
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '500m', memory: '512Mi' } },
      },
    ]);
  });

  test('Deployment with-probes: liveness 30 s and 10 s, readiness 5 s and 5 s, on / at port 80', () => {
    const httpGet = { path: '/', port: 80 };
    expect(container('with-probes')).toEqual([
      {
        ...plain,
        livenessProbe: { httpGet, initialDelaySeconds: 30, periodSeconds: 10 },
        readinessProbe: { httpGet, initialDelaySeconds: 5, periodSeconds: 5 },
      },
    ]);
  });

  test.each([
    ['basic', 'ClusterIP', { port: 80, targetPort: 80 }],
    ['nodeport', 'NodePort', { port: 80, targetPort: 80, nodePort: 30080 }],
    ['loadbalancer', 'LoadBalancer', { port: 80, targetPort: 80 }],
  ])('Service %s: type %s and its ports', (variant, type, port) => {
    expect(read('Service', variant)).toMatchObject({ apiVersion: 'v1', spec: { type, ports: [port] } });
  });

  const rules = (host: string) => [
    {
      host,
      http: {
        paths: [
          { path: '/', pathType: 'Prefix', backend: { service: { name: 'example', port: { number: 80 } } } },
        ],
      },
    },
  ];

  test('Ingress basic: its host, path / as Prefix, backend port 80', () => {
    const { spec } = read('Ingress', 'basic', { host: 'shop.example.org' }) as { spec: object };
    expect(spec).toEqual({ rules: rules('shop.example.org') });
  });

  test('Ingress with-tls: additionally the secret example-tls for its host', () => {
    const { spec } = read('Ingress', 'with-tls') as { spec: object };
    expect(spec).toEqual({
      tls: [{ hosts: ['example.com'], secretName: 'example-tls' }],
      rules: rules('example.com'),
    });
  });
});

describe('the values of a template', () => {
  test.each([
    ['Deployment', 'nothing'],
    ['Pod', 'basic'],
    ['', ''],
    ['toString', 'basic'],
  ])('an unknown kind or template gives an empty string: %s %s', (kind, variant) => {
    expect(render(kind, variant)).toBe('');
  });

  test('kind and template match case-insensitively', () => {
    expect(render('deployment', 'BASIC')).toBe(render('Deployment', 'basic'));
  });

  test.each([
    ['shop', 'shop'],
    ['007', '007'],
    ['true', 'true'],
    ['1e3', '1e3'],
    ['', 'default'],
    ['Not A Name', 'default'],
    ['a\nkind: Secret', 'default'],
  ])('the namespace %j is written as %j', (namespace, metadata) => {
    expect(read('Service', 'basic', { namespace })).toMatchObject({ metadata: { namespace: metadata } });
  });

  test.each([
    ['shop.example.org', 'shop.example.org'],
    ['*.example.org', '*.example.org'],
    ['1.5', '1.5'],
    ['a: b', 'example.com'],
    ['"', 'example.com'],
  ])('the host %j is written as %j', (host, rule) => {
    expect(read('Ingress', 'basic', { host })).toMatchObject({ spec: { rules: [{ host: rule }] } });
  });
});

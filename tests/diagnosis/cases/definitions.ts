import { all, but, crashed, object, pod, type RuleCase } from './rule-case.ts';

const definition = but(
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'boats.example.org',
    'spec: { group: example.org, names: { kind: Boat, plural: boats }, versions: [{ name: v1 }, { name: v2 }], conversion: { strategy: Webhook, webhook: { conversionReviewVersions: [v1], clientConfig: { service: { namespace: shop, name: converter, path: /convert } } } } }',
  ),
  ' namespace: shop,',
  '',
);
const service = object(
  'v1',
  'Service',
  'converter',
  'spec: { selector: { app: converter }, ports: [{ port: 443 }] }',
);
const slice = (isReady: boolean) =>
  object(
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'converter-1',
    `endpoints: [{ addresses: [10.1.0.9], conditions: { ready: ${isReady} } }]`,
    'labels: { kubernetes.io/service-name: converter }',
  );
const converter = but(pod({ name: 'converter-0', labels: 'app: converter' }), '07:00:00', '07:59:00');

/** Cases of the rules about definitions of kinds. */
export const definitionCases: readonly RuleCase[] = [
  {
    rule: 'definition.converter-missing',
    broken: definition,
    names: /shop\/converter of the definition’s conversion webhook does not exist: objects of the kind Boat/,
    near: {
      'it converts': all(definition, service, slice(true), converter),
      'nothing is converted any more': but(definition, 'strategy: Webhook', 'strategy: None'),
      'there is one version': but(definition, ', { name: v2 }', ''),
      'it is outside the cluster': but(
        definition,
        'service: { namespace: shop, name: converter, path: /convert }',
        'url: https://converter.example.org/',
      ),
    },
  },
  {
    rule: 'definition.converter-silent',
    broken: all(definition, service, slice(false), converter),
    names: /No ready pod is behind the service shop\/converter/,
    near: {
      'one answers': all(definition, service, slice(true), converter),
      'its pods crash, which says more': all(
        definition,
        service,
        slice(false),
        pod({ name: 'converter-0', labels: 'app: converter', status: crashed(1) }),
      ),
    },
  },
];

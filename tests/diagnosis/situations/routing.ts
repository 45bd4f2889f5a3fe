import { deployment, ingress, ingressClass, objects, service } from './manifests.ts';
import type { Situation } from './situation.ts';

/** Situations of services and ingresses. */
export const routingSituations: readonly Situation[] = [
  {
    id: 'selector-typo',
    what: 'The selector of a service has a slip in it.',
    manifests: objects(deployment('web'), service('web', { app: 'wbe' })),
    after: 120,
    ask: 'Service default/web',
    rule: 'service.no-pods',
    object: 'Service web',
    names: /app=wbe; pod web-.* has app=web/,
  },
  {
    id: 'service-port',
    what: 'A service leads to a port that its pods do not have.',
    manifests: objects(
      deployment('web', {
        container: 'ports: [{ name: http, containerPort: 8080 }]',
      }),
      service('web', { port: 'port: 80, targetPort: 8081' }),
    ),
    after: 120,
    ask: 'Service default/web',
    rule: 'service.port',
    object: 'Service web',
    names: /8081 .* http \(8080\)/,
  },
  {
    id: 'service-of-crashing-pods',
    what: 'An ingress leads to a service whose pods all crash.',
    manifests: objects(
      deployment('web', { behaviour: 'crash-loop' }),
      service('web'),
      ingressClass,
      ingress('ingressClassName: nginx', { host: 'shop.example.org' }),
    ),
    after: 300,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'pod.log-refused',
    object: 'Pod web',
    names: /exit code 1: .*10\.96\.44\.12:5432/,
  },
  {
    id: 'ingress-class',
    what: 'An ingress names a class that the cluster does not have.',
    manifests: objects(deployment('web'), service('web'), ingress('ingressClassName: traefik')),
    after: 120,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'ingress.class-missing',
    object: 'Ingress shop',
    names: /traefik/,
  },
  {
    id: 'ingress-service',
    what: 'An ingress sends requests to a service that does not exist.',
    manifests: objects(ingressClass, ingress('ingressClassName: nginx', { to: 'storefront' })),
    after: 120,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'ingress.service-missing',
    object: 'Ingress shop',
    names: /storefront/,
  },
];

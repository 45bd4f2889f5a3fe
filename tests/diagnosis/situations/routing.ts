import { behaviour, deployment, type Situation } from './situation.ts';

/** Situations of services and ingresses. */
export const routingSituations: readonly Situation[] = [
  {
    id: 'selector-typo',
    what: 'The selector of a service has a slip in it.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: wbe }, ports: [{ port: 80 }] }
`,
    after: 120,
    ask: 'Service default/web',
    rule: 'service.no-pods',
    object: 'Service web',
    names: /app=wbe; pod web-.* has app=web/,
  },
  {
    id: 'service-port',
    what: 'A service leads to a port that its pods do not have.',
    manifests: `${deployment('web', 'image: example/web:1, ports: [{ name: http, containerPort: 8080 }]')}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: 8081 }] }
`,
    after: 120,
    ask: 'Service default/web',
    rule: 'service.port',
    object: 'Service web',
    names: /8081 .* http \(8080\)/,
  },
  {
    id: 'service-of-crashing-pods',
    what: 'An ingress leads to a service whose pods all crash.',
    manifests: `${deployment('web', 'image: example/web:1', '', behaviour('crash-loop'))}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: nginx }
spec: { controller: k8s.io/ingress-nginx }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop }
spec:
  ingressClassName: nginx
  rules: [{ host: shop.example.org, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }]
`,
    after: 300,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'pod.log-refused',
    object: 'Pod web',
    names: /exit code 1: .*10\.96\.44\.12:5432/,
  },
  {
    id: 'ingress-class',
    what: 'An ingress names a class that the cluster does not have.',
    manifests: `${deployment('web', 'image: example/web:1')}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop }
spec:
  ingressClassName: traefik
  rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }]
`,
    after: 120,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'ingress.class-missing',
    object: 'Ingress shop',
    names: /traefik/,
  },
  {
    id: 'ingress-service',
    what: 'An ingress sends requests to a service that does not exist.',
    manifests: `
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: nginx }
spec: { controller: k8s.io/ingress-nginx }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: shop }
spec:
  ingressClassName: nginx
  rules: [{ http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: storefront, port: { number: 80 } } } }] } }]
`,
    after: 120,
    ask: 'Ingress.networking.k8s.io default/shop',
    rule: 'ingress.service-missing',
    object: 'Ingress shop',
    names: /storefront/,
  },
];

/**
 * Steps that the recordings took without keeping the exchange: later answers show their results. Sent before the
 * named exchange.
 */
export const unrecorded: Readonly<Record<string, { path: string; body: object }>> = {
  'objects: secret from stringData': {
    path: '/api/v1/namespaces/wire/configmaps',
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'im' },
      data: { a: '1' },
      immutable: true,
    },
  },
  'defaults: ingress': {
    path: '/api/v1/namespaces/wire/services',
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'hl' },
      spec: { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] },
    },
  },
};

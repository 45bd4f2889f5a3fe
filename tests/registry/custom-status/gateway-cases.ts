import { type CasesOfKinds, having, observed, on } from './case.ts';

/** Objects of the kinds of the Gateway API, with their expected health. */
export const gatewayCases: CasesOfKinds = {
  'gateway.networking.k8s.io Gateway': [
    {
      is: 'programmed, with its listeners',
      status: {
        ...having(on('Accepted', 'True', 'Accepted'), on('Programmed', 'True', 'Programmed')),
        listeners: [
          {
            name: 'https',
            ...having(
              on('Conflicted', 'False', 'NoConflicts'),
              on('ResolvedRefs', 'True', 'ResolvedRefs'),
              on('Programmed', 'True'),
            ),
          },
        ],
      },
      tone: 'ok',
      label: 'Programmed',
    },
    {
      is: 'programmed, with a listener whose certificate is missing',
      status: {
        ...having(on('Accepted', 'True', 'ListenersNotValid'), on('Programmed', 'True', 'Programmed')),
        listeners: [
          { name: 'http', ...having(on('ResolvedRefs', 'True', 'ResolvedRefs')) },
          {
            name: 'https',
            ...having(on('ResolvedRefs', 'False', 'InvalidCertificateRef', 'Secret shop/tls not found')),
          },
        ],
      },
      tone: 'bad',
      label: 'InvalidCertificateRef',
      message: 'Listener https: Secret shop/tls not found',
    },
    {
      is: 'in conflict with itself',
      status: {
        ...having(on('Accepted', 'True', 'Accepted'), on('Programmed', 'True', 'Programmed')),
        listeners: [
          {
            name: 'web',
            ...having(on('Conflicted', 'True', 'HostnameConflict', 'Two listeners have one host')),
          },
        ],
      },
      tone: 'bad',
      label: 'HostnameConflict',
      message: 'Listener web: Two listeners have one host',
    },
    {
      is: 'new, and not seen by its controller yet',
      isNew: true,
      status: having(
        on('Accepted', 'Unknown', 'Pending', 'Waiting for controller'),
        on('Programmed', 'Unknown', 'Pending', 'Waiting for controller'),
      ),
      tone: 'info',
      label: 'Pending',
    },
  ],
  'gateway.networking.k8s.io HTTPRoute': [
    {
      is: 'accepted by its gateway',
      status: {
        parents: [
          {
            parentRef: { name: 'edge' },
            ...having(on('Accepted', 'True', 'Accepted'), on('ResolvedRefs', 'True', 'ResolvedRefs')),
          },
        ],
      },
      tone: 'ok',
      label: 'Accepted',
    },
    {
      is: 'rejected by one of two gateways',
      status: {
        parents: [
          { parentRef: { name: 'edge' }, ...having(on('Accepted', 'True', 'Accepted')) },
          {
            parentRef: { name: 'inner' },
            ...having(on('Accepted', 'False', 'NotAllowedByListeners', 'No listener takes it')),
          },
        ],
      },
      tone: 'bad',
      label: 'NotAllowedByListeners',
      message: 'Parent inner: No listener takes it',
    },
    {
      is: 'accepted, with a backend that is not there',
      status: {
        parents: [
          {
            parentRef: { name: 'edge' },
            ...having(
              on('Accepted', 'True', 'Accepted'),
              on('ResolvedRefs', 'False', 'BackendNotFound', 'Service shop/api'),
            ),
          },
        ],
      },
      tone: 'bad',
      label: 'BackendNotFound',
      message: 'Parent edge: Service shop/api',
    },
    {
      is: 'rejected by a gateway that it no longer names',
      generation: 2,
      status: {
        parents: [
          {
            parentRef: { name: 'old' },
            ...having(on('Accepted', 'False', 'NoMatchingParent', 'none', observed(1))),
          },
          { parentRef: { name: 'edge' }, ...having(on('Accepted', 'True', 'Accepted', '', observed(2))) },
        ],
      },
      tone: 'ok',
      label: 'Accepted',
    },
    {
      is: 'accepted in an earlier version of its spec',
      generation: 3,
      status: {
        parents: [
          { parentRef: { name: 'edge' }, ...having(on('Accepted', 'True', 'Accepted', '', observed(2))) },
        ],
      },
      tone: 'info',
      label: 'Progressing',
    },
  ],
  'gateway.networking.k8s.io BackendTLSPolicy': [
    {
      is: 'without its certificate',
      status: {
        ancestors: [
          {
            ancestorRef: { name: 'edge' },
            ...having(on('Accepted', 'False', 'NoValidCACertificate', 'ConfigMap ca not found')),
          },
        ],
      },
      tone: 'bad',
      label: 'NoValidCACertificate',
      message: 'Ancestor edge: ConfigMap ca not found',
    },
  ],
  'gateway.networking.k8s.io GatewayClass': [
    {
      is: 'refused',
      status: having(on('Accepted', 'False', 'InvalidParameters', 'EnvoyProxy not found')),
      tone: 'bad',
      label: 'InvalidParameters',
      message: 'EnvoyProxy not found',
    },
  ],
};

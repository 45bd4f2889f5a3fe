import { template, type TemplateValues } from '../../src/registry/command.ts';
import { headOf, hostIn } from './metadata.ts';

const tls = (values: TemplateValues) => `  tls:
    - hosts:
        - ${hostIn(values)}
      secretName: example-tls
`;

const ingress = (
  values: TemplateValues,
  more = '',
) => `${headOf('networking.k8s.io/v1', 'Ingress', values, true)}spec:
${more}  rules:
    - host: ${hostIn(values)}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: example
                port:
                  number: 80
`;

const icon = 'ingress';
const resource = 'Ingress';

/** Templates of Ingresses (specification section 9). */
export const ingressTemplates = [
  template({ resource, variant: 'basic', icon, render: (values) => ingress(values) }),
  template({ resource, variant: 'with-tls', icon, render: (values) => ingress(values, tls(values)) }),
];

import type { TemplateValues } from '../../src/registry/commands/command.ts';
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

/** Texts of the Ingress templates by name (specification section 9). */
export const ingressTexts: Readonly<Record<string, (values: TemplateValues) => string>> = {
  basic: (values) => ingress(values),
  'with-tls': (values) => ingress(values, tls(values)),
};

import type { TemplateValues } from '../../src/registry/commands/command.ts';
import { headOf } from './metadata.ts';

const service = (
  values: TemplateValues,
  type: string,
  more = '',
) => `${headOf('v1', 'Service', values, true)}spec:
  type: ${type}
  selector:
    app: example
  ports:
    - port: 80
      targetPort: 80
${more}`;

/** Texts of the Service templates by name (specification section 9). */
export const serviceTexts: Readonly<Record<string, (values: TemplateValues) => string>> = {
  basic: (values) => service(values, 'ClusterIP'),
  nodeport: (values) => service(values, 'NodePort', '      nodePort: 30080\n'),
  loadbalancer: (values) => service(values, 'LoadBalancer'),
};

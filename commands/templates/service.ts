import { template, type TemplateValues } from '../../src/registry/command.ts';
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

const icon = 'service';
const resource = 'Service';

/** Templates of Services (specification section 9). */
export const serviceTemplates = [
  template({ resource, variant: 'basic', icon, render: (values) => service(values, 'ClusterIP') }),
  template({
    resource,
    variant: 'nodeport',
    icon,
    render: (values) => service(values, 'NodePort', '      nodePort: 30080\n'),
  }),
  template({ resource, variant: 'loadbalancer', icon, render: (values) => service(values, 'LoadBalancer') }),
];

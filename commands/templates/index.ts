import type { IconName } from '../../src/registry/icon-name.ts';
import { template } from '../../src/registry/commands/command.ts';

const of = (resource: string, icon: IconName, variants: readonly string[]) =>
  variants.map((variant) => template({ resource, icon, variant }));

/** The templates, one entry each; the dialog loads their texts (`render.ts`). */
export const templates = [
  ...of('Deployment', 'deployment', ['basic', 'with-resources', 'with-probes']),
  ...of('Service', 'service', ['basic', 'nodeport', 'loadbalancer']),
  ...of('Ingress', 'ingress', ['basic', 'with-tls']),
];

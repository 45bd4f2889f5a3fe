import type { TemplateValues } from '../../src/registry/commands/command.ts';
import { headOf } from './metadata.ts';

const deployment = (
  values: TemplateValues,
  more = '',
) => `${headOf('apps/v1', 'Deployment', values, true)}spec:
  replicas: 1
  selector:
    matchLabels:
      app: example
  template:
    metadata:
      labels:
        app: example
    spec:
      containers:
        - name: example
          image: nginx:latest
          ports:
            - containerPort: 80
${more}`;

const resources = `          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              cpu: 500m
              memory: 512Mi
`;

const probe = (name: string, delay: number, period: number) => `          ${name}Probe:
            httpGet:
              path: /
              port: 80
            initialDelaySeconds: ${delay}
            periodSeconds: ${period}
`;

/** Texts of the Deployment templates by name (specification section 9). */
export const deploymentTexts: Readonly<Record<string, (values: TemplateValues) => string>> = {
  basic: (values) => deployment(values),
  'with-resources': (values) => deployment(values, resources),
  'with-probes': (values) => deployment(values, probe('liveness', 30, 10) + probe('readiness', 5, 5)),
};

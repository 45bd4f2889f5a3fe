import type { TemplateValues } from '../../src/registry/commands/command.ts';
import { deploymentTexts } from './deployment.ts';
import { ingressTexts } from './ingress.ts';
import { serviceTexts } from './service.ts';

type TemplateTexts = Readonly<Record<string, (values: TemplateValues) => string>>;

const textsByTemplate = new Map<string, TemplateTexts>([
  ['deployment', deploymentTexts],
  ['service', serviceTexts],
  ['ingress', ingressTexts],
]);

/** Renders a template; an unknown kind or template gives an empty string (specification section 9). */
export function renderTemplate(resource: string, variant: string, values: TemplateValues = {}): string {
  const found = Object.entries(textsByTemplate.get(resource.toLowerCase()) ?? {}).find(
    ([name]) => name === variant.toLowerCase(),
  );
  return found?.[1](values) ?? '';
}

import type { TemplateValues } from '../../src/registry/command.ts';
import { deploymentTexts } from './deployment.ts';
import { ingressTexts } from './ingress.ts';
import { serviceTexts } from './service.ts';

type Texts = Readonly<Record<string, (values: TemplateValues) => string>>;

const texts = new Map<string, Texts>([
  ['deployment', deploymentTexts],
  ['service', serviceTexts],
  ['ingress', ingressTexts],
]);

/** A template filled in; an unknown kind or template gives an empty string (specification section 9). */
export function renderTemplate(resource: string, variant: string, values: TemplateValues = {}): string {
  const found = Object.entries(texts.get(resource.toLowerCase()) ?? {}).find(
    ([name]) => name === variant.toLowerCase(),
  );
  return found?.[1](values) ?? '';
}

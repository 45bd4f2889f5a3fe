import type { Command, TemplateCommand, TemplateValues } from './command.ts';

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The templates among commands, in their order. */
export function templatesOf(commands: readonly Command[]): readonly TemplateCommand[] {
  return commands.filter((command) => command.type === 'template');
}

/** The kinds that have templates, each once. */
export function templateKinds(commands: readonly Command[]): readonly string[] {
  return [...new Set(templatesOf(commands).map(({ resource }) => resource))];
}

/** The names of a kind's templates; none for a kind without. */
export function templateVariants(commands: readonly Command[], resource: string): readonly string[] {
  return templatesOf(commands)
    .filter((one) => same(one.resource, resource))
    .map(({ variant }) => variant);
}

/** A template filled in; an unknown kind or template gives an empty string (specification section 9). */
export function renderTemplate(
  commands: readonly Command[],
  resource: string,
  variant: string,
  values: TemplateValues = {},
): string {
  const found = templatesOf(commands).find(
    (one) => same(one.resource, resource) && same(one.variant, variant),
  );
  return found?.render(values) ?? '';
}

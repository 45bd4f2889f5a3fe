import type { Command, TemplateCommand } from './command.ts';

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

import type { Command, TemplateCommand } from './command.ts';

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The templates among the commands, in order. */
export function templatesOf(commands: readonly Command[]): readonly TemplateCommand[] {
  return commands.filter((command) => command.type === 'template');
}

/** The kinds that have templates, without duplicates. */
export function templateKinds(commands: readonly Command[]): readonly string[] {
  return [...new Set(templatesOf(commands).map(({ resource }) => resource))];
}

/** The variants of a kind's templates; empty if it has none. */
export function templateVariants(commands: readonly Command[], resource: string): readonly string[] {
  return templatesOf(commands)
    .filter((one) => same(one.resource, resource))
    .map(({ variant }) => variant);
}

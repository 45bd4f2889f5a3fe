import { createMemoryHistory } from '@tanstack/react-router';
import type { Command } from '../../src/registry/commands/command.ts';
import { createRegistry, type Registry, routesOf } from '../../src/registry/commands/registry.ts';
import { createConsoleRouter, matchIn } from '../../src/web/routing/router.ts';

/** A registry of these commands that matches paths with the page's own router. */
export function routedRegistry(commands: readonly Command[], isWhole = true): Registry {
  const router = createConsoleRouter(routesOf(commands), createMemoryHistory());
  return createRegistry(commands, (href) => matchIn(router, href), isWhole);
}

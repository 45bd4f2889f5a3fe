import { createMemoryHistory } from '@tanstack/react-router';
import type { Command } from '../../src/registry/command.ts';
import { createRegistry, type Registry, routesOf } from '../../src/registry/registry.ts';
import { createConsoleRouter, matchIn } from '../../src/web/routing/router.ts';

/** The registry of these commands, whose paths are found by the page's own router. */
export function routedRegistry(commands: readonly Command[], isWhole = true): Registry {
  const router = createConsoleRouter(routesOf(commands), createMemoryHistory());
  return createRegistry(commands, (href) => matchIn(router, href), isWhole);
}

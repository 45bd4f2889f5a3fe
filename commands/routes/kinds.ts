import type { Command } from '../../src/registry/commands/command.ts';
import { commandsOf } from '../../src/registry/commands/kind-commands.ts';
import { firstFacts } from '../kinds/first-facts.ts';

/** The screens that every kind shares. */
const screens = {
  list: () => import('../../src/web/features/list/ListPage.tsx'),
  detail: () => import('../../src/web/features/detail/DetailPage.tsx'),
};

/** List and detail page of every kind. */
export const kindRoutes: readonly Command[] = firstFacts.flatMap((kind) => commandsOf(kind, screens));

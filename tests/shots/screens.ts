import { hostile } from './screens/hostile.ts';
import { kindScreens } from './screens/kinds.ts';
import { pages } from './screens/pages.ts';
import { states } from './screens/states.ts';
import { tools } from './screens/tools.ts';
import { workspaces } from './screens/workspace.ts';
import type { Shot } from './shot.ts';

/** Every screen and state that is looked at, in this order: what changes a cluster comes last. */
export const screens: readonly Shot[] = [
  ...pages,
  ...workspaces,
  ...kindScreens,
  ...hostile,
  ...tools,
  ...states,
];

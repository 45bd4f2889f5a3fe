import { firstCommands } from '../../../commands/first.ts';
import { createRegistry, routesOf } from '../../registry/commands/registry.ts';
import type { CreateRequest } from '../../registry/commands/services.ts';
import { createKeymapStore } from '../core/state/keymap.ts';
import { cell, observed } from '../core/state/state.ts';
import type { DataPort } from '../data/port.ts';
import { rememberPlace } from '../data/remember.ts';
import type { PendingAction } from '../features/actions/acting.ts';
import type { DoneAction } from '../features/actions/port.ts';
import type { HeldChange } from '../features/actions/held-changes.ts';
import type { TypedAhead } from '../features/edit/typed-ahead.ts';
import type { OrganisationDialog } from '../features/organisation/port.ts';
import type { PaletteOpening } from '../features/palette/opening.ts';
import type { ShownPalette } from '../features/palette/shown.ts';
import type { KeyboardPort, PendingKeys } from '../keyboard/port.ts';
import type { Overlays } from '../kit/overlays.ts';
import { createToaster } from '../kit/toast/toaster.ts';
import { takeLinkedCreate } from '../routing/address.ts';
import { browserPlace, consoleHistory } from '../routing/browser-place.ts';
import { sessionNow } from '../routing/guards.ts';
import { TypedRun } from '../keyboard/typed-run.ts';
import { createConsoleRouter, matchIn } from '../routing/router.ts';
import type { WorkspacePort } from '../workspace/port.ts';
import type { App, AppParts } from './app.ts';
import { createCommands } from './create-commands.ts';
import { createData } from './create-data.ts';
import { createKept } from './create-kept.ts';
import { createServices } from './create-services.ts';
import { createTiles } from './create-tiles.ts';
import { drawing } from './Drawing.tsx';
import { createMoment } from './moment.ts';
import { SignInState } from './sign-in-state.ts';

/** Makes the parts of this page and ties them together. */
export function createApp(): App {
  // The address is put in order before anything reads it: a link's secret must not stay there.
  const addresses = consoleHistory();
  const router = createConsoleRouter(routesOf(firstCommands), addresses, {
    drawing,
    guards: {
      session: () => sessionNow(data.queryClient, data.queries.session),
      rememberPlace: () => rememberPlace(sessionStorage, tiles.workspace.address()),
    },
  });
  const registry = createRegistry(firstCommands, (href) => matchIn(router, href), false);
  const toaster = createToaster();
  const acting = {
    acting: cell<PendingAction | undefined>(undefined),
    heldChanges: cell<readonly HeldChange[]>([]),
    done: cell<DoneAction | undefined>(undefined),
  };
  const creating = {
    creating: cell<CreateRequest | undefined>(undefined),
    linked: { take: takeLinkedCreate },
  };
  const palette = {
    palette: cell<PaletteOpening | undefined>(undefined),
    shownPalette: cell<ShownPalette | undefined>(undefined),
  };
  const data: DataPort = createData((title) => signIn.lapsed(title));
  const tiles: WorkspacePort = createTiles(registry, data, browserPlace(addresses), toaster);
  data.warmUps.follow(tiles.workspace.state);
  const signIn = new SignInState({ registry, data, tiles, acting, creating, palette });

  const keyboard: KeyboardPort = {
    keymap: createKeymapStore(registry.commands),
    keySheet: observed(false),
    pendingKeys: cell<PendingKeys | undefined>(undefined),
    typedRun: new TypedRun(),
  };
  const parts: AppParts = {
    registry,
    router,
    data,
    signIn,
    kept: createKept(),
    tiles,
    keyboard,
    overlays: observed<Overlays>({ menu: 0, dialog: 0 }),
    acting,
    organisation: { dialog: cell<OrganisationDialog | undefined>(undefined) },
    creating,
    notifications: { isOpen: observed(false) },
    palette,
    subscription: { isChoosing: observed(false) },
    typedAhead: cell<TypedAhead | undefined>(undefined),
  };
  const moment = createMoment(parts);
  const services = createServices(parts, { moment, toaster, signOut: signIn.signOut, begin: signIn.begin });
  return { ...parts, commands: createCommands(registry, services, moment, keyboard.keymap) };
}

import type { Registry } from '../../registry/commands/registry.ts';
import type { CommandsPort } from '../core/commands.ts';
import type { Cell } from '../core/state/state.ts';
import type { KeptPort } from '../core/state/port.ts';
import type { DataPort } from '../data/port.ts';
import type { SignInPort } from '../data/sign-in.ts';
import type { ActingPort } from '../features/actions/port.ts';
import type { CreatingPort } from '../features/create/port.ts';
import type { TypedAhead } from '../features/edit/typed-ahead.ts';
import type { NotificationsPort } from '../features/notifications/port.ts';
import type { OrganisationPort } from '../features/organisation/port.ts';
import type { PalettePort } from '../features/palette/port.ts';
import type { SubscriptionPort } from '../features/subscription/port.ts';
import type { KeyboardPort } from '../keyboard/port.ts';
import type { Overlays } from '../kit/overlays.ts';
import type { ConsoleRouter } from '../routing/router.ts';
import type { WorkspacePort } from '../workspace/port.ts';

/** The parts that commands are run over. */
export interface AppParts {
  readonly registry: Registry;
  /** Owns the browser's address, and knows which route answers a path. */
  readonly router: ConsoleRouter;
  readonly data: DataPort;
  readonly signIn: SignInPort;
  readonly kept: KeptPort;
  readonly tiles: WorkspacePort;
  readonly keyboard: KeyboardPort;
  readonly overlays: Cell<Overlays>;
  readonly acting: ActingPort;
  readonly organisation: OrganisationPort;
  readonly creating: CreatingPort;
  readonly notifications: NotificationsPort;
  readonly palette: PalettePort;
  readonly subscription: SubscriptionPort;
  readonly typedAhead: Cell<TypedAhead | undefined>;
}

/** Everything that the page is made of, made once: what each port gives. */
export interface App extends AppParts {
  readonly commands: CommandsPort;
}

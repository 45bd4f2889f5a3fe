import type { OrganisationArg } from '../../registry/commands/command.ts';
import type { Invocation, ObjectRef, Subject } from '../../registry/commands/invocation.ts';
import type { RowTarget } from '../../registry/kinds/cell-link.ts';
import type { May, Registry } from '../../registry/commands/registry.ts';
import type { AtHand, Services } from '../../registry/commands/services.ts';
import type { ContextKeys } from '../../registry/commands/when.ts';
import { createPort } from './port.ts';
import type { Cell } from './state/state.ts';

/** Parts of the company that commands are about without being told, by the type of their argument. */
export type PartsAtHand = Readonly<Partial<Record<OrganisationArg, AtHand>>> & {
  /** The people that are selected in the focused view. */
  readonly people?: readonly AtHand[];
  /** The object whose line under “Needs attention” has the focus. */
  readonly trouble?: ObjectRef;
};

/** The state that `when`, permissions and subjects are judged by: the focused view and the person. */
export interface Moment {
  readonly context: () => ContextKeys;
  /** The person's known permissions on the selected cluster. */
  readonly may: () => May;
  /** Whether it is known what the person may do on the selected cluster. */
  readonly isPermissionKnown: () => boolean;
  /** The subject of commands: from the focused view, never from the document's focus. */
  readonly subject: () => Subject;
  /** Parts of the company that the focused view shows, or whose line has the focus. */
  readonly atHand: () => PartsAtHand;
  /** Other objects that the row names which commands act on; none where they act on something else. */
  readonly rowTargets: () => readonly RowTarget[];
}

/** The commands of the page, and what running one needs. */
export interface CommandsPort {
  readonly registry: Registry;
  /** Whether the registry has every command: it begins with those of the first screen. */
  readonly isWhole: Cell<boolean>;
  /** Loads the remaining commands. Rejects without a message to the person if they cannot be loaded. */
  readonly complete: () => Promise<void>;
  /** Loads the others for a person who waits for one of them. Rejects where they cannot be had, having said so. */
  readonly whole: () => Promise<void>;
  readonly services: Services;
  readonly moment: Moment;
  /** Runs a command by id, as a button or menu does; without a subject on what the focused view means. */
  readonly run: (
    id: string,
    args?: Readonly<Record<string, unknown>>,
    invocation?: Partial<Invocation<unknown>>,
  ) => void;
}

export const commandsPort = createPort<CommandsPort>('registry of commands');

/** The commands of the page, and what running one needs. */
export const useCommands = commandsPort.use;

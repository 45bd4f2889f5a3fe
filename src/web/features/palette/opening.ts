import type { Permission } from '../../../contract/permissions.ts';
import type { RowTarget } from '../../../registry/kinds/cell-link.ts';
import type { Subject } from '../../../registry/commands/invocation.ts';
import type { ContextKeys } from '../../../registry/commands/when.ts';
import type { Moment, PartsAtHand } from '../../core/commands.ts';
import type { KeymapStore } from '../../core/state/keymap.ts';
import type { WorkspaceStore } from '../../workspace/workspace-store.ts';

/**
 * The moment the palette was opened in. It goes by this until it closes: its own field takes the focus away from what
 * the person meant, and lists behind it go on changing.
 */
export interface PaletteOpening {
  /** Initial text of the field. */
  readonly text: string;
  /** Enter was pressed before it was there: what is found first opens. */
  readonly isEntered?: boolean;
  /** The highlight was moved before it was there. */
  readonly isMoved?: boolean;
  /** The command whose missing arguments the palette asks for. */
  readonly asks?: string;
  /** The arguments of that command that are known. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly context: ContextKeys;
  readonly may: (permission: Permission) => boolean;
  /** It is known what the person may do. */
  readonly isPermitted: boolean;
  readonly subject: Subject;
  /** Parts of the company that the focused view shows, or whose line has the focus. */
  readonly atHand?: PartsAtHand;
  /** Other objects that the row names which is the subject. */
  readonly rowTargets?: readonly RowTarget[];
  /** The first keys of a command as this person has them. */
  readonly keysOf: (id: string) => string | undefined;
  readonly clusterId: number | undefined;
  /** The path of a list with the namespace chosen on its cluster. */
  readonly inChosenNamespace: (href: string) => string;
  /** The address that shows. */
  readonly here: string;
  /** Epoch ms. */
  readonly at: number;
  /** Where the focus returns to. */
  readonly opener: Element | null;
}

/** Inputs of an opening. */
interface OpeningParts {
  readonly moment: Moment;
  readonly keymap: KeymapStore;
  readonly workspace: WorkspaceStore;
}

/** Takes the snapshot of this moment. */
export function openingNow({ moment, keymap, workspace }: OpeningParts, text: string): PaletteOpening {
  return {
    text,
    context: { ...moment.context(), overlay: 'none' },
    may: moment.may(),
    isPermitted: moment.isPermissionKnown(),
    subject: moment.subject(),
    atHand: moment.atHand(),
    rowTargets: moment.rowTargets(),
    keysOf: (id) => keymap.get().keysOf(id)[0],
    clusterId: workspace.state.get().clusterId,
    inChosenNamespace: (path) => workspace.inChosenNamespace(path),
    here: workspace.href(),
    at: Date.now(),
    opener: document.activeElement,
  };
}

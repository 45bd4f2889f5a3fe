import type { Cluster } from '../../../contract/clusters.ts';
import type { RowTarget } from '../../../registry/kinds/cell-link.ts';
import type { Command } from '../../../registry/commands/command.ts';
import type { ObjectRef, Subject } from '../../../registry/commands/invocation.ts';
import type { IconName } from '../../../registry/icon-name.ts';

/** The effect of choosing an entry. */
export type Act =
  | {
      readonly type: 'command';
      readonly command: Command;
      readonly args: Readonly<Record<string, unknown>>;
      readonly subject: Subject;
    }
  | { readonly type: 'object'; readonly ref: ObjectRef }
  | { readonly type: 'place'; readonly href: string }
  /** Puts a text into the field and goes on. */
  | { readonly type: 'text'; readonly text: string }
  /** Shows every object that was found, alone. */
  | { readonly type: 'all-objects' }
  /** Shows what the namespaces hold that the person leaves out. */
  | { readonly type: 'excluded-objects' }
  /** Answers the step that is asked. */
  | { readonly type: 'answer'; readonly value: unknown; readonly label: string };

/** One line of the palette. */
export interface Entry {
  /** Unique in the list, without spaces at its ends. */
  readonly id: string;
  /** The heading it stands under. */
  readonly section: string;
  readonly title: string;
  /** Beside the title: the kind, when it was run. */
  readonly note?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly status?: readonly [label: string, tone: string] | undefined;
  readonly namespace?: string | undefined;
  readonly cluster?: Cluster | undefined;
  readonly keys?: string | undefined;
  /** Why it cannot be done now: it is shown and does nothing. */
  readonly reason?: string | undefined;
  /** Whether the text names it in full: only said of what changes something. */
  readonly isNamed?: true;
  readonly act: Act;
}

/** Entries for other objects that the row names on which the palette was opened. */
export const targetEntries = (targets: readonly RowTarget[], section: string): readonly Entry[] =>
  targets.map(({ title, icon, href }) => ({
    id: `target ${href}`,
    section,
    title,
    icon,
    act: { type: 'place', href },
  }));

/** Entries rendered at once, at most. */
export const maxEntries = 50;

/** The first entries, at most fifty, no id twice. */
export function bounded(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  const kept: Entry[] = [];
  for (const entry of entries) {
    if (kept.length === maxEntries) break;
    if (seen.has(entry.id)) continue;
    seen.add(entry.id);
    kept.push(entry);
  }
  return kept;
}

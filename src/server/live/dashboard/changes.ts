import { type DashboardChange, dashboardChanges } from '../../../contract/dashboard.ts';
import type { LastChange } from '../../../kube/last-change.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { refOf } from './attention-lines.ts';
import type { Entry } from '../source/projector.ts';

/** An object and what last changed it. */
export interface Changed {
  readonly entry: Entry;
  readonly change: LastChange;
}

/** The newest changes of one kind: no dashboard shows more, whoever looks. */
export function newestChanges(entries: Iterable<Entry>): readonly Changed[] {
  const newest: Changed[] = [];
  for (const entry of entries) {
    const { changed: change } = entry;
    if (change === undefined) continue;
    const last = newest.at(-1);
    if (newest.length >= dashboardChanges && last !== undefined && change.at <= last.change.at) continue;
    const at = newest.findIndex((other) => other.change.at < change.at);
    newest.splice(at === -1 ? newest.length : at, 0, { entry, change });
    if (newest.length > dashboardChanges) newest.pop();
  }
  return newest;
}

/** The newest changes of several kinds, newest first, then by place. */
export function changeLines(
  changed: readonly (readonly [kind: AnyKind, changes: readonly Changed[]])[],
): readonly DashboardChange[] {
  return changed
    .flatMap(([kind, changes]) =>
      changes.map(({ entry, change }) => ({
        on: refOf(kind, entry),
        what: change.what,
        at: change.at,
        by: change.by ?? null,
        to: change.to ?? null,
      })),
    )
    .sort((a, b) => b.at - a.at || compareTexts(placeText(a), placeText(b)))
    .slice(0, dashboardChanges);
}

const placeText = ({ on }: DashboardChange) => `${on.kind} ${on.namespace ?? ''} ${on.name}`;
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

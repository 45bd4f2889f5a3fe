import { type PendingKeys, useKeyboard } from './port.ts';
import { useCell } from '../core/state/state.ts';
import { Optional } from '../kit/Optional.tsx';
import { capsOf } from './Keys.tsx';
import { lazyPart } from '../kit/lazy-part.ts';

const WhichKey = lazyPart(async () => (await import('./WhichKey.tsx')).WhichKey);
const KeySheet = lazyPart(async () => (await import('./KeySheet.tsx')).KeySheet);

/** The common purpose of two-step keys with the same first step: the group of most of them. */
function purposeOf(next: PendingKeys['next']): string {
  const groups = next.map(({ command }) => command.group);
  const times = (group: string) => groups.filter((one) => one === group).length;
  return groups.toSorted((a, b) => times(b) - times(a))[0] ?? '';
}

/** The announcement for pressed keys: that a second one is expected, or why they do nothing. */
function spoken({ strokes, next, unknown, reason, isLeader }: PendingKeys): string {
  if (reason !== undefined) return reason;
  const first = capsOf(strokes.join(' ')).join(' ');
  if (unknown !== undefined) return `${capsOf(unknown).join(' ')} does nothing after ${first}.`;
  return isLeader === true ? `${first}, then any key of the console` : `${first}, ${purposeOf(next)}, then`;
}

/** After a first key: what may follow. On demand: every key there is. */
export function PendingKeysBar() {
  const { pendingKeys, keySheet } = useKeyboard();
  const pending = useCell(pendingKeys);
  const isSheetOpen = useCell(keySheet);
  const closeSheet = () => keySheet.set(false);
  return (
    <>
      {/* Always there: what appears together with its text is not read out everywhere. */}
      <p className="sr-only" role="status">
        {pending !== undefined && spoken(pending)}
      </p>
      {pending !== undefined && (
        <Optional what="The keys that may follow">
          <WhichKey pending={pending} purpose={purposeOf(pending.next)} />
        </Optional>
      )}
      {isSheetOpen && (
        <Optional what="The sheet of keys" onMissing={closeSheet}>
          <KeySheet onClose={closeSheet} />
        </Optional>
      )}
    </>
  );
}

import { lazy, Suspense } from 'react';
import { type PendingKeys, useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';
import { capsOf } from './Keys.tsx';

const WhichKey = lazy(async () => ({ default: (await import('./WhichKey.tsx')).WhichKey }));
const KeySheet = lazy(async () => ({ default: (await import('./KeySheet.tsx')).KeySheet }));

/** What a screen reader is told of keys pressed: that a second one is waited for, or why they do nothing. */
function spoken({ strokes, unknown, reason, isLeader }: PendingKeys): string {
  if (reason !== undefined) return reason;
  const first = capsOf(strokes.join(' ')).join(' ');
  if (unknown !== undefined) return `${capsOf(unknown).join(' ')} means nothing after ${first}.`;
  return isLeader === true ? `${first}, then any key of the console` : `${first}, then`;
}

/** After a first key: what may follow. On demand: every key there is. */
export function PendingKeysBar() {
  const { pendingKeys, keySheet } = useApp();
  const pending = useCell(pendingKeys);
  const isSheetOpen = useCell(keySheet);
  return (
    <>
      {/* Always there: what appears together with its text is not read out everywhere. */}
      <p className="vh" role="status">
        {pending !== undefined && spoken(pending)}
      </p>
      <Suspense>
        {pending !== undefined && <WhichKey pending={pending} />}
        {isSheetOpen && <KeySheet onClose={() => keySheet.set(false)} />}
      </Suspense>
    </>
  );
}

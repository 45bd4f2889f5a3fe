import { lazy, Suspense } from 'react';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';

const WhichKey = lazy(async () => ({ default: (await import('./WhichKey.tsx')).WhichKey }));
const KeySheet = lazy(async () => ({ default: (await import('./KeySheet.tsx')).KeySheet }));

/** After a first key: what may follow. On demand: every key there is. */
export function PendingKeysBar() {
  const { pendingKeys, keySheet } = useApp();
  const pending = useCell(pendingKeys);
  const isSheetOpen = useCell(keySheet);
  return (
    <Suspense>
      {pending !== undefined && <WhichKey pending={pending} />}
      {isSheetOpen && <KeySheet onClose={() => keySheet.set(false)} />}
    </Suspense>
  );
}

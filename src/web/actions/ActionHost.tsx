import { lazy, Suspense } from 'react';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';

const ActionDialog = lazy(async () => ({ default: (await import('./ActionDialog.tsx')).ActionDialog }));

/** Shows the dialog of the action that waits for its arguments or its confirmation. */
export function ActionHost() {
  const { acting } = useApp();
  const wanted = useCell(acting);
  if (wanted === undefined) return null;
  return (
    <Suspense>
      <ActionDialog key={JSON.stringify(wanted)} acting={wanted} onClose={() => acting.set(undefined)} />
    </Suspense>
  );
}

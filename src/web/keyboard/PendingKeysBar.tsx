import { plainTitle } from '../../registry/command.ts';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';
import { Keys } from './Keys.tsx';

/** After the first of two keys: what may follow. After an unknown second one: that it means nothing. */
export function PendingKeysBar() {
  const { pendingKeys } = useApp();
  const pending = useCell(pendingKeys);
  if (pending === undefined) return null;
  const first = pending.strokes[0] ?? '';
  return (
    <div className="which-key" role="status">
      <Keys keys={first} />
      {pending.unknown === undefined ? (
        pending.next.map(({ stroke, command }) => (
          <span key={command.id} className="hint">
            <Keys keys={stroke} />
            {plainTitle(command)}
          </span>
        ))
      ) : (
        <span className="hint">
          <Keys keys={pending.unknown} /> means nothing after <Keys keys={first} />
        </span>
      )}
    </div>
  );
}

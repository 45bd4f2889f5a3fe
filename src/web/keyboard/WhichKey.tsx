import { plainTitle } from '../../registry/command.ts';
import { splitHref } from '../../registry/path.ts';
import { type PendingKeys, useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';
import { focusedTab } from '../workspace/layout.ts';
import { grouped } from './grouped.ts';
import { Keys, KeysOf } from './Keys.tsx';

interface WhichKeyProps {
  readonly pending: PendingKeys;
  /** What the keys that may follow are for: `Go to`. */
  readonly purpose: string;
}

/** After the first of two keys: what may follow. After keys that do nothing here: why. What is read out, the bar says. */
export function WhichKey({ pending, purpose }: WhichKeyProps) {
  const { workspace, registry } = useApp();
  const href = useCell(workspace.state, (state) => focusedTab(state.layout).href);
  const here = registry.match(splitHref(href).pathname)?.command.id;
  const first = pending.strokes[0] ?? '';
  const sets = grouped(pending.next, (one) => one.command);
  return (
    <section className="which-key" aria-label="Keys that may follow">
      <header>
        {pending.unknown === undefined && (
          <Keys keys={pending.reason === undefined ? first : pending.strokes.join(' ')} />
        )}
        <span className="grow" aria-hidden="true">
          {pending.reason !== undefined ? (
            pending.reason
          ) : pending.unknown === undefined ? (
            pending.isLeader === true ? (
              'then any key of the console'
            ) : (
              <>
                <span className="muted">then</span> <b className="semi">{purpose}</b>
              </>
            )
          ) : (
            <>
              <Keys keys={pending.unknown} /> means nothing after <Keys keys={first} />
            </>
          )}
        </span>
        <span className="hint">
          <Keys keys="esc" /> {pending.reason === undefined ? 'cancel' : 'close'}
        </span>
        <span className="hint">
          <KeysOf id="keys.sheet" /> all keys
        </span>
      </header>
      {sets.length > 0 && (
        <div className="which-sets">
          {sets.map(({ heading, items }) => (
            <div key={heading}>
              <h2>{heading}</h2>
              <ul>
                {items.map(({ stroke, command }) => (
                  <li key={`${stroke} ${command.id}`}>
                    <Keys keys={stroke} />
                    <span className="trunc">{plainTitle(command)}</span>
                    {command.id === here && <span className="muted">here</span>}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

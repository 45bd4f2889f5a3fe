import { plainTitle } from '../../registry/commands/command.ts';
import { splitHref } from '../../registry/path.ts';
import type { PendingKeys } from './port.ts';
import { useCommands } from '../core/commands.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useCell } from '../core/state/state.ts';
import { focusedTab } from '../workspace/layout.ts';
import { grouped } from './grouped.ts';
import { Keys, KeysOf } from './Keys.tsx';

interface WhichKeyProps {
  readonly pending: PendingKeys;
  /** The purpose of the keys that may follow: `Go to`. */
  readonly purpose: string;
}

const panel = [
  'fixed inset-x-1 bottom-[calc(var(--spacing-status)+0.375rem)] z-keys animate-rise',
  'md:group-data-sidebar/app:left-[calc(var(--spacing-sidebar)+var(--spacing-gutter))]',
  'rounded-md border border-border bg-overlay shadow-overlay',
].join(' ');
const hint = 'inline-flex items-center gap-1 whitespace-nowrap text-text-2';

/** After the first of two keys: what may follow. After keys that do nothing here: why. What is read out, the bar says. */
export function WhichKey({ pending, purpose }: WhichKeyProps) {
  const { registry } = useCommands();
  const { workspace } = useWorkspace();
  const href = useCell(workspace.state, (state) => focusedTab(state.layout).href);
  const here = registry.match(splitHref(href).pathname)?.command.id;
  const first = pending.strokes[0] ?? '';
  const sets = grouped(pending.next, (one) => one.command);
  return (
    <section className={panel} aria-label="Keys that may follow">
      <header className="flex min-h-8 items-center gap-2 px-3.5 py-1 text-text-2">
        {pending.unknown === undefined && (
          <Keys keys={pending.reason === undefined ? first : pending.strokes.join(' ')} />
        )}
        <span className="min-w-0 flex-1" aria-hidden="true">
          {pending.reason !== undefined ? (
            pending.reason
          ) : pending.unknown === undefined ? (
            pending.isLeader === true ? (
              'then any key of the console'
            ) : (
              <>
                <span className="text-text-3">then</span> <b className="font-semibold">{purpose}</b>
              </>
            )
          ) : (
            <>
              <Keys keys={pending.unknown} /> does nothing after <Keys keys={first} />
            </>
          )}
        </span>
        <span className={hint}>
          <Keys keys="esc" /> {pending.reason === undefined ? 'cancel' : 'close'}
        </span>
        <span className={hint}>
          <KeysOf id="keys.sheet" /> all keys
        </span>
      </header>
      {sets.length > 0 && (
        <div
          // On small screens it scrolls, which takes the focus for who has no wheel.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="max-h-[75dvh] narrow:max-h-[82dvh] columns-[10rem] gap-x-4 overflow-auto border-t border-border px-3.5 pt-2.5 pb-0.5"
        >
          {sets.map(({ heading, items }) => (
            <div key={heading} className="pb-3 md:break-inside-avoid">
              <h2 className="mb-0.5 break-after-avoid text-xs font-medium text-text-2">{heading}</h2>
              <ul>
                {items.map(({ stroke, command }) => (
                  <li
                    key={`${stroke} ${command.id}`}
                    className="flex min-h-6 break-inside-avoid items-center gap-2 [&_kbd]:font-semibold [&_kbd]:text-accent-text"
                  >
                    <Keys keys={stroke} />
                    <span className="min-w-0 truncate">{plainTitle(command)}</span>
                    {command.id === here && <span className="text-text-3">here</span>}
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

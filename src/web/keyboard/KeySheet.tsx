import { Search } from 'lucide-react';
import { Fragment, useState } from 'react';
import { plainTitle } from '../../registry/commands/command.ts';
import { declaredKeys, leaderCommand } from '../../registry/keys/keymap.ts';
import { isAllowed } from '../../registry/commands/registry.ts';
import { useCommands } from '../core/commands.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useKeyboard } from './port.ts';
import { useCell } from '../core/state/state.ts';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/Dialog.tsx';
import { Input, InputBox } from '../kit/input.tsx';
import { grouped } from './grouped.ts';
import { Keys } from './Keys.tsx';
import { foldNumbered, harshLast, type SheetLine, sheetLine } from './sheet-lines.ts';
import { keysHere, type KeysMoment } from './works-here.ts';

/** Every key there is, as this person has them: those of the focused view, then the others by subject; a few letters narrow it down. */
export function KeySheet({ onClose }: { readonly onClose: () => void }) {
  const { moment, registry } = useCommands();
  const { workspace } = useWorkspace();
  const keymap = useCell(useKeyboard().keymap);
  const [query, setQuery] = useState('');
  const may = moment.may();
  // The sheet lies over the view whose keys it tells of.
  const now: KeysMoment = {
    bindings: keymap.bindings,
    context: { ...moment.context(), overlay: 'none' },
    may,
    subject: moment.subject(),
  };
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const lines = registry.commands.flatMap((command): readonly SheetLine[] => {
    const keys = keymap.keysOf(command.id);
    if (keys.length === 0 || !isAllowed(command, now.context, may)) return [];
    const isOwn = keys.some((one) => !declaredKeys(command).includes(one));
    const text = [
      plainTitle(command),
      command.group,
      ...keys,
      ...(command.keywords ?? []),
      isOwn ? 'own' : '',
    ]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word)) ? [sheetLine(command, keys, isOwn)] : [];
  });
  const here = lines.flatMap((line): readonly SheetLine[] => {
    const keys = keysHere(line.command, line.keys, now);
    return keys.length === 0 ? [] : [{ ...line, keys }];
  });
  const others = lines.filter(({ command }) => here.every((line) => line.command !== command));
  return (
    <Dialog
      title="Keyboard shortcuts"
      width="sheet"
      onClose={onClose}
      footer={
        <>
          <span className="text-text-2 narrow:hidden">
            In a terminal every key goes to the shell, but <LeaderKeys /> sends the next one to the console.
            On a layout without Latin letters keys work by their place.
          </span>
          <span className="min-w-0 flex-1" />
          <Button
            variant="secondary"
            onClick={() => {
              onClose();
              workspace.open(registry.href('settings.keys'));
            }}
          >
            Change keys
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <InputBox className="flex-none">
        <Search size={14} strokeWidth={1.75} aria-hidden="true" />
        <Input
          type="search"
          aria-label="Search keys"
          placeholder="Search keys and commands"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </InputBox>
      <p className="sr-only" role="status">
        {lines.length === 1 ? '1 command' : `${lines.length} commands`}
      </p>
      {lines.length === 0 && <p className="text-text-2">No key matches “{query}”.</p>}
      {here.length > 0 && (
        <section className="mb-3.5 border-b border-border pb-3.5" aria-label="Works here">
          <h3 className="mb-0.5 text-xs font-medium text-accent-text">Works here</h3>
          <Lines lines={foldNumbered(harshLast(here))} isWide />
        </section>
      )}
      <div className="columns-[3_16rem] gap-x-8">
        {grouped(others, (line) => line.command).map(({ heading, items }) => (
          <section key={heading} className="break-inside-avoid pb-3.5" aria-label={heading}>
            <h3 className="mb-0.5 text-xs font-medium text-text-2">{heading}</h3>
            <Lines lines={foldNumbered(items)} />
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Commands with their keys. */
function Lines({
  lines,
  isWide = false,
}: {
  readonly lines: readonly SheetLine[];
  readonly isWide?: boolean;
}) {
  return (
    <dl className={isWide ? 'columns-[3_16rem] gap-x-8' : undefined}>
      {lines.map(({ command, title, keys, isRange, isOwn }) => (
        <div key={command.id} className="flex min-h-6 break-inside-avoid items-center justify-between gap-3">
          <dt>
            {title}
            {isOwn && (
              <span className="ml-1.5 rounded-sm border border-accent-border px-1 text-(length:--text-2xs) text-accent-text">
                yours
              </span>
            )}
          </dt>
          <dd className="flex flex-wrap justify-end gap-x-2 gap-y-1">
            {keys.map((one, at) => (
              <Fragment key={one}>
                {isRange && at > 0 && 'to'}
                <Keys keys={one} />
              </Fragment>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function LeaderKeys() {
  const keys = useCell(useKeyboard().keymap).keysOf(leaderCommand)[0];
  return keys === undefined ? <>no key</> : <Keys keys={keys} />;
}

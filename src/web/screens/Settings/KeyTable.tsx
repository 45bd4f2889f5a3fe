import { Search } from 'lucide-react';
import { useState } from 'react';
import type { KeyOverride } from '../../../contract/keymap.ts';
import { type Command, plainTitle } from '../../../registry/commands/command.ts';
import { keymapOf, keysOfCommand, strokesOf } from '../../../registry/keys/keymap.ts';
import { notesOn } from '../../../registry/keys/keymap-check.ts';
import { useCommands } from '../../core/commands.ts';
import { Keys } from '../../keyboard/Keys.tsx';
import { Button } from '../../kit/Button.tsx';
import { TextField } from '../../kit/fields.tsx';
import { Input, InputBox } from '../../kit/input.tsx';
import { isChanged, rebind, withoutOwn } from './rebind.ts';

interface KeyTableProps {
  readonly keymap: readonly KeyOverride[];
  readonly onChange: (keymap: readonly KeyOverride[]) => void;
  /** The text beside it is no keymap at the moment: nothing can be changed here. */
  readonly isLocked: boolean;
}

/** Every command with its keys, to change, take away or reset them one by one. */
export function KeyTable({ keymap, onChange, isLocked }: KeyTableProps) {
  const { registry } = useCommands();
  const [query, setQuery] = useState('');
  const [editing, setEditing] = useState<string | undefined>(undefined);
  const bindings = keymapOf(registry.commands, keymap);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const lines = registry.commands.flatMap((command) => {
    const keys = keysOfCommand(bindings, command.id);
    const text = [plainTitle(command), command.id, command.group, ...keys].join(' ').toLowerCase();
    return words.every((word) => text.includes(word)) ? [{ command, keys }] : [];
  });
  return (
    <div className="flex flex-col gap-2.5">
      <InputBox>
        <Search size={14} strokeWidth={1.75} aria-hidden="true" />
        <Input
          type="search"
          aria-label="Search commands"
          placeholder="Search commands, ids and keys"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </InputBox>
      <div
        className="max-h-88 overflow-auto rounded-sm border border-border"
        role="region"
        aria-label="Commands and their keys"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to be reachable by keys
        tabIndex={0}
      >
        <ul>
          {lines.map(({ command, keys }) => (
            <li
              key={command.id}
              className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-1.5 border-b border-hairline px-2.5 py-1"
            >
              <span className="flex min-w-0 flex-col leading-4">
                <span className="min-w-0 truncate">{plainTitle(command)}</span>
                <span className="mono min-w-0 truncate leading-4 text-text-3">{command.id}</span>
              </span>
              <span className="flex flex-wrap justify-end gap-x-2 gap-y-1">
                {keys.length === 0 ? (
                  <span className="text-text-3">no key</span>
                ) : (
                  keys.map((one) => <Keys key={one} keys={one} />)
                )}
              </span>
              <Button
                size="sm"
                variant="secondary"
                disabled={isLocked}
                aria-label={`Change the keys of ${plainTitle(command)}`}
                aria-expanded={editing === command.id}
                onClick={() => setEditing(editing === command.id ? undefined : command.id)}
              >
                Change
              </Button>
              {editing === command.id && (
                <Rebind
                  command={command}
                  keymap={keymap}
                  keys={keys[0] ?? ''}
                  onDone={(next) => {
                    setEditing(undefined);
                    if (next !== undefined) onChange(next);
                  }}
                />
              )}
            </li>
          ))}
        </ul>
        {lines.length === 0 && <p className="px-2.5 py-2 text-text-2">No command matches “{query}”.</p>}
      </div>
    </div>
  );
}

interface RebindProps {
  readonly command: Command;
  readonly keymap: readonly KeyOverride[];
  readonly keys: string;
  readonly onDone: (next: readonly KeyOverride[] | undefined) => void;
}

function Rebind({ command, keymap, keys, onDone }: RebindProps) {
  const { registry } = useCommands();
  const [text, setText] = useState(keys);
  const strokes = strokesOf(text);
  const next = strokes === undefined ? undefined : rebind(keymap, command, text);
  const at = next?.findIndex((line) => line.command === command.id) ?? -1;
  const notes =
    next === undefined ? [] : notesOn(next, registry.commands).filter((note) => note.line === at && at >= 0);
  return (
    <div className="col-span-full flex flex-col gap-2 pt-1 pb-2">
      <TextField
        label={`Keys of ${plainTitle(command)}`}
        help={
          notes.length === 0
            ? 'Written like mod+e, shift+r or g p.'
            : notes.map((note) => note.text).join(' ')
        }
        error={
          text.trim() !== '' && strokes === undefined
            ? 'These are not valid keys, or have more than two steps.'
            : undefined
        }
        value={text}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by the button just pressed
        autoFocus
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex min-w-0 flex-wrap items-center gap-1.5">
        <Button size="sm" disabled={next === undefined} onClick={() => onDone(next)}>
          Use these keys
        </Button>
        <Button size="sm" variant="secondary" onClick={() => onDone(rebind(keymap, command, undefined))}>
          Remove keys
        </Button>
        <Button
          size="sm"
          variant="secondary"
          disabled={!isChanged(keymap, command)}
          onClick={() => onDone(withoutOwn(keymap, command))}
        >
          Default keys
        </Button>
        <Button size="sm" variant="transparent" onClick={() => onDone(undefined)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

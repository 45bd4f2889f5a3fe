import { Search } from 'lucide-react';
import { useState } from 'react';
import type { KeyOverride } from '../../../contract/keymap.ts';
import { type Command, plainTitle } from '../../../registry/command.ts';
import { keymapOf, keysOfCommand, strokesOf } from '../../../registry/keymap.ts';
import { notesOn } from '../../../registry/keymap-check.ts';
import { useApp } from '../../app/context.ts';
import { Keys } from '../../keyboard/Keys.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { isChanged, rebind, withoutOwn } from './rebind.ts';

interface KeyTableProps {
  readonly keymap: readonly KeyOverride[];
  readonly onChange: (keymap: readonly KeyOverride[]) => void;
  /** The text beside it is no keymap at the moment: nothing can be changed here. */
  readonly isLocked: boolean;
}

/** Every command with its keys, to change, take away or reset them one by one. */
export function KeyTable({ keymap, onChange, isLocked }: KeyTableProps) {
  const { registry } = useApp();
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
    <div className="key-table">
      <div className="input">
        <Search size={14} strokeWidth={1.75} aria-hidden="true" />
        <input
          type="search"
          aria-label="Search commands"
          placeholder="Search commands, ids and keys"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to be reachable by keys */}
      <div className="key-rows" role="region" aria-label="Commands and their keys" tabIndex={0}>
        <ul>
          {lines.map(({ command, keys }) => (
            <li key={command.id}>
              <span className="two">
                <span className="trunc">{plainTitle(command)}</span>
                <span className="sub mono trunc">{command.id}</span>
              </span>
              <span className="key-caps">
                {keys.length === 0 ? (
                  <span className="muted">no key</span>
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
        {lines.length === 0 && <p className="sec">No command matches “{query}”.</p>}
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
  const { registry } = useApp();
  const [text, setText] = useState(keys);
  const strokes = strokesOf(text);
  const next = strokes === undefined ? undefined : rebind(keymap, command, text);
  const at = next?.findIndex((line) => line.command === command.id) ?? -1;
  const notes =
    next === undefined ? [] : notesOn(next, registry.commands).filter((note) => note.line === at && at >= 0);
  return (
    <div className="rebind">
      <TextField
        label={`Keys of ${plainTitle(command)}`}
        help={
          notes.length === 0
            ? 'Written like mod+e, shift+r or g p.'
            : notes.map((note) => note.text).join(' ')
        }
        error={
          text.trim() !== '' && strokes === undefined
            ? 'These are no keys, or more than two steps.'
            : undefined
        }
        value={text}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by the button just pressed
        autoFocus
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      <div className="row">
        <Button size="sm" disabled={next === undefined} onClick={() => onDone(next)}>
          Use these keys
        </Button>
        <Button size="sm" variant="secondary" onClick={() => onDone(rebind(keymap, command, undefined))}>
          Take keys away
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

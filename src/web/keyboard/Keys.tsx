import { parseKeys } from '../../registry/keys/keys.ts';
import { useKeys } from './keymap.ts';

/** Whether the keyboard is an Apple one. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

const caps: Readonly<Record<string, string>> = {
  mod: isMac ? '⌘' : 'Ctrl',
  alt: isMac ? '⌥' : 'Alt',
  shift: isMac ? '⇧' : 'Shift',
  enter: '↵',
  esc: 'Esc',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  space: 'Space',
  home: 'Home',
  end: 'End',
  pagedown: 'PgDn',
  pageup: 'PgUp',
  delete: 'Del',
  backspace: '⌫',
  tab: 'Tab',
};

/** The caps of one stroke or of keys of two steps. */
export function capsOf(keys: string): readonly string[] {
  return parseKeys(keys).flatMap((stroke) =>
    (stroke === '+' ? ['+'] : stroke.split(/\+(?!$)/)).map((part, index, all) => {
      const cap = caps[part] ?? part;
      return all.length > 1 && index === all.length - 1 && cap.length === 1 ? cap.toUpperCase() : cap;
    }),
  );
}

/** The first way to a command by keys as this person has it, as text for tooltips. */
export function useKeyText(id: string): string | undefined {
  const keys = useKeys(id);
  return keys === undefined ? undefined : capsOf(keys).join(' ');
}

/** Keycaps: one cap for each key. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex flex-none gap-0.5">
      {capsOf(keys).map((cap, index) => (
        <kbd key={`${cap}-${index}`}>{cap}</kbd>
      ))}
    </span>
  );
}

/** The keys of a command as this person has them; nothing where it has none. */
export function KeysOf(props: { readonly id: string } | { readonly command: { readonly id: string } }) {
  const keys = useKeys('id' in props ? props.id : props.command.id);
  return keys === undefined ? null : <Keys keys={keys} />;
}

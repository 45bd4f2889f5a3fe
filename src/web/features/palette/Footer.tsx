import { memo } from 'react';
import { KeysOf } from '../../keyboard/Keys.tsx';
import type { Frame } from './frames.ts';

const modes = [
  ['>', 'commands'],
  [':', 'kinds'],
  ['@', 'namespaces'],
  ['#', 'clusters'],
  ['?', 'help'],
] as const;

const hint = 'inline-flex items-center gap-1.5';

/** The keys that work here, and the characters that begin a mode. */
export const Footer = memo(function Footer({
  type,
  isPending,
}: {
  readonly type: Frame['type'];
  readonly isPending: boolean;
}) {
  return (
    <div
      className="flex min-h-8 flex-none items-center gap-2.5 overflow-hidden border-t border-border bg-raised px-3.5 text-(length:--text-xs) whitespace-nowrap text-text-2 narrow:hidden"
      aria-hidden="true"
    >
      <span className={hint}>
        <KeysOf id="palette.run" />
        {type === 'step' ? 'next' : 'run'}
      </span>
      {type === 'root' && (
        <>
          <span className={hint}>
            <KeysOf id="palette.runBeside" />
            in split
          </span>
          <span className={hint}>
            <KeysOf id="palette.actions" />
            actions
          </span>
        </>
      )}
      <span className={hint}>
        <KeysOf id="palette.back" />
        {type === 'root' ? 'close' : 'back'}
      </span>
      <span className="min-w-0 flex-1" />
      {isPending && <span>Searching…</span>}
      {!isPending &&
        type === 'root' &&
        modes.map(([key, name]) => (
          <span key={key}>
            <b className="font-mono font-medium text-text">{key}</b> {name}
          </span>
        ))}
    </div>
  );
});

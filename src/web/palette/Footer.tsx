import { memo } from 'react';
import { KeysOf } from '../keyboard/Keys.tsx';
import type { Frame } from './frames.ts';

const modes = [
  ['>', 'commands'],
  [':', 'kinds'],
  ['@', 'namespaces'],
  ['#', 'clusters'],
  ['?', 'help'],
] as const;

/** The keys that work here, and the characters that begin a mode. */
export const Footer = memo(function Footer({
  type,
  isPending,
}: {
  readonly type: Frame['type'];
  readonly isPending: boolean;
}) {
  return (
    <div className="foot" aria-hidden="true">
      <span className="hint">
        <KeysOf id="palette.run" />
        {type === 'step' ? 'next' : 'run'}
      </span>
      {type === 'root' && (
        <>
          <span className="hint">
            <KeysOf id="palette.runBeside" />
            in split
          </span>
          <span className="hint">
            <KeysOf id="palette.actions" />
            actions
          </span>
        </>
      )}
      <span className="hint">
        <KeysOf id="palette.back" />
        {type === 'root' ? 'close' : 'back'}
      </span>
      <span className="grow" />
      {isPending && <span>Searching…</span>}
      {!isPending &&
        type === 'root' &&
        modes.map(([key, name]) => (
          <span key={key} className="mode-hint">
            <b>{key}</b> {name}
          </span>
        ))}
    </div>
  );
});

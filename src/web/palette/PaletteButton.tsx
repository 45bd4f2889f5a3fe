import { Search } from 'lucide-react';
import { plainTitle } from '../../registry/command.ts';
import { useApp } from '../app/context.ts';
import { KeysOf } from '../keyboard/Keys.tsx';

/** The palette's entry in the top bar. */
export function PaletteButton() {
  const { registry, run } = useApp();
  const command = registry.get('palette.open');
  return (
    <button
      type="button"
      className="pal-button"
      aria-haspopup="dialog"
      onClick={() => run(command.id, {}, { source: 'button' })}
    >
      <Search size={14} strokeWidth={1.75} aria-hidden="true" />
      <span className="w-only trunc">{plainTitle(command)}</span>
      <span className="only-n vh">{plainTitle(command)}</span>
      <span className="w-only" aria-hidden="true">
        <KeysOf command={command} />
      </span>
    </button>
  );
}

import { Search } from 'lucide-react';
import { plainTitle } from '../../../registry/commands/command.ts';
import { useCommands } from '../../core/commands.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';

/** The palette's entry in the top bar. */
export function PaletteButton() {
  const { registry, run } = useCommands();
  const command = registry.get('palette.open');
  return (
    <button
      type="button"
      className={[
        'mx-auto flex h-control-md min-w-9 flex-[0_1000_25rem] items-center gap-2 overflow-hidden rounded-sm border border-control',
        'bg-surface pr-1.5 pl-2.25 text-text-3 hover:bg-row-hover',
        'narrow:mr-0 narrow:size-9 narrow:flex-none narrow:justify-center narrow:border-transparent narrow:not-hover:bg-transparent narrow:p-0 narrow:text-text',
      ].join(' ')}
      aria-haspopup="dialog"
      onClick={() => run(command.id, {}, { source: 'button' })}
    >
      <Search size={14} strokeWidth={1.75} aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate text-left narrow:hidden">{plainTitle(command)}</span>
      <span className="sr-only md:hidden">{plainTitle(command)}</span>
      <span className="narrow:hidden" aria-hidden="true">
        <KeysOf command={command} />
      </span>
    </button>
  );
}

import { cva } from 'class-variance-authority';
import { ChevronsUpDown } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';

const look = cva(
  [
    'flex-initial items-center gap-1.5 rounded-sm border border-control bg-surface px-2 font-medium hover:bg-row-hover',
    'h-control-md narrow:h-9',
  ],
  {
    variants: {
      /** In the top bar long names give way after the palette's entry; a list's bar has it where the top bar has none. */
      place: {
        topbar: 'flex max-w-64 min-w-16 narrow:min-w-11',
        namespace: 'flex max-w-64 min-w-16 narrow:hidden',
        tools: 'hidden max-w-40 min-w-0 narrow:flex',
      },
    },
  },
);

interface PickerButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly place: 'topbar' | 'namespace' | 'tools';
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Says what is chosen, and opens the menu to choose another. */
export function PickerButton({ place, children, ...rest }: PickerButtonProps) {
  return (
    <button {...rest} type="button" aria-haspopup="dialog" className={look({ place })}>
      {children}
      <ChevronsUpDown className="text-text-3" size={13} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}

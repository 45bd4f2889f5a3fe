import { cva } from 'class-variance-authority';

/** The box of something that the palette goes by: what it acts on, what was chosen so far. */
export const paletteChip = cva(
  [
    'inline-flex h-6 max-w-48 items-center gap-1.25 overflow-hidden rounded-sm border border-border px-1.75',
    'bg-fill text-(length:--text-xs) whitespace-nowrap',
  ],
  {
    variants: {
      /** It leads back to the level before. */
      isWay: { true: 'font-medium text-text', false: 'text-text-2' },
      /** Left out where there is no room. */
      isExtra: { true: 'narrow:hidden' },
    },
    defaultVariants: { isWay: false },
  },
);

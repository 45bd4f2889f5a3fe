import type { HTMLAttributes } from 'react';
import { cva } from 'class-variance-authority';
import type { Tone } from '../../registry/tone.ts';

/** A word or a count in a small frame; in a tone where `data-tone` says one. */
export const badgeLook = cva(
  [
    'inline-flex flex-none items-center gap-1 rounded-sm border border-border bg-raised px-1.5',
    'text-(length:--text-2xs) font-medium text-text-2',
    'data-tone:border-tone-border data-tone:bg-tone-bg data-tone:*:[svg]:text-tone',
  ],
  {
    variants: {
      /** Breaks where it finds no room: for words of a cluster, which may be long. */
      isBreaking: {
        true: 'min-h-4.5 max-w-full wrap-anywhere whitespace-normal',
        false: 'h-4.5 whitespace-nowrap',
      },
    },
    defaultVariants: { isBreaking: false },
  },
);

interface BadgeProps extends HTMLAttributes<HTMLSpanElement> {
  readonly tone?: Tone | undefined;
}

/** Says what something is, or how many of it there are; nothing to press. */
export function Badge({ tone, className, ...rest }: BadgeProps) {
  return <span {...rest} data-tone={tone} className={badgeLook({ className })} />;
}

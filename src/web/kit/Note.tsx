import type { HTMLAttributes } from 'react';

interface NoteProps extends HTMLAttributes<HTMLDivElement> {
  readonly tone: 'info' | 'warn' | 'bad';
}

/** Something to know, in its tone: a glyph, then the words. */
export function Note({ tone, className = '', ...rest }: NoteProps) {
  return (
    <div
      {...rest}
      data-tone={tone}
      className={`flex gap-2 rounded-sm border border-l-3 border-tone-border border-l-tone bg-tone-bg px-2.5 py-1.75 text-left text-text *:[svg]:mt-0.5 ${className}`}
    />
  );
}

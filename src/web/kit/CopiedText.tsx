import { type ReactNode, useId } from 'react';
import { CopyButton } from './CopyButton.tsx';
import { labelLook } from './fields.tsx';

interface CopiedTextProps {
  readonly label: string;
  readonly text: string;
  /** The words of the button that copies it. */
  readonly copy: string;
  /** What to know of it. */
  readonly children?: ReactNode;
}

/** A text that is there to be copied and used elsewhere: a token, a link, a command. */
export function CopiedText({ label, text, copy, children }: CopiedTextProps) {
  const id = useId();
  return (
    <>
      <div className="flex min-w-0 flex-col gap-1">
        <label htmlFor={id} className={labelLook}>
          {label}
        </label>
        <output
          id={id}
          className="mono block rounded-sm border border-border bg-sunken px-2 py-1.5 text-xs wrap-anywhere whitespace-pre-wrap select-all"
        >
          {text}
        </output>
        {children !== undefined && <p className="text-xs text-text-3">{children}</p>}
      </div>
      <div data-part="copies">
        <CopyButton variant="secondary" text={() => text}>
          {copy}
        </CopyButton>
      </div>
    </>
  );
}

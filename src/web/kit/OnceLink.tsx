import { type ReactNode, useId } from 'react';
import { CopyButton } from './CopyButton.tsx';
import { labelLook } from './fields.tsx';

interface OnceLinkProps {
  readonly link: string;
  /** What its bearer can do with it. */
  readonly children: ReactNode;
}

/** A link with a secret, shown the only time it is known, to be copied and passed on. */
export function OnceLink({ link, children }: OnceLinkProps) {
  const id = useId();
  return (
    <>
      <div className="flex min-w-0 flex-col gap-1">
        <label htmlFor={id} className={labelLook}>
          Link, shown only now
        </label>
        <output
          id={id}
          className="mono block rounded-sm border border-border bg-sunken px-2 py-1.5 text-xs wrap-anywhere select-all"
        >
          {link}
        </output>
        <p className="text-xs text-text-3">{children}</p>
      </div>
      <div>
        <CopyButton variant="secondary" text={() => link}>
          Copy link
        </CopyButton>
      </div>
    </>
  );
}

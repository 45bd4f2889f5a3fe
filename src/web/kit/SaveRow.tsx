import type { ReactNode } from 'react';
import { Button } from './Button.tsx';

interface SaveRowProps {
  readonly form: { readonly isBusy: boolean };
  readonly isChanged: boolean;
  /** What keeps the form from being saved besides, a sentence. */
  readonly reason?: string | undefined;
  readonly variant?: 'secondary';
  /** The words of the button; `Save` without them. */
  readonly children?: ReactNode;
}

/** The last row of a form that is part of a page: its button, which says why it cannot save. */
export function SaveRow({ form, isChanged, reason, variant, children = 'Save' }: SaveRowProps) {
  return (
    <div>
      <Button
        type="submit"
        {...(variant === undefined ? {} : { variant })}
        isLoading={form.isBusy}
        loadingText="Saving..."
        reason={reason ?? (isChanged ? undefined : 'Nothing is changed.')}
      >
        {children}
      </Button>
    </div>
  );
}

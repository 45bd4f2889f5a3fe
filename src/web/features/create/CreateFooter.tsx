import type { Lack } from '../../../contract/problem-schema.ts';
import { Keys } from '../../keyboard/Keys.tsx';
import { Button } from '../../kit/Button.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { WhyNotLack } from '../../kit/WhyNotButton.tsx';
import { createTexts } from './messages.ts';

interface CreateFooterProps {
  readonly create: {
    readonly label: string;
    readonly isBusy: boolean;
    /** Why it cannot be done now; undefined when it can. */
    readonly reason: string | undefined;
    readonly error: string | undefined;
    /** What the person lacks for it, where that is why it failed. */
    readonly lacking: Lack | undefined;
    readonly run: () => void;
  };
  readonly apply: {
    readonly isChecking: boolean;
    readonly reason: string | undefined;
    readonly review: () => void;
  };
  readonly onClose: () => void;
}

/** The buttons of the dialog that creates resources, and why creating failed. */
export function CreateFooter({ create, apply, onClose }: CreateFooterProps) {
  return (
    <>
      {create.error === undefined ? (
        <span className="inline-flex items-center gap-1 whitespace-nowrap text-text-2 narrow:hidden">
          <Keys keys="mod+enter" /> create
        </span>
      ) : (
        <span
          className="flex max-h-[30vh] items-baseline gap-1.5 overflow-auto py-1.5 wrap-anywhere text-bad-fg narrow:max-h-[20vh] narrow:flex-[1_0_100%]"
          role="alert"
        >
          <Glyph tone="bad" size={12} />
          <span>{create.error}</span>
          <WhyNotLack what={createTexts.title} lack={create.lacking} />
        </span>
      )}
      <span className="min-w-0 flex-1" />
      <Button variant="secondary" onClick={onClose}>
        {createTexts.cancel}
      </Button>
      <Button
        variant="secondary"
        isLoading={apply.isChecking}
        loadingText="Checking..."
        title="Creates or updates objects by server-side apply. Shows the changes first."
        reason={apply.reason}
        onClick={apply.review}
      >
        Create or update…
      </Button>
      <Button
        acts
        isLoading={create.isBusy}
        loadingText={createTexts.creating}
        reason={create.reason}
        onClick={create.run}
      >
        {create.label}
      </Button>
    </>
  );
}

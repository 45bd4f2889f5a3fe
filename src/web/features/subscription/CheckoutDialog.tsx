import { ExternalLink } from 'lucide-react';
import type { Ref } from 'react';
import { checkoutFramePath } from '../../../contract/subscription.ts';
import { Button, buttonLook } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { State } from '../../kit/State.tsx';
import { type Checkout, type CheckoutPlace, windowTexts } from './checkout.ts';

interface CheckoutDialogProps {
  readonly checkout: Checkout;
  readonly place: CheckoutPlace;
  readonly frame: Ref<HTMLIFrameElement>;
  readonly opener: Element | null;
  /** It is opened in one more window. */
  readonly onReopen: () => void;
  readonly onClose: () => void;
}

/** The hosted page over the console; on narrow screens it has a window of its own, and this one waits for it. */
export function CheckoutDialog({ checkout, place, frame, opener, onReopen, onClose }: CheckoutDialogProps) {
  return (
    <Dialog
      title="Checkout"
      width="sheet"
      isSticky
      opener={opener}
      onClose={onClose}
      footer={
        <>
          <p className="min-w-0 flex-1 text-xs text-text-2">
            You pay at {new URL(checkout.url).host}. The console does not see your payment details.
          </p>
          <Button variant="secondary" onClick={onClose}>
            Back to the plans
          </Button>
        </>
      }
    >
      {place === 'frame' ? (
        <iframe
          ref={frame}
          title="Checkout"
          className="-mx-4 -my-3.5 min-h-0 flex-1 bg-surface"
          src={checkoutFramePath}
          // Its answer says the same of itself: it has no origin, and reaches nothing of the console.
          sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox"
          allow="payment"
          onLoad={({ currentTarget }) => currentTarget.focus()}
        />
      ) : (
        <State
          icon={<ExternalLink size={22} strokeWidth={1.75} aria-hidden="true" />}
          title={windowTexts[place].title}
          actions={
            <a
              className={buttonLook({ variant: 'secondary' })}
              href={checkout.url}
              target="_blank"
              rel="noreferrer"
              onClick={onReopen}
            >
              {windowTexts[place].act}
            </a>
          }
        >
          This page continues once you have paid there.
        </State>
      )}
    </Dialog>
  );
}

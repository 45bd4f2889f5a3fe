import type { ToastAction } from '../../../registry/commands/services.ts';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { useCell } from '../../core/state/state.ts';
import { Button, type ButtonVariant } from '../../kit/Button.tsx';
import { cardLook } from '../../kit/card.ts';
import {
  addToast,
  clearToasts,
  dismissToast,
  toastDefaults,
  toastPositions,
  type ToastPosition,
  type ToastType,
  toastTypes,
  updateToast,
  updateToastDefaults,
} from '../../kit/toast/toaster.ts';
import { Page } from '../../frame/Page.tsx';

const variants: Readonly<Record<ToastType, ButtonVariant>> = {
  success: 'success',
  error: 'error',
  warning: 'warning',
  info: 'info',
  default: 'light',
};
const toastTexts: Readonly<Record<ToastType, readonly [title: string, detail: string]>> = {
  success: ['Resource created successfully', 'Deployment shop/checkout-mailer in staging-eu'],
  error: ['Failed to create resource: namespace "shop" is being terminated', 'Nothing was created.'],
  warning: ['Restarted 11 of 12 deployments', 'payments-worker was changed by someone else meanwhile.'],
  info: ['Draining worker-c2', '31 of 55 pods moved. You can close this; it continues.'],
  default: ['Workspace link copied', 'It shows exactly what you see.'],
};
const withoutEnd = Number.POSITIVE_INFINITY;
const title = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
let count = 0;

/** `/tests/toast-test`: every type, position and action of toasts. */
export function Screen() {
  const defaults = useCell(toastDefaults);
  const [type, setType] = useState<ToastType>('success');
  const [position, setPosition] = useState<ToastPosition | undefined>(undefined);
  const [shown, setShown] = useState<readonly string[]>([]);
  const last = shown.at(-1);

  const add = (more: { readonly duration?: number; readonly actions?: readonly ToastAction[] } = {}) => {
    count += 1;
    const [heading, detail] = toastTexts[type];
    const id = addToast(type, heading, {
      id: `test-${count}`,
      detail,
      ...(position === undefined ? {} : { position }),
      ...more,
    });
    setShown((known) => [...known, id]);
  };
  const actions: readonly ToastAction[] = [
    { label: 'Open', run: () => addToast('default', 'Open was pressed') },
    { label: 'Copy details', run: () => addToast('default', 'Copy details was pressed') },
  ];

  return (
    <Page
      title="Toasts"
      isCentred
      mode="TEST"
      about="Five types, six positions. Defaults: top-right, 5000 ms, at most 20, dismiss by dragging 60% of the width."
    >
      <section className={`flex max-w-160 flex-col gap-3 px-4 pt-3.5 pb-4 ${cardLook}`} aria-label="Toasts">
        <h2 className="text-sm font-semibold">Type</h2>
        <div className="flex min-w-0 flex-wrap items-center gap-1.5" role="group" aria-label="Type">
          {toastTypes.map((one) => (
            <Button
              key={one}
              variant={variants[one]}
              aria-pressed={type === one}
              icon={type === one && <Check size={13} aria-hidden="true" />}
              onClick={() => setType(one)}
            >
              {title(one)}
            </Button>
          ))}
        </div>
        <h2 className="text-sm font-semibold">Position</h2>
        <div className="grid grid-cols-3 gap-1.5" role="group" aria-label="Position">
          {toastPositions.map((one) => {
            const isChosen = (position ?? defaults.position) === one;
            return (
              <Button
                key={one}
                variant={isChosen ? 'outline' : 'secondary'}
                aria-pressed={isChosen}
                icon={isChosen && <Check size={13} aria-hidden="true" />}
                onClick={() => setPosition(one)}
              >
                {one}
              </Button>
            );
          })}
        </div>
        <h2 className="text-sm font-semibold">Action</h2>
        <div className="flex min-w-0 flex-wrap items-center gap-1.5" role="group" aria-label="Action">
          <Button onClick={() => add()}>Add</Button>
          <Button
            variant="secondary"
            disabled={last === undefined}
            onClick={() => {
              if (last !== undefined)
                updateToast(last, {
                  type,
                  title: `Updated: ${toastTexts[type][0]}`,
                  detail: 'In its place.',
                });
            }}
          >
            Update last
          </Button>
          <Button
            variant="secondary"
            disabled={last === undefined}
            onClick={() => {
              if (last !== undefined) dismissToast(last);
              setShown((known) => known.slice(0, -1));
            }}
          >
            Dismiss last
          </Button>
          <Button
            variant="secondary"
            onClick={() => {
              clearToasts();
              setShown([]);
            }}
          >
            Clear all
          </Button>
          <Button
            variant="secondary"
            onClick={() => updateToastDefaults(position === undefined ? {} : { position })}
          >
            Update defaults
          </Button>
        </div>
        <h2 className="text-sm font-semibold">More</h2>
        <div className="flex min-w-0 flex-wrap items-center gap-1.5" role="group" aria-label="More">
          <Button variant="secondary" onClick={() => add({ actions })}>
            Add with actions
          </Button>
          <Button variant="secondary" onClick={() => add({ duration: withoutEnd })}>
            Add without end
          </Button>
          <Button variant="secondary" onClick={() => updateToastDefaults({ duration: 1_000 })}>
            Default 1000 ms
          </Button>
          <Button
            variant="secondary"
            onClick={() => updateToastDefaults({ duration: 5_000, position: 'top-right' })}
          >
            Reset defaults
          </Button>
        </div>
        <p className="text-text-2" role="note" aria-label="Defaults">
          Defaults now: {defaults.position}, {defaults.duration} ms.
        </p>
        <h2 className="text-sm font-semibold">Rules</h2>
        <ul className="list-disc pl-4 text-text-2">
          <li>Says what happened, to which object, in which cluster.</li>
          <li>Errors of commands stay until dismissed. The others pause while hovered or focused.</li>
          <li>Escape dismisses the toast that has the focus.</li>
          <li>One toast per command: bulk results are counted, not stacked.</li>
          <li>The bar at the bottom is the time left. With reduced motion it is hidden.</li>
        </ul>
      </section>
    </Page>
  );
}

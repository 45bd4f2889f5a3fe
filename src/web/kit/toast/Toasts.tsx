import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { toast as hot, useToaster } from 'react-hot-toast/headless';
import { useCell } from '../../core/state/state.ts';
import { ToastItem } from './ToastItem.tsx';
import { forgetToasts, toastDefaults, toastPositions } from './toaster.ts';

/** As high as its toasts, at most as there is room: the rest is scrolled to. Their shadows stand in its padding. */
const look = [
  'pointer-events-none fixed z-toast flex w-[min(23.5rem,100vw)] scrollbar-thin gap-2 overflow-x-hidden overflow-y-auto overscroll-contain p-3',
  // Below the buttons in the head of a view: what was just pressed stays in reach.
  'data-[position^=top]:top-27 data-[position^=top]:max-h-[calc(100dvh-6.75rem)] data-[position^=top]:flex-col',
  'data-[position^=bottom]:bottom-7 data-[position^=bottom]:max-h-[calc(100dvh-5.25rem)] data-[position^=bottom]:flex-col-reverse',
  'data-[position$=left]:left-0 data-[position$=right]:right-0',
  'data-[position$=center]:left-1/2 data-[position$=center]:-ml-[calc(min(23.5rem,100vw)/2)]',
].join(' ');

/** The toasts on screen, by their positions. Must be mounted exactly once: the library's timers run in it. */
export function Toasts() {
  const { duration, position: usual } = useCell(toastDefaults);
  const { toasts, handlers } = useToaster({ duration });
  const { startPause, endPause } = handlers;
  /** The element that had the focus before a toast took it. */
  const before = useRef<Element | null>(null);
  useEffect(() => forgetToasts(new Set(toasts.map((one) => one.id))), [toasts]);
  const dismiss = (id: string) => {
    hot.dismiss(id);
    // A toast removed from under the pointer never hears it leave: all timers would stay paused.
    endPause();
  };
  const leave = (element: Element) => {
    if (!element.contains(document.activeElement)) return;
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    else (document.activeElement as HTMLElement).blur();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !(event.target instanceof Element)) return;
    const item = event.target.closest<HTMLElement>('[data-toast]');
    if (item === null) return;
    event.preventDefault();
    leave(item);
    dismiss(item.dataset.toast ?? '');
  };
  const enter = (event: FocusEvent) => {
    startPause();
    if (event.relatedTarget?.closest('[data-toast]') == null) before.current = event.relatedTarget;
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hovering and focus hold the timers, Esc ends one
    <div
      className="group/toasts"
      onMouseEnter={startPause}
      onMouseLeave={endPause}
      onFocus={enter}
      onBlur={endPause}
      onKeyDown={press}
    >
      {toastPositions.map((position) => {
        const here = toasts.filter((one) => (one.position ?? usual) === position);
        return here.length === 0 ? null : (
          <div key={position} className={look} data-position={position}>
            {here.map((one) => (
              <ToastItem
                key={one.id}
                toast={one}
                onDismiss={(id, element) => {
                  leave(element);
                  dismiss(id);
                }}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

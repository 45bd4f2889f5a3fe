import { type FocusEvent as ReactFocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

/** Who does nothing for this long does not read any more, ms. */
const patience = 60_000;

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]') !== null;

/**
 * Whether somebody reads an element: pointer or keyboard focus is inside, and did something in the last minute. Who
 * answers a dialog that was opened from inside comes back, so that the element does not change behind the dialog.
 */
export function useReading() {
  const [isOver, setOver] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const element = useRef<Element>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // By where the focus goes: an element that is disabled while it has the focus loses it to nothing.
  useEffect(() => {
    if (!isFocused) return undefined;
    const follow = ({ target }: FocusEvent) => {
      if (isInDialog(target)) return;
      if (!(target instanceof Node && element.current?.contains(target) === true)) setFocused(false);
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [isFocused]);

  const stay = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setOver(false);
      setFocused(false);
    }, patience);
  };
  return {
    isReading: isOver || isFocused,
    handlers: {
      onPointerMove: ({ pointerType }: PointerEvent) => {
        // A finger is inside only while it touches.
        if (pointerType !== 'mouse') return;
        setOver(true);
        stay();
      },
      onPointerLeave: () => setOver(false),
      onFocus: ({ currentTarget }: ReactFocusEvent) => {
        element.current = currentTarget;
        setFocused(true);
        stay();
      },
      // A button that is disabled while it has the focus is blurred as well, in some versions of browsers: only a window
      // that lost the focus ends the reading.
      onBlur: () => {
        if (!document.hasFocus()) setFocused(false);
      },
    },
  };
}

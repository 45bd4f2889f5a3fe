import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

/** Who does nothing for this long does not read any more, ms. */
const patience = 60_000;

/** Whether somebody reads an element: pointer or keyboard focus is inside, and did something in the last minute. */
export function useReading() {
  const [isOver, setOver] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

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
      onFocus: () => {
        setFocused(true);
        stay();
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false);
      },
    },
  };
}

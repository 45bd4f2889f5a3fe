import { Info, X } from 'lucide-react';
import { type FocusEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Toast, toast as hot, useToaster } from 'react-hot-toast/headless';
import type { Tone } from '../../../registry/tone.ts';
import { Glyph } from '../marks.tsx';
import { contentOf, forgetToasts, type ToastType, toastDuration } from './toaster.ts';

const tones: Readonly<Record<ToastType, Tone | undefined>> = {
  success: 'ok',
  error: 'bad',
  warning: 'warn',
  info: 'info',
  default: undefined,
};
/** A toast dragged by this part of its width is dismissed. */
const dismissAt = 0.6;
const gutter = 8;

/** The toasts on screen, top right. Must be mounted exactly once: the library's timers run in it. */
export function Toasts() {
  const { toasts, handlers } = useToaster({ duration: toastDuration });
  const { startPause, endPause, updateHeight, calculateOffset } = handlers;
  // What had the focus before somebody came here: it has it again once they dismiss a toast.
  const before = useRef<EventTarget | null>(null);
  const enter = (event: FocusEvent<HTMLDivElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) before.current = event.relatedTarget;
    startPause();
  };
  useEffect(() => forgetToasts(new Set(toasts.map((one) => one.id))), [toasts]);
  const dismiss = (id: string) => {
    hot.dismiss(id);
    if (document.activeElement?.closest('.toasts') != null && before.current instanceof HTMLElement)
      before.current.focus({ preventScroll: true });
    // A toast removed from under the pointer never hears it leave: all timers would stay paused.
    endPause();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hovering only holds the timers
    <div
      className="toasts"
      onMouseEnter={startPause}
      onMouseLeave={endPause}
      onFocus={enter}
      onBlur={endPause}
    >
      {toasts.map((one) => (
        <ToastItem
          key={one.id}
          toast={one}
          offset={calculateOffset(one, { gutter, reverseOrder: false })}
          onHeight={updateHeight}
          onDismiss={dismiss}
        />
      ))}
    </div>
  );
}

interface ToastItemProps {
  readonly toast: Toast;
  readonly offset: number;
  readonly onHeight: (id: string, height: number) => void;
  readonly onDismiss: (id: string) => void;
}

function ToastItem({ toast, offset, onHeight, onDismiss }: ToastItemProps) {
  const ref = useRef<HTMLDivElement>(null);
  const start = useRef<number | undefined>(undefined);
  const [drag, setDrag] = useState(0);
  const content = contentOf(toast.id);
  const tone = tones[content?.type ?? 'default'];

  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => onHeight(toast.id, element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-deps -- the library gives a new onHeight at each render
  }, [toast.id]);

  const press = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || (event.target as Element).closest('button') !== null) return;
    start.current = event.clientX;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (start.current !== undefined) setDrag(event.clientX - start.current);
  };
  const release = (event: PointerEvent<HTMLDivElement>) => {
    if (start.current === undefined) return;
    const far = Math.abs(event.clientX - start.current) / event.currentTarget.offsetWidth;
    start.current = undefined;
    if (far >= dismissAt) onDismiss(toast.id);
    else setDrag(0);
  };

  return (
    <div
      ref={ref}
      className={`toast ${tone ?? ''} ${toast.visible ? 'in' : 'out'}`}
      style={{
        transform: `translate(${drag}px, ${offset}px)`,
        opacity: toast.visible ? 1 - Math.abs(drag) / 500 : 0,
      }}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={() => {
        start.current = undefined;
        setDrag(0);
      }}
      data-dismissible=""
      {...toast.ariaProps}
    >
      {tone === undefined ? (
        <Info size={14} strokeWidth={1.75} aria-hidden="true" />
      ) : (
        <Glyph tone={tone} size={14} />
      )}
      <span className="tt lines">{content?.title}</span>
      <button
        type="button"
        className="x"
        aria-label="Dismiss"
        onClick={() => onDismiss(toast.id)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDismiss(toast.id);
        }}
      >
        <X size={13} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {content?.detail !== undefined && <p className="lines">{content.detail}</p>}
    </div>
  );
}

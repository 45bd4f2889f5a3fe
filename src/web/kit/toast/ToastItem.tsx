import { Check, Info, X } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import type { Toast } from 'react-hot-toast/headless';
import type { Tone } from '../../../registry/tone.ts';
import { Button } from '../Button.tsx';
import { Glyph } from '../marks.tsx';
import { contentOf, type ToastType } from './toaster.ts';

const tones: Readonly<Record<ToastType, Tone | undefined>> = {
  success: 'ok',
  error: 'bad',
  warning: 'warn',
  info: 'info',
  default: undefined,
};
/** A toast dragged by this part of its width is dismissed (specification section 9). */
const dismissAt = 0.6;

const look = [
  'group/toast pointer-events-auto relative grid flex-none grid-cols-[1rem_minmax(0,1fr)_auto] gap-x-2.5 gap-y-0.5 py-2.5 pr-2 pl-3',
  'rounded-md border border-l-3 border-border border-l-control bg-overlay shadow-menu data-tone:border-l-tone *:[svg]:mt-0.5',
  'touch-pan-y select-none transition-[opacity,transform] duration-slow ease-out',
].join(' ');

/** How much of its time is left; stands still while the pointer or the focus is on any toast. */
const life = [
  'absolute inset-x-0 bottom-0 h-0.5 origin-left animate-toast-life bg-control group-data-tone/toast:bg-tone motion-reduce:hidden',
  'group-focus-within/toasts:paused group-hover/toasts:paused group-data-leaving/toast:paused',
].join(' ');

interface ToastItemProps {
  readonly toast: Toast;
  readonly onDismiss: (id: string, element: Element) => void;
}

/** One toast: what it says, what can be done about it, and how long it stays. Dragged far enough it is dismissed. */
export function ToastItem({ toast, onDismiss }: ToastItemProps) {
  const ref = useRef<HTMLDivElement>(null);
  const start = useRef<number | undefined>(undefined);
  const [drag, setDrag] = useState(0);
  const content = contentOf(toast.id);
  const tone = tones[content?.type ?? 'default'];
  const { duration = 0 } = toast;

  const dismiss = () => {
    if (ref.current !== null) onDismiss(toast.id, ref.current);
  };
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
    // From the event, not from the state: that is one move behind.
    const far = Math.abs(event.clientX - start.current) / event.currentTarget.offsetWidth;
    start.current = undefined;
    if (far >= dismissAt) dismiss();
    else setDrag(0);
  };

  return (
    <div
      ref={ref}
      data-toast={toast.id}
      data-keys="own"
      data-tone={tone}
      data-leaving={!toast.visible || undefined}
      className={look}
      style={{
        transform: `translateX(${drag}px)`,
        opacity: toast.visible ? 1 - Math.abs(drag) / 500 : 0,
      }}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={() => {
        start.current = undefined;
        setDrag(0);
      }}
      {...toast.ariaProps}
    >
      {tone === undefined ? (
        <Info size={14} strokeWidth={1.75} aria-hidden="true" />
      ) : tone === 'ok' ? (
        <Check className="text-tone" size={14} strokeWidth={2.25} aria-hidden="true" />
      ) : (
        <Glyph tone={tone} size={14} />
      )}
      <span data-part="title" className="font-semibold wrap-anywhere whitespace-pre-line">
        {content?.title}
      </span>
      <button
        type="button"
        className="col-start-3 row-start-1 -my-0.75 grid size-6 place-items-center rounded-sm text-text-3 hover:bg-row-hover"
        aria-label="Dismiss"
        onClick={dismiss}
      >
        <X size={13} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {content?.detail !== undefined && (
        <p className="col-span-2 col-start-2 pr-1.5 wrap-anywhere whitespace-pre-line text-text-2">
          {content.detail}
        </p>
      )}
      {content?.actions !== undefined && content.actions.length > 0 && (
        <div className="col-start-2 mt-1.5 flex gap-1.5">
          {content.actions.map((action, index) => (
            <Button
              key={action.label}
              size="sm"
              variant={index === 0 ? 'secondary' : 'transparent'}
              onClick={() => {
                dismiss();
                action.run();
              }}
            >
              {action.label}
            </Button>
          ))}
        </div>
      )}
      {duration !== Number.POSITIVE_INFINITY && (
        // Begins anew with each renewal of the message.
        <i key={toast.createdAt} className={life} style={{ animationDuration: `${duration}ms` }} />
      )}
    </div>
  );
}

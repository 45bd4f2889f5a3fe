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
      className={`toast ${tone ?? ''} ${toast.visible ? 'in' : 'out'}`}
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
        <Check className="done" size={14} strokeWidth={2.25} aria-hidden="true" />
      ) : (
        <Glyph tone={tone} size={14} />
      )}
      <span className="tt lines">{content?.title}</span>
      <button type="button" className="x" aria-label="Dismiss" onClick={dismiss}>
        <X size={13} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {content?.detail !== undefined && <p className="lines">{content.detail}</p>}
      {content?.actions !== undefined && content.actions.length > 0 && (
        <div className="act">
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
        <i key={toast.createdAt} className="life" style={{ animationDuration: `${duration}ms` }} />
      )}
    </div>
  );
}

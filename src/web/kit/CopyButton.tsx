import { Check, Copy, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './Button.tsx';

/** How long the icon shows whether copying succeeded, ms (specification section 9). */
const feedbackDuration = 2_000;

interface CopyButtonProps {
  /** The text to copy, computed when the button is pressed. */
  readonly text: () => string;
  readonly children: string;
  readonly variant?: 'secondary' | 'transparent';
}

/** Copies a text, and reports for a moment whether it succeeded. */
function useCopying(text: () => string) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), feedbackDuration);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    // Absent on pages that are not served over https or loopback.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) {
      setState('failed');
      return;
    }
    clipboard.writeText(text()).then(
      () => setState('done'),
      () => setState('failed'),
    );
  };
  return { state, copy, Mark: state === 'done' ? Check : state === 'failed' ? X : Copy };
}

function CopyStatus({ state }: { readonly state: 'idle' | 'done' | 'failed' }) {
  return (
    <span className="sr-only" role="status">
      {state === 'done' && 'copied'}
      {state === 'failed' && 'The browser did not allow copying.'}
    </span>
  );
}

/** Copies a text; its icon becomes a check, or a times mark where the browser refused. */
export function CopyButton({ text, children, variant = 'transparent' }: CopyButtonProps) {
  const { state, copy, Mark } = useCopying(text);
  return (
    <Button
      size="sm"
      variant={variant}
      onClick={copy}
      icon={<Mark size={13} strokeWidth={1.75} aria-hidden="true" />}
    >
      {children}
      <CopyStatus state={state} />
    </Button>
  );
}

/** The same as an icon alone. */
export function CopyIcon({ text, label }: { readonly text: () => string; readonly label: string }) {
  const { state, copy, Mark } = useCopying(text);
  return (
    <>
      <IconButton label={label} size="sm" data-state={state} onClick={copy}>
        <Mark size={14} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <CopyStatus state={state} />
    </>
  );
}

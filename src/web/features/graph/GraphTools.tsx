import { ListTree, Maximize, Minus, Plus, Workflow } from 'lucide-react';
import type { GraphStep } from '../../../registry/commands/services.ts';
import { useKeyText } from '../../keyboard/Keys.tsx';
import { dashes } from './dashes.ts';
import { Button, IconButton } from '../../kit/Button.tsx';

interface FormButtonProps {
  readonly form: 'tree' | 'graph';
  readonly isOn: boolean;
  readonly onChoose: (form: 'tree' | 'graph') => void;
}

/** Shows the graph in one of its forms. */
export function FormButton({ form, isOn, onChoose }: FormButtonProps) {
  const Shown = form === 'tree' ? ListTree : Workflow;
  return (
    <Button
      size="sm"
      variant={isOn ? 'light' : 'transparent'}
      aria-pressed={isOn}
      icon={<Shown size={14} strokeWidth={1.75} aria-hidden="true" />}
      onClick={() => onChoose(form)}
    >
      {form === 'tree' ? 'Tree' : 'Graph'}
    </Button>
  );
}

/** Buttons that zoom. */
export function Zoom({ onStep }: { readonly onStep: (step: GraphStep) => void }) {
  const [zoomIn, zoomOut, fit] = [
    useKeyText('graph.zoomIn'),
    useKeyText('graph.zoomOut'),
    useKeyText('graph.fit'),
  ];
  const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
  return (
    <>
      <IconButton size="sm" label="Zoom out" keyHint={zoomOut} onClick={() => onStep('zoomOut')}>
        <Minus {...icon} />
      </IconButton>
      <IconButton size="sm" label="Zoom in" keyHint={zoomIn} onClick={() => onStep('zoomIn')}>
        <Plus {...icon} />
      </IconButton>
      <IconButton size="sm" label="Show the whole graph" keyHint={fit} onClick={() => onStep('fit')}>
        <Maximize {...icon} />
      </IconButton>
    </>
  );
}

/** The legend of the lines. */
export function Legend() {
  return (
    <span className="mr-2 inline-flex gap-3 text-(length:--text-xs) text-text-2 narrow:hidden">
      {(['owns', 'uses', 'targets', 'selects'] as const).map((relation) => (
        <span key={relation} className="inline-flex items-center gap-1.25">
          <svg width="22" height="6" aria-hidden="true" className="fill-none stroke-control stroke-[1.25]">
            <path d="M1 3h20" strokeDasharray={dashes[relation]} />
          </svg>
          {relation}
        </span>
      ))}
    </span>
  );
}

import type { ReactNode } from 'react';
import type { Tone } from '../../registry/tone.ts';
import { Glyph } from './marks.tsx';

interface StepLineProps {
  readonly tone: Tone;
  readonly name: string;
  /** Details; in a narrow window below the name. */
  readonly children: ReactNode;
}

/** One line of a list of steps: its state, name and details. */
export function StepLine({ tone, name, children }: StepLineProps) {
  return (
    <li className="grid grid-cols-[0.75rem_minmax(0,auto)_minmax(0,1fr)] items-baseline gap-x-2 py-0.5 text-(length:--text-xs) narrow:grid-cols-[0.75rem_minmax(0,1fr)]">
      <Glyph tone={tone} size={11} />
      <span className="wrap-anywhere">{name}</span>
      <span className="wrap-anywhere text-text-2 narrow:col-start-2">{children}</span>
    </li>
  );
}

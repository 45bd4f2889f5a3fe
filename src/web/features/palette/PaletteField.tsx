import { Command } from 'cmdk';
import { ChevronRight, Search } from 'lucide-react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { stepLabel } from '../../../registry/palette/steps.ts';
import { useCell } from '../../core/state/state.ts';
import { type Frame, lastFrame } from './frames.ts';
import { paletteChip } from './chip.ts';
import { nextStep, pendingTitle, stepsLeft } from './pending.ts';
import type { Levels } from './use-levels.ts';
import { isModified } from '../../kit/modified-key.ts';

interface PaletteFieldProps {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly levels: Levels;
  readonly frame: Frame;
  readonly placeholder: string;
  /** Id of the highlighted entry; undefined without one. */
  readonly activeId: string | undefined;
  /** Id of what tells how much was found. */
  readonly countId: string;
  readonly onBack: () => boolean;
  /** Tab: true where it meant something. */
  readonly onTab: () => boolean;
  /** The button that closes the palette, at its end. */
  readonly close: ReactNode;
  /** Shown after the field, on levels that need no input. */
  readonly children: ReactNode;
}

/** Where one types, behind what was chosen so far. */
export function PaletteField(props: PaletteFieldProps) {
  const { input, levels, frame, placeholder, activeId, countId, onBack, onTab, close, children } = props;
  const text = useCell(levels.now, (frames) => lastFrame(frames).text);
  const pending = frame.type === 'step' ? frame.pending : undefined;
  const step = pending === undefined ? undefined : nextStep(pending);
  /** Keys that the field handles itself; its other keys are commands. */
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || isModified(event)) return;
    const isEmpty = event.currentTarget.value === '';
    const isBack = isEmpty && (event.key === 'Backspace' || event.key === 'ArrowLeft');
    const isTab = event.key === 'Tab' && !event.shiftKey;
    if ((isBack && onBack()) || (isTab && onTab())) event.preventDefault();
  };
  return (
    <div className="flex min-h-11.5 flex-none items-center gap-2 border-b border-border px-3.5 text-(length:--text-md)">
      {frame.type === 'root' ? (
        <Search className="text-text-3" size={16} strokeWidth={1.75} aria-hidden="true" />
      ) : (
        <>
          <button
            type="button"
            className={paletteChip({ isWay: true })}
            tabIndex={-1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={onBack}
          >
            {frame.type === 'actions' ? frame.ref.name : pendingTitle(frame.pending)}
          </button>
          {pending?.answers.map((answer, index) => (
            <span key={`${index} ${answer}`} className={paletteChip({ isExtra: true })}>
              {answer}
            </span>
          ))}
          <ChevronRight className="text-text-3" size={13} strokeWidth={1.75} aria-hidden="true" />
          {step !== undefined && <span className="text-text-2">{stepLabel(step)}</span>}
        </>
      )}
      {/* cmdk is not told what is typed: at each letter it would select the first of the entries of the letter before. */}
      <Command.Input asChild value="">
        <input
          ref={input}
          className="h-11 min-w-16 flex-1 border-0 bg-transparent text-text caret-accent outline-none placeholder:text-text-3 placeholder:opacity-100"
          aria-label={step === undefined ? 'Command palette' : stepLabel(step)}
          aria-labelledby={undefined}
          aria-activedescendant={activeId}
          aria-describedby={countId}
          placeholder={placeholder}
          value={text}
          autoCapitalize="none"
          onChange={(event) => levels.type(event.target.value)}
          onKeyDown={press}
        />
      </Command.Input>
      {pending === undefined ? (
        children
      ) : (
        <span className="text-(length:--text-xs) whitespace-nowrap text-text-2 narrow:hidden">
          {`step ${pending.answers.length + 1} of ${pending.answers.length + stepsLeft(pending)}`}
        </span>
      )}
      {close}
    </div>
  );
}

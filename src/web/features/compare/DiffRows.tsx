import { UnfoldVertical } from 'lucide-react';
import { type Ref, useState } from 'react';
import { Marked } from '../actions/DiffText.tsx';
import { wordMark } from '../actions/word-marks.ts';
import { Button } from '../../kit/Button.tsx';
import { Flag } from '../../kit/marks.tsx';
import {
  columns,
  currentHunkLook,
  hunkLook,
  hunkToolsLook,
  linesLooks,
  noneLooks,
  numberLooks,
  titleLooks,
} from './diff-look.ts';
import type { Part } from './hunks.ts';

/** Equal lines that show around a difference. */
const contextLines = 3;

/** The title of a side, and the flag of its cluster. */
export interface DiffHead {
  readonly title: string;
  readonly colour: number | undefined;
}

/** Why a difference cannot be copied to a side. */
export interface CopyRefusal {
  /** A whole sentence. */
  readonly reason: string;
  /** Tells who can give the permission that is missing; undefined where none is. */
  readonly explain?: () => void;
}

interface DiffRowsProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly parts: readonly Part[];
  readonly heads: readonly [left: DiffHead, right: DiffHead];
  /** One column: the left side is above the right one. */
  readonly isUnified: boolean;
  /** The difference that was gone to, from 0; -1 for none. */
  readonly current: number;
  /** Whether the right side is something that can be edited at all. */
  readonly canCopyRight: boolean;
  /** Why a difference cannot be copied to a side. */
  readonly whyNot: (index: number, to: 'left' | 'right') => CopyRefusal | undefined;
  readonly onCopy: (index: number, to: 'left' | 'right') => void;
}

/** Two texts side by side or in one column, line by line; what is equal is folded away. */
export function DiffRows(props: DiffRowsProps) {
  const { ref, parts, heads, isUnified, current, canCopyRight, whyNot, onCopy } = props;
  const count = parts.filter(({ isSame }) => !isSame).length;
  return (
    <div
      className="group/sides mono rounded-sm border border-border bg-surface leading-4.5 font-normal"
      data-unified={isUnified || undefined}
      ref={ref}
    >
      <div
        className={`${columns} border-b border-border bg-raised font-sans text-(length:--text-sm) font-medium`}
      >
        {heads.map(({ title, colour }, index) => (
          <h2
            key={index === 0 ? 'left' : 'right'}
            className={index === 0 ? titleLooks.left : titleLooks.right}
            title={title}
          >
            {colour !== undefined && <Flag colour={colour} />}
            <span className="min-w-0 truncate">{title}</span>
          </h2>
        ))}
      </div>
      {parts.map((part, place) => {
        if (part.isSame) return <Same key={`${place}`} part={part} />;
        const index = parts.slice(0, place).filter(({ isSame }) => !isSame).length;
        const marks = part.left.map((line, at) => wordMark(line, part.right[at] ?? line));
        return (
          <section
            key={`${place}`}
            className={index === current ? currentHunkLook : hunkLook}
            data-part="hunk"
            tabIndex={-1}
            aria-label={`Difference ${index + 1} of ${count}`}
          >
            <div className={columns}>
              <Lines
                lines={part.left}
                from={part.leftAt}
                side="removed"
                word="left: "
                marks={marks.map((mark) => mark && [mark.start, mark.endBefore])}
              />
              <Lines
                lines={part.right}
                from={part.rightAt}
                side="added"
                word="right: "
                marks={marks.map((mark) => mark && [mark.start, mark.endAfter])}
              />
            </div>
            <div className={hunkToolsLook}>
              {canCopyRight && (
                <Button
                  size="sm"
                  variant="light"
                  reason={whyNot(index, 'right')?.reason}
                  onRefused={whyNot(index, 'right')?.explain}
                  onClick={() => onCopy(index, 'right')}
                >
                  Copy left to right…
                </Button>
              )}
              <Button
                size="sm"
                variant="light"
                reason={whyNot(index, 'left')?.reason}
                onRefused={whyNot(index, 'left')?.explain}
                onClick={() => onCopy(index, 'left')}
              >
                Copy right to left…
              </Button>
            </div>
          </section>
        );
      })}
    </div>
  );
}

function Same({ part }: { readonly part: Part }) {
  const [isOpen, setOpen] = useState(false);
  const { left, leftAt, rightAt } = part;
  const hidden = left.length - 2 * contextLines;
  const row = (from: number, to: number) => (
    <div className={columns}>
      <Lines lines={left.slice(from, to)} from={leftAt + from} side="same" word="" />
      <Lines lines={left.slice(from, to)} from={rightAt + from} side="twin" word="" />
    </div>
  );
  if (isOpen || hidden < 2) return row(0, left.length);
  return (
    <>
      {row(0, contextLines)}
      <button
        type="button"
        className="flex w-full items-center gap-1.5 bg-raised px-3 py-0.5 text-left font-sans text-xs text-text-2"
        aria-expanded="false"
        onClick={() => setOpen(true)}
      >
        <UnfoldVertical size={12} strokeWidth={1.75} aria-hidden="true" />
        {hidden} equal lines
      </button>
      {row(left.length - contextLines, left.length)}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly string[];
  readonly from: number;
  readonly side: keyof typeof linesLooks;
  readonly word: string;
  /** The differing ranges of each line. */
  readonly marks?: readonly (readonly [from: number, to: number] | undefined)[];
}

function Lines({ lines, from, side, word, marks = [] }: LinesProps) {
  return (
    <pre className={(lines.length === 0 ? noneLooks : linesLooks)[side]}>
      {lines.map((line, index) => (
        <div key={`${index}`} className="pl-14 -indent-14">
          <span className={numberLooks[side]} aria-hidden="true">
            {from + index}
          </span>
          <span className="sr-only">{word}</span>
          <Marked text={line} mark={marks[index]} />
        </div>
      ))}
    </pre>
  );
}

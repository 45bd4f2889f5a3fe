import { useId, useMemo } from 'react';
import { codeLook } from '../../kit/code.ts';
import { diffOf } from './diff.ts';
import { wordMarksOf } from './word-marks.ts';

interface DiffTextProps {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  /** Said when there is no difference. */
  readonly same: string;
}

const signs = { added: '+', removed: '-', same: ' ' } as const;
const changeLabels = { added: 'added: ', removed: 'removed: ', same: '' } as const;

const boxLook = `${codeLook} max-h-64 overflow-auto rounded-sm border border-border bg-sunken py-1.5`;
const lineLook = 'min-w-max px-2.5';
const wordLook = 'rounded-xs text-inherit';
/** The colours of a line, and of what differs in it. */
const looks = {
  added: { line: 'bg-diff-add forced-color-adjust-none', word: `${wordLook} bg-diff-add-word` },
  removed: { line: 'bg-diff-del forced-color-adjust-none', word: `${wordLook} bg-diff-del-word` },
  same: { line: '', word: '' },
} as const;

/** The difference between two texts, line by line. */
export function DiffText({ title, before, after, same }: DiffTextProps) {
  const id = useId();
  const lines = useMemo(() => diffOf(before, after), [before, after]);
  const marks = useMemo(() => wordMarksOf(lines), [lines]);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1 text-(length:--text-xs) font-medium text-text-2">
        {title}
      </h3>
      {lines.length === 0 ? (
        <p className="text-text-2">{same}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it
        <pre className={boxLook} tabIndex={0} aria-labelledby={id}>
          {lines.map((line, index) =>
            line.type === 'skip' ? (
              <div key={`${index}`} className={`${lineLook} text-text-3`}>
                {line.count === 1 ? '1 equal line' : `${line.count} equal lines`}
              </div>
            ) : (
              <div key={`${index}`} className={`${lineLook} ${looks[line.type].line}`}>
                <span aria-hidden="true">{signs[line.type]} </span>
                <span className="sr-only">{changeLabels[line.type]}</span>
                <Marked text={line.text} mark={marks[index]} className={looks[line.type].word} />
              </div>
            ),
          )}
        </pre>
      )}
    </section>
  );
}

interface MarkedProps {
  readonly text: string;
  readonly mark: readonly [from: number, to: number] | undefined;
  readonly className?: string;
}

/** A line with what differs in it marked. */
export function Marked({ text, mark, className }: MarkedProps) {
  if (mark === undefined) return text;
  const [from, to] = mark;
  return (
    <>
      {text.slice(0, from)}
      <mark className={className}>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  );
}

import { useId, useMemo } from 'react';
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
const words = { added: 'added: ', removed: 'removed: ', same: '' } as const;

/** What changes from one text to another, by lines. */
export function DiffText({ title, before, after, same }: DiffTextProps) {
  const id = useId();
  const lines = useMemo(() => diffOf(before, after), [before, after]);
  const marks = useMemo(() => wordMarksOf(lines), [lines]);
  return (
    <section className="diff" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {lines.length === 0 ? (
        <p className="sec">{same}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it
        <pre className="code" tabIndex={0} aria-labelledby={id}>
          {lines.map((line, index) =>
            line.type === 'skip' ? (
              <div key={`${index}`} className="skip">
                {line.count === 1 ? '1 equal line' : `${line.count} equal lines`}
              </div>
            ) : (
              <div key={`${index}`} className={line.type}>
                <span aria-hidden="true">{signs[line.type]} </span>
                <span className="vh">{words[line.type]}</span>
                <Marked text={line.text} mark={marks[index]} />
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
}

/** A line with what differs in it marked. */
export function Marked({ text, mark }: MarkedProps) {
  if (mark === undefined) return text;
  const [from, to] = mark;
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  );
}

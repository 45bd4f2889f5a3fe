import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { markMatches, plainText, stretchesOf } from './ansi.ts';
import { levelOf } from './level.ts';
import type { ShownLog } from './use-log.ts';

/** The match that was gone to; the line has its number in the buffer. */
export interface MatchAt {
  readonly line: number;
}

interface LogLinesProps {
  readonly scrollerRef: RefObject<HTMLDivElement | null>;
  readonly log: ShownLog;
  readonly label: string;
  /** New lines scroll into view; false while somebody reads further up. */
  readonly isAtEnd: boolean;
  readonly onAtEnd: (isAtEnd: boolean) => void;
  readonly isWrapped: boolean;
  readonly hasTimes: boolean;
  readonly query: string;
  readonly match: MatchAt | undefined;
}

/** Height of a line that is not wrapped, px at 16px root. */
const lineHeight = 18;
/** So near to the end counts as there (px). */
const near = 24;

/** The lines of a log, only those in the window. What is being read stays where it is while lines come and go. */
export function LogLines(props: LogLinesProps) {
  const { scrollerRef, log, label, isAtEnd, onAtEnd, isWrapped, hasTimes, query, match } = props;
  const { buffer, version, state } = log;
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const count = buffer.end - buffer.first;
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => lineHeight,
    overscan: 20,
    getItemKey: (index) => buffer.first + index,
    // Lines are forgotten at the top and come at the bottom: the one that is read stays where it is.
    anchorTo: isAtEnd ? 'start' : 'end',
    useFlushSync: false,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, isWrapped, hasTimes]);

  const total = virtualizer.getTotalSize();
  useLayoutEffect(() => {
    if (isAtEnd && scroller !== null) scroller.scrollTop = scroller.scrollHeight;
  }, [isAtEnd, scroller, version, total, state]);
  useEffect(() => {
    if (match !== undefined) virtualizer.scrollToIndex(match.line - buffer.first, { align: 'center' });
  }, [virtualizer, buffer, match]);

  const lastTop = useRef(0);
  const scrolled = () => {
    if (scroller === null) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const isUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    const isEnd = scrollHeight - scrollTop - clientHeight < near;
    if (isEnd && !isUp && !isAtEnd && match === undefined) onAtEnd(true);
    else if (isUp && !isEnd && isAtEnd) onAtEnd(false);
  };
  const opened = count === 0 && (state.type === 'opening' || state.type === 'live');
  return (
    <div
      ref={(element) => {
        scrollerRef.current = element;
        setScroller(element);
      }}
      className={`body scroll log ${isWrapped ? 'wrapped' : ''}`}
      role="log"
      aria-label={label}
      aria-live="off"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
      tabIndex={0}
      onScroll={scrolled}
    >
      {opened && (
        <p className="log-note sec">
          {state.type === 'opening' ? 'Opening the log…' : 'Nothing written yet.'}
        </p>
      )}
      {state.type === 'waiting' && (
        <p className="log-note sec">{state.message ?? 'The container has not started.'}</p>
      )}
      <div className="log-lines" style={{ height: total }}>
        {virtualizer.getVirtualItems().map((item) => {
          const number = buffer.first + item.index;
          const line = buffer.at(number);
          if (line === undefined) return null;
          return (
            <div
              key={number}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className="log-at"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Line
                time={hasTimes ? line[0] : ''}
                text={line[1]}
                query={query}
                isCurrent={number === match?.line}
              />
            </div>
          );
        })}
      </div>
      {state.type === 'ended' && (
        <p className={`log-note ${state.reason === 'ended' ? 'sec' : 'hot'}`} role="status">
          {state.title}
        </p>
      )}
    </div>
  );
}

interface LineProps {
  readonly time: string;
  readonly text: string;
  readonly query: string;
  readonly isCurrent: boolean;
}

/** `2026-01-02T03:04:05.678901234Z` as the time of day where the person is, with thousandths. */
function timeOfDay(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

const Line = memo(function Line({ time, text, query, isCurrent }: LineProps) {
  const level = levelOf(plainText(text));
  return (
    <div className={`log-line ${level ?? ''} ${isCurrent ? 'current' : ''}`}>
      {time !== '' && (
        <time className="muted" dateTime={time} title={time}>
          {timeOfDay(time)}
        </time>
      )}
      <span className="log-text">
        {markMatches(stretchesOf(text), query).map(({ text: part, style, isMatch }, index) =>
          isMatch ? (
            <mark key={`${index}`} className={style}>
              {part}
            </mark>
          ) : style === '' ? (
            part
          ) : (
            <span key={`${index}`} className={style}>
              {part}
            </span>
          ),
        )}
      </span>
    </div>
  );
});

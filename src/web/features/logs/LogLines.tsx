import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useCell } from '../../core/state/state.ts';
import { clusterTime } from '../../data/live/freshness.ts';
import { useData } from '../../data/port.ts';
import { ColumnHeads, type ShownColumn } from './LogColumns.tsx';
import { LogLine } from './LogLine.tsx';
import type { Matcher } from './matcher.ts';
import type { RefusedAct } from '../../kit/use-why-not.ts';
import { WhyNotButton } from '../../kit/WhyNotButton.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import type { Rows } from './matches.ts';
import type { LogOptions, Times } from './options.ts';
import type { SourceName } from './source-names.ts';
import type { LogState } from './stream.ts';
import type { ShownLog } from './use-log.ts';

/** The line that was gone to; it has its number in the buffer. */
export interface LineAt {
  readonly line: number;
}

interface LogLinesProps {
  readonly scrollerRef: RefObject<HTMLDivElement | null>;
  /** Is told the last line in sight, by its number. */
  readonly bottomRef: RefObject<number>;
  /** What reading the log needs, and where: asked about where it is taken away. */
  readonly reading: RefusedAct;
  readonly log: ShownLog;
  readonly rows: Rows;
  readonly label: string;
  /** New lines scroll into view; false while somebody reads further up. */
  readonly isAtEnd: boolean;
  readonly onAtEnd: (isAtEnd: boolean) => void;
  readonly options: LogOptions;
  /** Fields of lines of JSON that have columns. */
  readonly columns: readonly ShownColumn[];
  readonly hasLevels: boolean;
  readonly matcher: Matcher | undefined;
  readonly at: LineAt | undefined;
  readonly names: readonly SourceName[] | undefined;
  /** Lines whose fields are open, by number. */
  readonly opened: ReadonlySet<number>;
  readonly onToggle: (line: number) => void;
}

/** Height of a line that is not wrapped, px at 16px root. */
const lineHeight = 18;
/** Lines drawn above and below those that are seen. */
const rowsBeyond = 20;
/** Letters of a time in each way of writing it. */
const timeWidths: Readonly<Record<Times, number>> = { local: 12, full: 23, utc: 24, relative: 9, none: 0 };
/** So near to the end counts as there (px). */
const endDistance = 24;
/** How often times that say how long ago are written anew, ms. */
const tick = 5_000;

/** The time by the clock of the cluster, whose nodes wrote the lines, ms. */
function useClusterNow(isTicking: boolean, cluster: string | undefined): number {
  const { live } = useData();
  const difference = useCell(live.connection, (connection) => clusterTime(connection, cluster, 0));
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return undefined;
    const timer = setInterval(() => setNow(Date.now()), tick);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now + difference;
}

/**
 * The rows of a log that is followed: its end, wherever the scroller was when lines came. The virtualizer learns that it
 * was scrolled to the end a frame later, and until then would draw rows that nobody sees.
 */
function lastRows({ count, overscan }: Range): number[] {
  const length = Math.min(count, Math.ceil(window.innerHeight / lineHeight) + overscan);
  return Array.from({ length }, (_, index) => count - length + index);
}

const noteLook = 'px-3 py-1.5 font-sans';
const hotLook = 'font-semibold text-warn-fg';
/** Matches keep their own colours, whatever colours the line has. */
const logLook = [
  '[overflow-anchor:none] mono bg-surface leading-4.5 font-normal focus-visible:-outline-offset-2',
  '[&_mark]:rounded-xs [&_mark]:bg-warn-bg [&_mark]:text-text [&_mark]:outline [&_mark]:outline-warn-border',
  '[&_mark]:forced-color-adjust-none',
].join(' ');
const rowLook = 'border-hairline narrow:group-data-wrapped/log:border-b';

/** The lines of a log, only those in the window. What is being read stays where it is while lines come and go. */
export function LogLines(props: LogLinesProps) {
  const {
    scrollerRef,
    bottomRef,
    log,
    rows,
    label,
    isAtEnd,
    onAtEnd,
    options,
    matcher,
    at,
    names,
    opened,
    onToggle,
  } = props;
  const { columns, hasLevels } = props;
  const { buffer, version, state } = log;
  const { isWrapped, times, hasFields } = options;
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const now = useClusterNow(times === 'relative', props.reading.cluster);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller,
    estimateSize: () => lineHeight,
    overscan: rowsBeyond,
    rangeExtractor: isAtEnd ? lastRows : defaultRangeExtractor,
    getItemKey: (index) => rows.at(index),
    // Lines are forgotten at the top and come at the bottom: the one that is read stays where it is.
    anchorTo: isAtEnd ? 'start' : 'end',
    useFlushSync: false,
  });
  // Heights are other ones when lines are written in another way.
  useEffect(() => virtualizer.measure(), [virtualizer, isWrapped, times, hasFields, columns, hasLevels]);

  const total = virtualizer.getTotalSize();
  const items = virtualizer.getVirtualItems();
  const lastTop = useRef(0);
  useLayoutEffect(() => {
    if (!isAtEnd || scroller === null) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    // A person who has just scrolled up, which is reported with the next frame only, is not scrolled back by lines that
    // arrive before. A log that was hidden starts at the top, although nobody scrolled.
    const isLeft = scrollTop > 0 && scrollTop < lastTop.current - endDistance;
    if (isLeft && scrollHeight - scrollTop - clientHeight > endDistance) return;
    scroller.scrollTop = scrollHeight;
    lastTop.current = scroller.scrollTop;
  }, [isAtEnd, scroller, version, total, state]);
  useEffect(() => {
    if (at !== undefined) virtualizer.scrollToIndex(rows.indexOf(at.line), { align: 'center' });
    // oxlint-disable-next-line react/exhaustive-deps -- it is gone to once, not with every line that comes
  }, [virtualizer, buffer, at]);

  const heads = useRef<HTMLDivElement>(null);
  const scrolled = () => {
    if (scroller === null) return;
    if (heads.current !== null) heads.current.scrollLeft = scroller.scrollLeft;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const isUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    bottomRef.current = rows.at(virtualizer.getVirtualItemForOffset(scrollTop + clientHeight)?.index ?? 0);
    const isEnd = scrollHeight - scrollTop - clientHeight < endDistance;
    if (isEnd && !isUp && !isAtEnd && at === undefined) onAtEnd(true);
    else if (isUp && !isEnd && isAtEnd) onAtEnd(false);
  };
  // The column is as wide as its longest name.
  const width = Math.max(0, ...(names ?? []).map(({ short }) => short.length));
  const style = { '--log-source': `${width}ch`, '--log-time': `${timeWidths[times]}ch` } as CSSProperties;
  return (
    <div
      className="group/log flex min-h-0 flex-1 flex-col"
      data-columns={columns.length > 0 || undefined}
      data-wrapped={isWrapped || undefined}
      style={style}
    >
      {columns.length > 0 && (
        <ColumnHeads
          ref={heads}
          columns={columns}
          hasTimes={times !== 'none'}
          hasLevels={hasLevels}
          hasSources={names !== undefined}
        />
      )}
      <ViewBody
        isScrolled
        ref={(element) => {
          scrollerRef.current = element;
          setScroller(element);
        }}
        className={logLook}
        role="log"
        aria-label={label}
        aria-live="off"
        tabIndex={0}
        onScroll={scrolled}
      >
        {rows.count === 0 && <EmptyNote state={state} hasLines={buffer.end > 0} />}
        <div className="relative" style={{ height: total }}>
          {/* One after the other, not each at its own place: lines that wrap and are not measured yet would overlap. */}
          <div
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
          >
            {items.map(({ index }) => {
              const number = rows.at(index);
              const line = buffer.at(number);
              if (line === undefined) return null;
              return (
                <div key={number} ref={virtualizer.measureElement} data-index={index} className={rowLook}>
                  <LogLine
                    line={line}
                    times={times}
                    now={times === 'relative' ? now : 0}
                    matcher={matcher}
                    hasFields={hasFields}
                    columns={columns}
                    hasLevels={hasLevels}
                    isCurrent={number === at?.line}
                    isOpen={opened.has(number)}
                    source={names?.[line[2]]}
                    onToggle={() => onToggle(number)}
                  />
                </div>
              );
            })}
          </div>
        </div>
        {state.type === 'ended' && (
          <p className={`${noteLook} ${state.reason === 'ended' ? 'text-text-2' : hotLook}`} role="status">
            {state.title}
          </p>
        )}
        {state.type === 'ended' && state.reason === 'denied' && (
          <p className={noteLook}>
            <WhyNotButton refused={props.reading} />
          </p>
        )}
      </ViewBody>
    </div>
  );
}

/** Why there is no line to show. */
function EmptyNote({ state, hasLines }: { readonly state: LogState; readonly hasLines: boolean }) {
  switch (state.type) {
    case 'opening':
      return <p className={`${noteLook} text-text-2`}>Opening the log…</p>;
    case 'live':
      return (
        <p className={`${noteLook} text-text-2`}>
          {hasLines ? 'No line is shown: see the filters above.' : 'Nothing written yet.'}
        </p>
      );
    case 'waiting':
      return <p className={`${noteLook} text-text-2`}>{state.message ?? 'The container has not started.'}</p>;
    case 'reconnecting':
      return (
        <p className={`${noteLook} ${hotLook}`}>{state.message ?? 'The log cannot be read at the moment.'}</p>
      );
    case 'ended':
      return null;
    default:
      return state satisfies never;
  }
}

import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import type { LogLine as Line } from '../../../contract/log.ts';
import { markMatches, plainText, stretchesOf } from './ansi.ts';
import { columnKey, isFoundIn } from './columns.ts';
import { fieldsOf, type JsonLine, jsonOf, valueAt, valueText } from './json.ts';
import { JsonTree } from './JsonTree.tsx';
import { levelOf, levelOfJson, type LogLevel } from './level.ts';
import type { ShownColumn } from './LogColumns.tsx';
import type { Matcher } from './matcher.ts';
import type { SourceName } from './source-names.ts';
import { timeText, timeTitle } from './time-text.ts';
import type { Times } from './options.ts';
import { Glyph } from '../../kit/marks.tsx';
import {
  cellLook,
  currentLooks,
  levelLooks,
  lineLooks,
  markLook,
  markTextLook,
  openLook,
  sourceLooks,
  textLook,
  timeLook,
} from './line-look.ts';

interface LogLineProps {
  readonly line: Line;
  readonly times: Times;
  /** The page's clock, ms: for times that say how long ago. */
  readonly now: number;
  readonly matcher: Matcher | undefined;
  /** Lines of JSON are written as their fields. */
  readonly hasFields: boolean;
  /** Their fields that have columns. */
  readonly columns: readonly ShownColumn[];
  /** How loud each line is stands before it. */
  readonly hasLevels: boolean;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  /** Whose line it is, where there are several. */
  readonly source: SourceName | undefined;
  readonly onToggle: () => void;
}

/** One line of a log: when, whose, how loud, and what it says. */
export const LogLine = memo(function LogLine(props: LogLineProps) {
  const { line, times, now, matcher, hasFields, columns, hasLevels, isCurrent, isOpen, source, onToggle } =
    props;
  const [time, text, , mark] = line;
  const stamp = time !== '' && times !== 'none' && (
    <time className={timeLook} dateTime={time} title={timeTitle(time)}>
      {timeText(time, times, now)}
    </time>
  );
  const name = source !== undefined && (
    <span className={sourceLooks[source.colour]} title={source.full} data-part="source">
      {source.short}
    </span>
  );
  if (mark !== undefined) {
    return (
      <div className={markLook} data-log-line="" data-part="mark">
        {stamp}
        {name}
        {hasLevels && <span className={levelLooks.none} />}
        <span className={markTextLook}>{text}</span>
      </div>
    );
  }
  const plain = plainText(text);
  const json = jsonOf(plain);
  const level = json === undefined ? levelOf(plain) : levelOfJson(json);
  const looks = isCurrent ? currentLooks : lineLooks;
  const isLevelFound = level !== undefined && matcher?.test(level) === true;
  // A match in a part that is hidden (a name, the time) shows the line as it was written.
  const isFields =
    json !== undefined &&
    hasFields &&
    (matcher === undefined || isLevelFound || isFoundIn(json, columns, matcher) || !matcher.test(plain));
  return (
    <>
      <div className={looks[level ?? 'none']} data-log-line="" data-current={isCurrent || undefined}>
        {stamp}
        {name}
        {hasLevels && <Level level={level} isFound={isLevelFound} />}
        {json !== undefined && (
          <button
            type="button"
            className={openLook}
            tabIndex={-1}
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Close the fields' : 'Open the fields'}
            onClick={onToggle}
          >
            {isOpen ? (
              <ChevronDown size={12} strokeWidth={2} aria-hidden="true" />
            ) : (
              <ChevronRight size={12} strokeWidth={2} aria-hidden="true" />
            )}
          </button>
        )}
        {isFields ? (
          <FieldsText json={json} columns={columns} matcher={matcher} />
        ) : (
          <span className={textLook}>
            <Marked stretches={stretchesOf(text)} matcher={matcher} />
          </span>
        )}
      </div>
      {isOpen && json !== undefined && <JsonTree value={json} />}
    </>
  );
});

/** Levels as they stand in their column: three letters each. */
const letters: Readonly<Record<LogLevel, string>> = {
  debug: 'DBG',
  info: 'INF',
  warn: 'WRN',
  error: 'ERR',
};

/** The level of a line, in a column of its own; empty if the line states none. */
function Level({ level, isFound }: { readonly level: LogLevel | undefined; readonly isFound: boolean }) {
  const tone = level === 'error' ? 'bad' : level === 'warn' ? 'warn' : undefined;
  return (
    <span className={levelLooks[level ?? 'none']} title={level}>
      {tone !== undefined && <Glyph tone={tone} size={10} />}
      {level !== undefined && (isFound ? <mark>{letters[level]}</mark> : letters[level])}
    </span>
  );
}

interface MarkedProps {
  readonly stretches: ReturnType<typeof stretchesOf>;
  readonly matcher: Matcher | undefined;
}

function Marked({ stretches, matcher }: MarkedProps) {
  return markMatches(stretches, matcher).map(({ text: part, className, isMatch }, index) =>
    isMatch ? (
      <mark key={`${index}`} className={className}>
        {part}
      </mark>
    ) : className === '' ? (
      part
    ) : (
      <span key={`${index}`} className={className}>
        {part}
      </span>
    ),
  );
}

const plainStretch = (text: string) => [{ text, className: '' }];

interface FieldsTextProps {
  readonly json: JsonLine;
  readonly columns: readonly ShownColumn[];
  readonly matcher: Matcher | undefined;
}

/** A line of JSON: its columns and its message; without columns all of its fields, with them those that a search finds. */
function FieldsText({ json, columns, matcher }: FieldsTextProps) {
  const { message, fields } = fieldsOf(json);
  const shown = new Set(columns.map(({ path }) => (path.length === 1 ? path[0] : undefined)));
  const rest =
    columns.length === 0
      ? fields
      : fields.filter(([name, value]) => !shown.has(name) && matcher?.test(value) === true);
  return (
    <>
      {columns.map(({ path, label, width }) => {
        const value = valueText(valueAt(json, path));
        return (
          <span
            key={columnKey(path)}
            className={cellLook}
            style={{ width: `${width}ch` }}
            title={`${label}: ${value}`}
          >
            <span className="sr-only">{label} </span>
            <Marked stretches={plainStretch(value)} matcher={matcher} />
          </span>
        );
      })}
      <span className={textLook}>
        <Marked stretches={plainStretch(message)} matcher={matcher} />
        {rest.map(([name, value], index) => (
          <span key={`${index}`}>
            {' '}
            <span className="text-code-key">{name}=</span>
            <Marked stretches={plainStretch(value)} matcher={matcher} />
          </span>
        ))}
      </span>
    </>
  );
}

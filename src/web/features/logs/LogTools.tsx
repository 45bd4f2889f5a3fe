import {
  ArrowDownToLine,
  Braces,
  ChevronDown,
  ChevronUp,
  Copy,
  Download,
  ListFilter,
  Pause,
  Play,
  Regex,
  WrapText,
} from 'lucide-react';
import { type ReactNode, type RefObject, useState } from 'react';
import type { LogTurn } from '../../../registry/commands/services.ts';
import { useKeyText } from '../../keyboard/Keys.tsx';
import { useMeasure } from '../../kit/use-measure.ts';
import { Button, IconButton } from '../../kit/Button.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { ContainerSelect } from './ContainerSelect.tsx';
import type { LogContainer } from './containers.ts';
import { LogBar, LogBarSpace } from './LogBar.tsx';
import { LogButton, LogChoice } from './LogControls.tsx';
import { LogMore } from './LogMore.tsx';
import { LogSearch } from './LogSearch.tsx';
import { type LogLevel, logLevels } from './level.ts';
import {
  type LogOptions,
  type Since,
  sinceChoices,
  type Tail,
  tailChoices,
  timeChoices,
  type Times,
} from './options.ts';

interface LogToolsProps {
  readonly options: LogOptions;
  readonly change: (change: Partial<LogOptions>) => void;
  readonly turn: (what: LogTurn) => void;
  readonly containers: readonly LogContainer[];
  readonly fieldRef: RefObject<HTMLInputElement | null>;
  /** How many matches there are, in words. */
  readonly counted: string;
  readonly onStep: (by: 1 | -1) => void;
  readonly onLeave: () => void;
  readonly isPaused: boolean;
  readonly isAtEnd: boolean;
  readonly onFollow: () => void;
  /** The choice of columns, where lines have fields. */
  readonly columns: ReactNode;
}

const levelLabels: Readonly<Record<LogLevel, string>> = {
  debug: 'Debug and up',
  info: 'Info and up',
  warn: 'Warnings and errors',
  error: 'Errors',
};

/** Room for everything in one line, and for what is used most (px at 16px root). */
const fullWidth = 1_080;
const narrowWidth = 560;
/** Room for what only a search has, and for the button that follows again. */
const searchWidth = 72;
const followWidth = 96;

/** The toolbar of a log: its source, search and display. */
export function LogTools(props: LogToolsProps) {
  const { options, change, turn, containers, fieldRef, counted, onStep, onLeave } = props;
  const { isPaused, isAtEnd, onFollow, columns } = props;
  const { query } = options;
  const nextKeys = useKeyText('log.nextMatch');
  const previousKeys = useKeyText('log.previousMatch');
  const [bar, setBar] = useState<HTMLDivElement | null>(null);
  const { width, rootSize } = useMeasure(bar);
  const room = (width * 16) / rootSize;
  // The bar never wraps: what comes while somebody searches makes the rest fold sooner.
  const taken = (query === '' ? 0 : searchWidth) + (isAtEnd ? 0 : followWidth);
  const isFolded = room > 0 && room < fullWidth + taken;
  const isSmall = room > 0 && room < narrowWidth + taken;
  const isSet =
    options.previous ||
    options.since !== '' ||
    options.times !== 'local' ||
    (isSmall && (options.level !== undefined || !options.hasFields || !options.isWrapped));
  const level = (
    <LogChoice
      label="Level"
      value={options.level ?? ''}
      choices={[
        { value: '', label: 'All levels' },
        ...logLevels.map((value) => ({ value, label: levelLabels[value] })),
      ]}
      onChoose={(level) => change({ level: level === '' ? undefined : (level as LogLevel) })}
    />
  );
  const reading = (
    <>
      <LogChoice
        label="Since"
        value={options.since}
        choices={sinceChoices}
        onChoose={(since) => change({ since: since as Since })}
      />
      <LogChoice
        label="Lines of each container"
        value={options.tail}
        choices={tailChoices.map((value) => ({
          value,
          label: `Last ${Number(value).toLocaleString('en')}`,
        }))}
        onChoose={(tail) => change({ tail: tail as Tail })}
      />
      <CheckLine checked={options.previous} onChange={(event) => change({ previous: event.target.checked })}>
        Previous
      </CheckLine>
    </>
  );
  const times = (
    <LogChoice
      label="Times"
      value={options.times}
      choices={timeChoices}
      onChoose={(times) => change({ times: times as Times })}
    />
  );
  const showing = (
    <>
      <LogButton what="wrap" label="Wrap lines" isOn={options.isWrapped} turn={turn}>
        <WrapText size={14} strokeWidth={1.75} aria-hidden="true" />
      </LogButton>
      <LogButton what="fields" label="Fields of JSON lines" isOn={options.hasFields} turn={turn}>
        <Braces size={14} strokeWidth={1.75} aria-hidden="true" />
      </LogButton>
      {columns}
      <LogButton what="copy" label="Copy what is shown" turn={turn}>
        <Copy size={14} strokeWidth={1.75} aria-hidden="true" />
      </LogButton>
      <LogButton what="download" label="Download the whole log" turn={turn}>
        <Download size={14} strokeWidth={1.75} aria-hidden="true" />
      </LogButton>
    </>
  );
  return (
    <LogBar ref={setBar} folds>
      <LogSearch
        fieldRef={fieldRef}
        query={query}
        counted={counted}
        onQuery={(text) => change({ query: text })}
        onStep={onStep}
        onLeave={onLeave}
      />
      {query !== '' && (
        <>
          <IconButton size="sm" label="Previous match" keyHint={previousKeys} onClick={() => onStep(-1)}>
            <ChevronUp size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
          <IconButton size="sm" label="Next match" keyHint={nextKeys} onClick={() => onStep(1)}>
            <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </>
      )}
      <LogButton what="regex" label="Use regular expression" isOn={options.isRegex} turn={turn}>
        <Regex size={14} strokeWidth={1.75} aria-hidden="true" />
      </LogButton>
      <LogButton what="only" label="Only matching lines" isOn={options.isOnly} turn={turn}>
        <ListFilter size={14} strokeWidth={1.75} aria-hidden="true" />
      </LogButton>
      <ContainerSelect
        containers={containers}
        value={options.container}
        hasAll
        onChoose={(container) => change({ container })}
      />
      {!isSmall && level}
      {!isFolded && <>{reading}</>}
      {isFolded && (
        <LogMore isChanged={isSet}>
          {isSmall && level}
          {reading}
          {times}
          {isSmall && <span className="flex min-w-0 items-center gap-1">{showing}</span>}
        </LogMore>
      )}
      <LogBarSpace />
      {!isFolded && times}
      {!isSmall && showing}
      {!options.previous && (
        <LogButton what="pause" label={isPaused ? 'Go on' : 'Pause'} isOn={isPaused} turn={turn}>
          {isPaused ? (
            <Play size={14} strokeWidth={1.75} aria-hidden="true" />
          ) : (
            <Pause size={14} strokeWidth={1.75} aria-hidden="true" />
          )}
        </LogButton>
      )}
      {!isAtEnd && (
        <Button
          size="sm"
          variant="secondary"
          icon={<ArrowDownToLine size={13} strokeWidth={1.75} aria-hidden="true" />}
          onClick={onFollow}
        >
          {options.previous ? 'To the end' : 'Follow'}
        </Button>
      )}
    </LogBar>
  );
}

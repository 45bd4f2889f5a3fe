import { ArrowDownToLine, ChevronDown, ChevronUp, Clock, Download, WrapText } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Pod } from '../../kube/core.ts';
import type { ObjectRef } from '../../registry/command.ts';
import { useApp } from '../app/context.ts';
import { KeysOf, useKeyText } from '../keyboard/Keys.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { useView, useViewSearch } from '../workspace/view.ts';
import { plainText } from './ansi.ts';
import { containersOf, defaultContainer, runOf } from './containers.ts';
import { LogLines, type MatchAt } from './LogLines.tsx';
import { LogSearch } from './LogSearch.tsx';
import { stepMatch } from './matches.ts';
import type { LogState } from './stream.ts';
import { useLog } from './use-log.ts';
import { useMatches } from './use-matches.ts';

/** Lines from the end of a log to begin with. */
const tailLines = 2_000;

interface LogsViewProps {
  readonly self: ObjectRef;
  readonly pod: Pod;
}

const words: Readonly<Record<LogState['type'], string>> = {
  opening: 'Opening',
  live: 'Following',
  waiting: 'Waiting for the container',
  reconnecting: 'Reconnecting',
  ended: 'Ended',
};

/** The log of one container of a pod: followed, or of its previous run. */
export function LogsView({ self, pod }: LogsViewProps) {
  const [search, setSearch] = useViewSearch();
  const { tab, isVisible } = useView();
  const containers = containersOf(pod);
  const container = search.container ?? defaultContainer(pod);
  const previous = search.previous === 'true';
  const run = runOf(pod, container);
  const log = useLog({ self, container, previous, tailLines }, isVisible, previous ? '' : run);
  const { buffer, version, state, dropped } = log;

  const [isAtEnd, setAtEnd] = useState(true);
  const [isWrapped, setWrapped] = useState(true);
  const [hasTimes, setTimes] = useState(true);
  const [query, setQuery] = useState('');
  // An object of its own for each step: the same line is gone to again.
  const [match, setMatch] = useState<MatchAt | undefined>(undefined);
  const current = match?.line;
  const field = useRef<HTMLInputElement>(null);
  const lines = useRef<HTMLDivElement>(null);
  const matches = useMatches(query, buffer, version);

  const step = (by: 1 | -1) => {
    const next = stepMatch(matches, current, by);
    if (next === undefined) return;
    setAtEnd(false);
    setMatch({ line: next });
  };
  // Another log begins at its end, as the first one did.
  const read = (change: Readonly<Record<string, string | undefined>>) => {
    setSearch(change, 'push');
    setMatch(undefined);
    setAtEnd(true);
  };
  const searchFor = (text: string) => {
    setQuery(text);
    setMatch(undefined);
  };
  const nextKeys = useKeyText('log.nextMatch');
  const previousKeys = useKeyText('log.previousMatch');
  const at = current === undefined ? -1 : matches.lines.indexOf(current);
  const counted =
    query === ''
      ? ''
      : matches.lines.length === 0
        ? 'no match'
        : `${at < 0 ? '' : `${at + 1} of `}${matches.lines.length}`;
  const { logs } = useApp();
  // Published anew at each render: the functions see the matches of this moment.
  useEffect(() =>
    logs.publish(tab, {
      focusSearch: () => field.current?.select(),
      stepMatch: step,
      follow: () => setAtEnd(true),
      escape: () => {
        if (query === '') return false;
        searchFor('');
        return true;
      },
    }),
  );
  const save = () => {
    const texts: string[] = [];
    for (let number = buffer.first; number < buffer.end; number += 1)
      texts.push(plainText(buffer.at(number)?.[1] ?? ''));
    const url = URL.createObjectURL(new Blob([`${texts.join('\n')}\n`], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${self.name}-${container}${previous ? '-previous' : ''}.log`;
    link.click();
    URL.revokeObjectURL(url);
  };

  return (
    <>
      <div className="tools log-tools">
        <LogSearch
          fieldRef={field}
          query={query}
          counted={counted}
          onQuery={searchFor}
          onStep={step}
          onLeave={() => lines.current?.focus()}
        />
        {query !== '' && (
          <>
            <IconButton size="sm" label="Previous match" keyHint={previousKeys} onClick={() => step(-1)}>
              <ChevronUp size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
            <IconButton size="sm" label="Next match" keyHint={nextKeys} onClick={() => step(1)}>
              <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          </>
        )}
        <span className="input sm select">
          <select
            aria-label="Container"
            value={container}
            onChange={(event) => read({ container: event.target.value })}
          >
            {containers.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
                {one.sort === 'main' ? '' : ` (${one.sort})`}
              </option>
            ))}
          </select>
          <ChevronDown className="chev" size={13} aria-hidden="true" />
        </span>
        <label className="check">
          <input
            type="checkbox"
            checked={previous}
            onChange={(event) => read({ previous: event.target.checked ? 'true' : undefined })}
          />
          Previous
        </label>
        <span className="grow" />
        <IconButton
          size="sm"
          label="Wrap lines"
          variant={isWrapped ? 'light' : 'transparent'}
          aria-pressed={isWrapped}
          onClick={() => setWrapped((was) => !was)}
        >
          <WrapText size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton
          size="sm"
          label="Times"
          variant={hasTimes ? 'light' : 'transparent'}
          aria-pressed={hasTimes}
          onClick={() => setTimes((was) => !was)}
        >
          <Clock size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        <IconButton size="sm" label="Download what is here" onClick={save}>
          <Download size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
        {!isAtEnd && (
          <Button
            size="sm"
            variant="secondary"
            icon={<ArrowDownToLine size={13} strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => setAtEnd(true)}
          >
            {previous ? 'To the end' : 'Follow'}
          </Button>
        )}
      </div>
      <LogLines
        scrollerRef={lines}
        log={log}
        label={`Log of ${container} in ${self.name}`}
        isAtEnd={isAtEnd}
        onAtEnd={setAtEnd}
        isWrapped={isWrapped}
        hasTimes={hasTimes}
        query={query}
        match={match}
      />
      <div className={`status ${state.type === 'reconnecting' ? 'stale' : ''}`}>
        <span className="mode">LOGS</span>
        <span className="fresh" role="status">
          {state.type === 'live' && !isAtEnd ? 'Reading, new lines go on coming in' : words[state.type]}
        </span>
        {'message' in state && state.message !== undefined && (
          <span className="sec trunc">{state.message}</span>
        )}
        <span className="sec">{buffer.end === 1 ? '1 line' : `${buffer.end} lines`}</span>
        {buffer.first > 0 && <span className="sec">the first {buffer.first} are no longer kept</span>}
        {dropped > 0 && <span className="hot">{dropped} lines were left out</span>}
        <span className="grow" />
        <span className="hint">
          <KeysOf id="log.search" />
          search
        </span>
        <span className="hint">
          <KeysOf id="log.nextMatch" />
          next match
        </span>
        <span className="hint">
          <KeysOf id="log.follow" />
          follow
        </span>
      </div>
    </>
  );
}

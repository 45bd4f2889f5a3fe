import { useEffect, useMemo, useRef, useState } from 'react';
import type { LogRequest } from '../../../contract/log.ts';
import type { LogTurn } from '../../../registry/services.ts';
import { useCommands } from '../../core/commands.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useView, useViewSearch } from '../../workspace/view.ts';
import { plainText } from './ansi.ts';
import { allContainers } from './ContainerSelect.tsx';
import type { LogContainer } from './containers.ts';
import { saveLog } from './download.ts';
import { LogColumns } from './LogColumns.tsx';
import { LogLines, type LineAt } from './LogLines.tsx';
import { LogStatus } from './LogStatus.tsx';
import { LogTools } from './LogTools.tsx';
import { logLevels } from './level.ts';
import { createMatcher } from './matcher.ts';
import { type Look, rowsOf, stepMatch } from './matches.ts';
import {
  type LogOptions,
  nextOf,
  readOptions,
  sinceChoices,
  spanOf,
  tailChoices,
  timeChoices,
  writeOptions,
} from './options.ts';
import { sourceNames } from './source-names.ts';
import type { LogTarget } from './stream.ts';
import { useLog } from './use-log.ts';
import { useColumns } from './use-columns.ts';
import { useMatches } from './use-matches.ts';

/** Most characters that are copied at once. */
const longestCopy = 20 * 1024 * 1024;

const noColumns = [] as const;

interface LogsViewProps {
  readonly cluster: string;
  /** Whose logs. */
  readonly of: LogRequest['of'];
  /** What they are of, in a label and the name of a file: `api-0`. */
  readonly name: string;
  /** The containers there are; undefined where only the log tells. */
  readonly containers: readonly LogContainer[] | undefined;
  /** The container that is read where none is chosen. */
  readonly usual: string;
  /** What the columns that are chosen are remembered for, `Deployment/api`; not remembered without it. */
  readonly workload?: string;
}

/** The logs of one or several pods: merged, followed, searched. */
export function LogsView({ cluster, of, name, containers, usual, workload }: LogsViewProps) {
  const { services } = useCommands();
  const { logs } = useWorkspace();
  const [search, setSearch] = useViewSearch();
  const { tab, isVisible } = useView();
  const options = readOptions(search, usual);
  const target: LogTarget = {
    cluster,
    of,
    container: options.container,
    previous: options.previous,
    ...spanOf(options),
  };
  const log = useLog(target, isVisible);
  const { buffer, version, sources, isPaused, setPaused } = log;

  const [isAtEnd, setAtEnd] = useState(true);
  // An object of its own for each step: the same line is gone to again.
  const [at, setAt] = useState<LineAt | undefined>(undefined);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const field = useRef<HTMLInputElement>(null);
  const lines = useRef<HTMLDivElement>(null);
  const { query, isRegex, isOnly, level } = options;
  const made = useMemo(() => createMatcher(query, isRegex), [query, isRegex]);
  const matcher = typeof made === 'string' ? undefined : made;
  const look = useMemo((): Look => ({ matcher, isOnly, level }), [matcher, isOnly, level]);
  const found = useMatches(look, buffer, version);
  const rows = useMemo(
    () => rowsOf(buffer, found),
    // oxlint-disable-next-line react/exhaustive-deps -- the buffer changes in place, and `version` says so
    [buffer, found, version],
  );
  const names = useMemo(() => sourceNames(sources), [sources]);
  const shown = useColumns(log, {
    isAtEnd,
    inAddress: options.columns,
    memory: workload === undefined ? undefined : `${cluster}/${workload}`,
    onChoose: (columns) => change({ columns }),
  });

  // Those that were read once stay a choice while one of them is read alone.
  const [heard, setHeard] = useState<ReadonlySet<string>>(new Set());
  const unheard = sources.filter(({ container }) => !heard.has(container));
  if (unheard.length > 0) setHeard(new Set([...heard, ...unheard.map(({ container }) => container)]));
  const asked = options.container === allContainers || log.state.type === 'ended' ? [] : [options.container];
  const offered =
    containers ?? [...new Set([...heard, ...asked])].map((name): LogContainer => ({ name, sort: 'main' }));

  // Another log begins at its end, as the first one did, and has other lines.
  const text = JSON.stringify(target);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    setAt(undefined);
    setAtEnd(true);
    setOpened(new Set());
  }
  const change = (part: Partial<LogOptions>) => {
    const isRead = 'container' in part || 'previous' in part || 'since' in part || 'tail' in part;
    if ('query' in part || 'isRegex' in part) setAt(undefined);
    // What is typed is no step back.
    setSearch(writeOptions(part), isRead ? 'push' : 'replace');
  };
  const goTo = (line: number | undefined) => {
    if (line === undefined) return;
    setAtEnd(false);
    setAt({ line });
  };
  const step = (by: 1 | -1) => goTo(stepMatch(found, at?.line, by));
  const moveLine = (by: number) => {
    if (rows.count === 0) return;
    const index = at === undefined ? rows.count : rows.indexOf(at.line);
    goTo(rows.at(Math.min(Math.max(index + by, 0), rows.count - 1)));
  };
  const follow = () => {
    setAt(undefined);
    setAtEnd(true);
  };
  const toggle = (line: number) => {
    setAtEnd(false);
    setOpened((all) => new Set(all.has(line) ? [...all].filter((one) => one !== line) : [...all, line]));
  };
  const choices = [allContainers, ...offered.map((container) => container.name)];

  const copy = async () => {
    const texts: string[] = [];
    let size = 0;
    for (let index = 0; index < rows.count && size < longestCopy; index += 1) {
      const line = buffer.at(rows.at(index));
      const shown = line === undefined ? '' : plainText(line[1]);
      size += shown.length;
      texts.push(shown);
    }
    try {
      await navigator.clipboard.writeText(texts.join('\n'));
      services.toast.success(texts.length === 1 ? 'Copied 1 line' : `Copied ${texts.length} lines`);
    } catch {
      services.toast.error('The browser did not allow copying.');
    }
  };

  const turn = (what: LogTurn) => {
    switch (what) {
      case 'pause':
        if (!options.previous) setPaused(!isPaused);
        break;
      case 'previous':
        change({ previous: !options.previous });
        break;
      case 'wrap':
        change({ isWrapped: !options.isWrapped });
        break;
      case 'times':
        change({
          times: nextOf(
            timeChoices.map(({ value }) => value),
            options.times,
          ),
        });
        break;
      case 'since':
        change({
          since: nextOf(
            sinceChoices.map(({ value }) => value),
            options.since,
          ),
        });
        break;
      case 'tail':
        change({ tail: nextOf(tailChoices, options.tail) });
        break;
      case 'level':
        change({ level: nextOf([undefined, ...logLevels], level) });
        break;
      case 'only':
        change({ isOnly: !isOnly });
        break;
      case 'regex':
        change({ isRegex: !isRegex });
        break;
      case 'fields':
        change({ hasFields: !options.hasFields });
        break;
      case 'container':
        change({ container: nextOf(choices, options.container) });
        break;
      case 'expand':
        if (at !== undefined) toggle(at.line);
        break;
      case 'download':
        saveLog(target, name, services.toast);
        break;
      case 'copy':
        void copy();
        break;
      default:
        what satisfies never;
    }
  };
  // Published anew at each render: the functions see the matches of this moment.
  useEffect(() =>
    logs.publish(tab, {
      focusSearch: () => field.current?.select(),
      stepMatch: step,
      follow,
      moveLine,
      turn,
      escape: () => {
        if (query === '') return false;
        change({ query: '' });
        return true;
      },
    }),
  );

  const place = at === undefined ? -1 : found.matches.indexOf(at.line);
  const counted =
    query === '' || typeof made === 'string'
      ? ''
      : found.matches.length === 0
        ? 'no match'
        : `${place < 0 ? '' : `${place + 1} of `}${found.matches.length}`;
  return (
    <>
      <LogTools
        options={options}
        change={change}
        turn={turn}
        containers={offered}
        fieldRef={field}
        counted={counted}
        onStep={step}
        onLeave={() => lines.current?.focus()}
        isPaused={isPaused}
        isAtEnd={isAtEnd}
        onFollow={follow}
        columns={
          shown.hasJson && <LogColumns fields={shown.fields} chosen={shown.chosen} onChoose={shown.choose} />
        }
      />
      {typeof made === 'string' && (
        <p className="px-3 py-1.5 font-semibold text-warn-fg" role="alert">
          {made}
        </p>
      )}
      <LogLines
        scrollerRef={lines}
        log={log}
        rows={rows}
        label={`Log of ${options.container === allContainers ? 'all containers' : options.container} in ${name}`}
        isAtEnd={isAtEnd}
        onAtEnd={setAtEnd}
        options={options}
        columns={options.hasFields ? shown.columns : noColumns}
        hasLevels={shown.hasLevels}
        matcher={matcher}
        at={at}
        names={names}
        opened={opened}
        onToggle={toggle}
      />
      <LogStatus log={log} rows={rows} isAtEnd={isAtEnd} />
    </>
  );
}

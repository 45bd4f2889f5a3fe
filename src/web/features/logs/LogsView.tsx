import { useEffect, useMemo, useRef, useState } from 'react';
import type { LogRequest } from '../../../contract/log.ts';
import type { LogTurn } from '../../../registry/commands/services.ts';
import { toolNeeds } from '../../../registry/kinds/object-tools.ts';
import { useCommands } from '../../core/commands.ts';
import { useRegexEngine } from '../../data/rows/use-regex-engine.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useView, useViewSearch } from '../../workspace/view.ts';
import { allContainers } from './ContainerSelect.tsx';
import type { LogContainer } from './containers.ts';
import { copyLog } from './copy-log.ts';
import { saveLog } from './download.ts';
import { LogColumns } from './LogColumns.tsx';
import { LogLines } from './LogLines.tsx';
import { LogStatus } from './LogStatus.tsx';
import { LogTools } from './LogTools.tsx';
import { createMatcher } from './matcher.ts';
import { type Found, type Look, rowsOf } from './matches.ts';
import { type LogOptions, readOptions, spanOf, writeOptions } from './options.ts';
import { sourceNames } from './source-names.ts';
import type { LogTarget } from './stream.ts';
import { optionsAfter } from './turn.ts';
import { useLineCursor } from './use-line-cursor.ts';
import { useLog } from './use-log.ts';
import { useColumns } from './use-columns.ts';
import { useMatches } from './use-matches.ts';

const noColumns = [] as const;

interface LogsViewProps {
  readonly cluster: string;
  /** Whose logs. */
  readonly of: LogRequest['of'];
  /** Name of the source, for a label and for the name of a file: `api-0`. */
  readonly name: string;
  /** The containers there are; undefined where only the log tells. */
  readonly containers: readonly LogContainer[] | undefined;
  /** The container that is read where none is chosen. */
  readonly usual: string;
  /** The key under which the chosen columns are remembered, `Deployment/api`; without it they are not. */
  readonly workload?: string;
}

/** The namespace whose pods are read; of several the first. */
const namespaceOf = (of: LogRequest['of']): string | undefined =>
  'pods' in of ? of.pods[0]?.namespace : of.namespace;

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

  const field = useRef<HTMLInputElement>(null);
  const lines = useRef<HTMLDivElement>(null);
  /** The last line in sight. */
  const bottom = useRef(0);
  const { query, isRegex, isOnly, level, hasFields } = options;
  const engine = useRegexEngine(isRegex && query !== '');
  const made = useMemo(() => createMatcher(query, isRegex, engine), [query, isRegex, engine]);
  const matcher = typeof made === 'string' ? undefined : made;
  const look = useMemo(
    (): Look => ({ matcher, isOnly, level, hasFields }),
    [matcher, isOnly, level, hasFields],
  );
  const found = useMatches(look, buffer, version);
  const rows = useMemo(
    () => rowsOf(buffer, found),
    // oxlint-disable-next-line react/exhaustive-deps -- the buffer changes in place, and `version` says so
    [buffer, found, version],
  );
  const names = useMemo(() => sourceNames(sources), [sources]);
  const cursor = useLineCursor(JSON.stringify(target), rows, found);
  const { isAtEnd, at } = cursor;
  const shown = useColumns(log, {
    isAtEnd,
    inAddress: options.columns,
    memory: workload === undefined ? undefined : `${cluster}/${workload}`,
    onChoose: (columns) => change({ columns }),
  });

  const offered = useOfferedContainers(log, options.container, containers);
  const choices = [allContainers, ...offered.map((container) => container.name)];

  const change = (part: Partial<LogOptions>) => {
    const isRead = 'container' in part || 'previous' in part || 'since' in part || 'tail' in part;
    if ('query' in part || 'isRegex' in part) cursor.search(part.query ?? query, bottom.current);
    // Typing adds no step to the history.
    setSearch(writeOptions(part), isRead ? 'push' : 'replace');
  };
  const turn = (what: LogTurn) => {
    const part = optionsAfter(what, options, choices);
    if (part !== undefined) change(part);
    else if (what === 'pause' && !options.previous) {
      if (log.state.type === 'ended' && !isPaused) services.toast.info('This log has ended.');
      else setPaused(!isPaused);
    } else if (what === 'expand' && at !== undefined) cursor.toggle(at.line);
    else if (what === 'download') saveLog(target, name, services.toast);
    else if (what === 'copy') void copyLog(rows, buffer, services.toast);
  };
  // Published anew at each render: the functions see the matches of this moment.
  useEffect(() =>
    logs.publish(tab, {
      focusSearch: () => field.current?.select(),
      stepMatch: cursor.step,
      follow: cursor.follow,
      moveLine: cursor.moveLine,
      turn,
      escape: () => {
        if (query === '') return false;
        cursor.leave();
        setSearch(writeOptions({ query: '' }), 'replace');
        return true;
      },
    }),
  );

  const counted = typeof made === 'object' ? countText(found, at?.line) : '';
  return (
    <>
      <LogTools
        options={options}
        change={change}
        turn={turn}
        containers={offered}
        fieldRef={field}
        counted={counted}
        onStep={cursor.step}
        onLeave={() => {
          cursor.settle();
          lines.current?.focus();
        }}
        isPaused={isPaused}
        isAtEnd={isAtEnd}
        onFollow={cursor.follow}
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
        bottomRef={bottom}
        log={log}
        reading={{ what: 'Logs', needs: toolNeeds.logs ?? 'pods.view', cluster, namespace: namespaceOf(of) }}
        rows={rows}
        label={`Log of ${options.container === allContainers ? 'all containers' : options.container} in ${name}`}
        isAtEnd={isAtEnd}
        onAtEnd={cursor.setAtEnd}
        options={options}
        columns={options.hasFields ? shown.columns : noColumns}
        hasLevels={shown.hasLevels}
        matcher={matcher}
        at={at}
        names={names}
        opened={cursor.opened}
        onToggle={cursor.toggle}
      />
      <LogStatus
        cluster={cluster}
        log={log}
        rows={rows}
        isAtEnd={isAtEnd}
        isSearching={found.matches.length > 0}
      />
    </>
  );
}

/** The number of matches, and which of them the line is. */
function countText({ matches, isWhole }: Found, line: number | undefined): string {
  if (!isWhole) return 'searching…';
  if (matches.length === 0) return 'no match';
  const place = line === undefined ? -1 : matches.indexOf(line);
  return place < 0 ? String(matches.length) : `${place + 1} of ${matches.length}`;
}

/** The containers to choose from. Those that were read once stay a choice while one of them is read alone. */
function useOfferedContainers(
  { sources, state }: ReturnType<typeof useLog>,
  chosen: string,
  containers: readonly LogContainer[] | undefined,
): readonly LogContainer[] {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const unseen = sources.filter(({ container }) => !seen.has(container));
  if (unseen.length > 0) setSeen(new Set([...seen, ...unseen.map(({ container }) => container)]));
  const asked = chosen === allContainers || state.type === 'ended' ? [] : [chosen];
  return (
    containers ?? [...new Set([...seen, ...asked])].map((name): LogContainer => ({ name, sort: 'main' }))
  );
}

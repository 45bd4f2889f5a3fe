import { useQuery } from '@tanstack/react-query';
import { createElement, Suspense, useEffect, useState } from 'react';
import { sentenceOf } from '../../registry/execute.ts';
import { checkAt, firstCheck, guard, mayWork, type Verdict } from '../data/session.ts';
import { Shell } from '../shell/Shell.tsx';
import { ScreenBoundary } from '../shell/ScreenBoundary.tsx';
import { useCell } from '../state/state.ts';
import { ErrorAlert } from '../ui/ErrorAlert.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { screenOf } from '../workspace/screens.ts';
import { useApp } from './context.ts';
import { rememberPlace } from './remember.ts';

/** The guard of every navigation: shows the shell, a screen without chrome, or a spinner until it knows. */
export function Guarded() {
  const { registry, workspace, queries, leaving, lapse, live } = useApp();
  const bare = useCell(workspace.state, (state) => state.bare);
  useCell(workspace.state);
  const href = workspace.href();
  const match = registry.match(href);
  const session = useQuery(queries.session);
  const isLeaving = useCell(leaving);

  const [last, setChecked] = useState(() => firstCheck(href));
  const checked = checkAt(last, href, session.data);
  if (checked !== last) setChecked(checked);
  const access = match?.command.access ?? 'signed-in';
  const mustCheck = session.data === null && access !== 'public' && !checked.isDone;
  const { refetch } = session;
  useEffect(() => {
    if (!mustCheck) return undefined;
    let isCurrent = true;
    void refetch().then(() => {
      if (isCurrent) setChecked({ href, isDone: true });
    });
    return () => {
      isCurrent = false;
    };
  }, [mustCheck, refetch, href]);

  const known = mustCheck ? undefined : session.data;
  const verdict: Verdict = guard({ access, path: match?.command.path ?? href }, known);
  const to = verdict.type === 'redirect' && !isLeaving ? verdict.to : undefined;
  useEffect(() => {
    if (to === undefined) return;
    if (to === '/login') rememberPlace(sessionStorage, workspace.address());
    workspace.redirect(to);
  }, [to, workspace]);

  // Beside the calls that a list needs before it can ask for its rows, not after them.
  const isInside = verdict.type === 'show' && bare === null && mayWork(known);
  useEffect(() => {
    if (!isInside || isLeaving) return;
    lapse.set(undefined);
    live.open();
  }, [isInside, isLeaving, lapse, live]);

  if (isLeaving) return <Spinner label="Logging out..." />;
  if (verdict.type === 'wait' && session.isError) {
    return (
      <main className="waiting">
        <div className="narrow-note">
          <ErrorAlert
            title="The console could not be opened."
            message={sentenceOf(session.error)}
            onRetry={() => void refetch()}
            isRetrying={session.isFetching}
          />
        </div>
      </main>
    );
  }
  if (verdict.type !== 'show') return <Spinner label="Checking your session" />;
  if (bare === null && session.data === undefined && !session.isError)
    return <Spinner label="Checking your session" />;
  // A public screen that could stand in a tab has no shell around it for whoever could not go anywhere in it.
  const isAlone = bare === null && access === 'public' && !mayWork(session.data);
  if ((bare !== null || isAlone) && match !== undefined) {
    const screen = createElement(screenOf(match.command), { params: match.params, command: match.command });
    return (
      <ScreenBoundary>
        <Suspense fallback={<Spinner label="Opening" />}>
          {isAlone ? <main className="bare-view">{screen}</main> : screen}
        </Suspense>
      </ScreenBoundary>
    );
  }
  return <Shell />;
}

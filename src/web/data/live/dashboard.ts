import type { Dashboard } from '../../../contract/dashboard.ts';
import type { ServerMessage } from '../../../contract/live.ts';
import type { LiveBase } from './base.ts';

/** The known state of a live dashboard. */
export interface LiveDashboard extends LiveBase {
  readonly dashboard?: Dashboard;
}

/** A dashboard nothing is known of yet. */
export function unknownDashboard(now: string): LiveDashboard {
  return { complete: false, state: { status: 'loading', since: now } };
}

/** A dashboard comes whole. */
export function applyDashboard(
  known: LiveDashboard,
  { dashboard }: Extract<ServerMessage, { readonly type: 'dashboard' }>,
): LiveDashboard {
  const { pausedAt: _pausedAt, ...rest } = known;
  return { ...rest, complete: true, dashboard };
}

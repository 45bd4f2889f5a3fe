import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useCommands } from '../core/commands.ts';
import { stepsAt, withSteps } from '../core/state/first-steps.ts';
import { useKept } from '../core/state/port.ts';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { withRecent } from '../core/state/recents.ts';
import { useCell } from '../core/state/state.ts';
import { focusedTab } from '../workspace/layout.ts';
import { viewKey } from '../workspace/place.ts';

/** Notes each place of a cluster that is shown, and the first steps that were done there. */
export function useNoteRecents(): void {
  const { registry } = useCommands();
  const { recents, firstSteps } = useKept();
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const href = useCell(workspace.state, (state) => focusedTab(state.layout).href);
  const userId = useQuery(queries.session).data?.id;
  useEffect(() => {
    if (userId === undefined || registry.match(href)?.params.clusterId === undefined) return;
    recents.places(userId).update((known) => withRecent(known, { href, at: Date.now() }, viewKey));
    firstSteps(userId).update((state) => withSteps(state, stepsAt(href)));
  }, [registry, recents, firstSteps, href, userId]);
}

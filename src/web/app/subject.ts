import type { Subject } from '../../registry/command.ts';
import { objectOfRoute } from '../../registry/kind-commands.ts';
import { resolveSubject } from '../../registry/subject.ts';
import { focusedTab } from '../workspace/layout.ts';
import type { App } from '../core/context.ts';

/** What a command of this moment acts on, from the focused view; never from the document's focus. */
export function subjectNow({
  workspace,
  registry,
  lists,
  graphs,
}: Pick<App, 'workspace' | 'registry' | 'lists' | 'graphs'>): Subject {
  const { layout, clusterId } = workspace.state.get();
  const tab = focusedTab(layout);
  const list = lists.of(tab.id);
  return resolveSubject({
    selection: list?.selection() ?? [],
    row: list?.rowRef() ?? graphs.of(tab.id)?.ref(),
    tile: objectOfRoute(registry.match(tab.href)),
    cluster: clusterId === undefined ? undefined : String(clusterId),
  });
}

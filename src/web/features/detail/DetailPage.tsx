import { useEffect } from 'react';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { objectOfRoute } from '../../../registry/commands/kind-commands.ts';
import { splitHref } from '../../../registry/path.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useLive } from '../../data/live/use-live.ts';
import { objectPath } from '../../data/object-path.ts';
import { NoSuchPage } from '../../frame/NoSuchPage.tsx';
import { tabById } from '../../workspace/layout.ts';
import { useView } from '../../workspace/view.ts';
import { fullKind } from '../../core/kinds/full.ts';
import { DetailView } from './DetailView.tsx';
import { targetOf } from './target.ts';
import { useForgetGone } from './use-forget-gone.ts';

/** The page of one object of any kind. */
export function Screen({ params, command }: ScreenProps) {
  const ref = objectOfRoute({ command, params });
  return ref === undefined ? <NoSuchPage /> : <ObjectPage self={ref} />;
}

function ObjectPage({ self }: { readonly self: ObjectRef }) {
  const { live, kinds } = useData();
  const { workspace } = useWorkspace();
  const { isVisible, tab } = useView();
  const target = targetOf(self);
  const data = useLive(target, isVisible);
  const described = data?.kind ?? kinds.of(self.cluster, self.kind);
  const kind = fullKind(self.kind, described);
  useForgetGone(self, data?.gone !== undefined);

  // Links may name a kind as owners do; its place is the one its definition gives it.
  const place = data?.kind === undefined ? undefined : objectPath(placed(self, data.kind));
  useEffect(() => {
    const href = tabById(workspace.state.get().layout, tab)?.href;
    if (href === undefined || place === undefined) return;
    const { pathname, search } = splitHref(href);
    if (pathname !== place) workspace.setHref(tab, place + search, 'replace');
  }, [workspace, tab, place]);

  return <DetailView kind={kind} self={self} data={data} onRetry={() => live.retry(target)} />;
}

/** A reference by the kind's own id, with a namespace only where its objects have one. */
function placed({ cluster, namespace, name }: ObjectRef, { id, scope }: KindFacts): ObjectRef {
  return {
    cluster,
    kind: id,
    ...(namespace === undefined || scope === 'Cluster' ? {} : { namespace }),
    name,
  };
}

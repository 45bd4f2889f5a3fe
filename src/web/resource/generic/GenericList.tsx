import { useQuery } from '@tanstack/react-query';
import type { Row } from '../../../contract/live.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ScreenProps } from '../../../registry/command.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { useApp } from '../../app/context.ts';
import type { LiveList } from '../../data/live/rows.ts';
import { NoSuchPage } from '../../shell/NoSuchPage.tsx';
import { useView, useViewSearch } from '../../workspace/view.ts';
import { ListView } from '../ListView.tsx';
import { kindOfPath } from './kind.ts';
import { polledBase, polledFreshness, pollInterval } from './polled.ts';

/** Most objects read for a list that is not followed live: pages of 500. */
const mostPages = 4;

/** The list of a kind that has no file: read in pages and projected here. */
export function Screen({ params }: ScreenProps) {
  const kind = kindOfPath(params);
  return kind === undefined ? (
    <NoSuchPage />
  ) : (
    <PolledList kind={kind} clusterId={Number(params.clusterId)} />
  );
}

function PolledList({ kind, clusterId }: { readonly kind: AnyKind; readonly clusterId: number }) {
  const { api } = useApp();
  const { isVisible } = useView();
  const [search] = useViewSearch();
  const namespace = kind.scope === 'Namespaced' ? search.ns : undefined;
  const objects = useQuery({
    queryKey: ['polled-list', clusterId, kind.id, namespace],
    retry: false,
    enabled: isVisible,
    structuralSharing: false,
    refetchInterval: pollInterval,
    queryFn: async ({ signal }) => {
      const rows = new Map<string, Row>();
      let next: string | undefined;
      for (let page = 0; page < mostPages; page += 1) {
        const answer = await api.objects(
          {
            params: { clusterId, kind: kind.id },
            query: {
              ...(namespace === undefined ? {} : { namespace }),
              ...(next === undefined ? {} : { continue: next }),
            },
          },
          { signal },
        );
        for (const item of answer.items as readonly KubeObject[]) {
          const uid = item.metadata?.uid ?? `${item.metadata?.namespace ?? ''}/${item.metadata?.name ?? ''}`;
          rows.set(uid, [uid, kind.columns.map((column) => column.value(item))]);
        }
        next = answer.continue;
        if (next === undefined) break;
      }
      return { rows, isCut: next !== undefined };
    },
  });
  const rows = objects.data?.rows ?? new Map<string, Row>();
  const list: LiveList = {
    ...polledBase(objects),
    rows,
    ...(objects.data?.isCut === true ? { total: rows.size + 1 } : {}),
  };
  return (
    <ListView
      kind={kind}
      clusterId={clusterId}
      list={list}
      freshness={polledFreshness(objects, kind.title)}
      onRetry={() => void objects.refetch()}
    />
  );
}

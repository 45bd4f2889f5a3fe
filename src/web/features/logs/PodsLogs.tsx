import { FileText } from 'lucide-react';
import { State } from '../../kit/State.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { useViewSearch } from '../../workspace/view.ts';
import { allContainers } from './ContainerSelect.tsx';
import { workloadsOf } from './columns.ts';
import { HeadBar } from '../../frame/HeadBar.tsx';
import { LogsView } from './LogsView.tsx';
import { podsIn } from './pods-in.ts';

/** The logs of several pods that somebody chose, merged. */
export function PodsLogs({ cluster }: { readonly cluster: string }) {
  const [search] = useViewSearch();
  const pods = podsIn(search.pods ?? '');
  if (pods.length === 0) {
    return (
      <ViewBody isScrolled>
        <State
          icon={<FileText size={20} strokeWidth={1.5} aria-hidden="true" />}
          title="No pods are named here"
          level={1}
        >
          Select pods in their list and open their logs from there.
        </State>
      </ViewBody>
    );
  }
  const names = pods.map(({ namespace, name }) => `${namespace}/${name}`);
  return (
    <>
      <HeadBar
        title={`Logs of ${pods.length === 1 ? names[0] : `${pods.length} pods`}`}
        about={
          <span className="min-w-0 truncate" title={names.join('\n')}>
            {names.join(', ')}
          </span>
        }
      />
      <LogsView
        key={names.join()}
        cluster={cluster}
        of={{ pods }}
        name={pods.length === 1 ? (pods[0]?.name ?? '') : `${pods.length} pods`}
        containers={undefined}
        usual={allContainers}
        workload={workloadsOf(pods)}
      />
    </>
  );
}

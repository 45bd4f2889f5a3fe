import { useQuery } from '@tanstack/react-query';
import { SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { readOnlyReason } from '../../../contract/clusters.ts';
import type { Pod } from '../../../kube/core.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { useData } from '../../data/port.ts';
import { ContainerSelect } from '../logs/ContainerSelect.tsx';
import { containersOf, defaultContainer } from '../logs/containers.ts';
import { Hints } from '../../keyboard/Hints.tsx';
import { State } from '../../kit/State.tsx';
import { freshLook, StatusLine } from '../../kit/StatusLine.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { ShownAs } from '../../workspace/use-tool.ts';
import { useViewSearch } from '../../workspace/view.ts';
import { ConfirmShell } from './ConfirmShell.tsx';
import { modeWord } from './session.ts';
import { TerminalPane } from './TerminalPane.tsx';

interface TerminalViewProps {
  readonly self: ObjectRef;
  readonly pod: Pod;
  readonly mode: 'exec' | 'attach';
}

/** A shell in a container of a pod, or the container's own process. */
export function TerminalView({ self, pod, mode }: TerminalViewProps) {
  const { queries } = useData();
  const [search, setSearch] = useViewSearch();
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => id === Number(self.cluster));
  const container = search.container ?? defaultContainer(pod);
  // The confirmed cluster; the confirmation is valid for this view only.
  const [confirmed, setConfirmed] = useState<string | undefined>(undefined);
  if (cluster === undefined) return <ViewBody />;
  const refusal = !cluster.isShellAllowed
    ? `Shells are switched off for ${cluster.name} in this console.`
    : readOnlyReason(cluster);
  if (refusal !== undefined) {
    return (
      <>
        <ShownAs name="page" />
        <ViewBody isScrolled>
          <State
            icon={<SquareTerminal size={20} strokeWidth={1.5} aria-hidden="true" />}
            title="No terminal here"
          >
            {refusal}
          </State>
        </ViewBody>
        <ClosedStatus mode={mode} />
      </>
    );
  }
  const what = `${mode === 'attach' ? 'the process' : 'a shell'} of ${container} in ${self.name}`;
  // A stray letter must not lead to a process that listens to the next one.
  if ((cluster.isProtected || mode === 'attach') && confirmed === undefined) {
    return (
      <>
        <ConfirmShell cluster={cluster} what={what} mode={mode} onConfirmed={setConfirmed} />
        <ClosedStatus mode={mode} />
      </>
    );
  }
  return (
    <TerminalPane
      // Another container is another session.
      key={`${mode} ${container}`}
      target={{
        self,
        container,
        mode,
        ...(cluster.isProtected && confirmed !== undefined ? { confirm: confirmed } : {}),
      }}
      label={`Terminal: ${what}`}
      choice={
        <ContainerSelect
          containers={containersOf(pod)}
          value={container}
          onChoose={(name) => setSearch({ container: name }, 'push')}
        />
      }
    />
  );
}

/** The line below what stands where a terminal is not open yet, or cannot be. */
function ClosedStatus({ mode }: Pick<TerminalViewProps, 'mode'>) {
  return (
    <StatusLine mode={modeWord[mode]}>
      <span className={freshLook()}>Not open</span>
      <Hints hints={[]} />
    </StatusLine>
  );
}

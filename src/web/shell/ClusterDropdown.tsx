import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { useData } from '../data/port.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useCell } from '../core/state/state.ts';
import { Flag } from '../kit/marks.tsx';
import { Optional } from '../kit/Optional.tsx';
import { PickerButton } from '../kit/PickerButton.tsx';
import { useMenuOverlay } from '../kit/use-overlay.ts';
import { lazyPart } from '../kit/lazy-part.ts';

const load = () => import('./ClusterMenu.tsx');
const ClusterMenu = lazyPart(async () => (await load()).ClusterMenu);

/** The selected cluster, and the list to choose another. */
export function ClusterDropdown() {
  const { queries } = useData();
  const { workspace } = useWorkspace();
  const clusterId = useCell(workspace.state, (state) => state.clusterId);
  const clusters = useQuery(queries.clusters).data;
  const selected = clusters?.find((cluster) => cluster.id === clusterId);
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useMenuOverlay(isOpen);
  return (
    <>
      <PickerButton
        ref={button}
        place="topbar"
        aria-expanded={isOpen}
        aria-label={`Cluster: ${selected?.name ?? 'Select Cluster'}`}
        onPointerEnter={() => void load()}
        onClick={() => setOpen((was) => !was)}
      >
        {selected !== undefined && <Flag colour={selected.colour} />}
        <span className="min-w-0 truncate">{selected?.name ?? 'Select Cluster'}</span>
        {selected?.isProtected === true && <Lock size={12} strokeWidth={1.75} aria-label="protected" />}
      </PickerButton>
      {isOpen && (
        <Optional what="The list of clusters" onMissing={close}>
          <ClusterMenu anchor={button} selected={clusterId} onClose={close} />
        </Optional>
      )}
    </>
  );
}

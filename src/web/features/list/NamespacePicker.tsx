import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { splitHref } from '../../../registry/path.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { useCell } from '../../core/state/state.ts';
import { Optional } from '../../kit/Optional.tsx';
import { hasNamespaces } from '../../workspace/chosen-namespace.ts';
import { focusedTab } from '../../workspace/layout.ts';
import { parseSearch } from '../../workspace/search.ts';
import { PickerButton } from '../../kit/PickerButton.tsx';
import { useMenuOverlay } from '../../kit/use-overlay.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const load = () => import('./NamespaceMenu.tsx');
const loadNumbers = () => import('../../workspace/numbered.ts');
const NamespaceMenu = lazyPart(async () => (await load()).NamespaceMenu);

/** The namespace of the focused list or graph; absent where the focused view shows no namespace of several. */
export function NamespacePicker({ place = 'namespace' }: { readonly place?: 'namespace' | 'tools' }) {
  const { registry } = useCommands();
  const { kinds, queries, queryClient } = useData();
  const { workspace } = useWorkspace();
  const href = useCell(workspace.state, (state) => focusedTab(state.layout).href);
  const clusterId = Number(registry.match(href)?.params.clusterId ?? 0);
  const isNamespaced = hasNamespaces({ registry, kinds }, href) !== false;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const isKnown = useQuery(queries.clusters).data?.some((cluster) => cluster.id === clusterId) === true;
  // The menu and the namespaces' numbers need the names before the menu opens.
  const areListed = useQuery({
    ...queries.namespaces(clusterId),
    enabled: isNamespaced && isKnown,
  }).isSuccess;
  const selected = isNamespaced ? parseSearch(splitHref(href).search).ns : undefined;
  // Whatever led here, the menu, the palette or a link, the namespace gets a number.
  useEffect(() => {
    if (selected === undefined || !areListed) return;
    loadNumbers()
      .then(({ noteChosen }) => noteChosen({ queryClient, queries }, clusterId, selected))
      // It keeps the number it has, if any.
      .catch(() => undefined);
  }, [queryClient, queries, clusterId, selected, areListed]);
  useMenuOverlay(isOpen);
  if (!isNamespaced) return null;

  return (
    <>
      <PickerButton
        ref={button}
        place={place}
        aria-expanded={isOpen}
        onPointerEnter={() => void load()}
        onClick={() => setOpen((was) => !was)}
      >
        <span className="sr-only">Namespace: </span>
        <span className="font-normal text-text-3" aria-hidden="true">
          ns
        </span>
        <span className="min-w-0 truncate">{selected ?? 'All namespaces'}</span>
      </PickerButton>
      {isOpen && (
        <Optional what="The list of namespaces" onMissing={close}>
          <NamespaceMenu anchor={button} clusterId={clusterId} selected={selected} onClose={close} />
        </Optional>
      )}
    </>
  );
}

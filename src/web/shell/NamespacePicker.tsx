import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { splitHref } from '../../registry/path.ts';
import { useApp } from '../app/context.ts';
import { useCell } from '../state/state.ts';
import { focusedTab } from '../workspace/layout.ts';
import { namespaceHref } from '../workspace/namespace.ts';
import { parseSearch } from '../workspace/search.ts';
import { useMenuOverlay } from './use-overlay.ts';

const load = () => import('../ui/PickerMenu.tsx');
const PickerMenu = lazy(async () => ({ default: (await load()).PickerMenu }));
const everything = 'All namespaces';

/** The namespace of the focused list or graph; absent where the focused view shows no namespace of several. */
export function NamespacePicker() {
  const { workspace, registry, queries, kinds } = useApp();
  const href = useCell(workspace.state, (state) => focusedTab(state.layout).href);
  const clusterId = Number(registry.match(href)?.params.clusterId ?? 0);
  const hrefIn = (ns?: string) => namespaceHref(registry, kinds, href, ns);
  const isNamespaced = hrefIn() !== undefined;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const isKnown = useQuery(queries.clusters).data?.some((cluster) => cluster.id === clusterId) === true;
  const namespaces = useQuery({ ...queries.namespaces(clusterId), enabled: isNamespaced && isKnown });
  useMenuOverlay(isOpen);
  if (!isNamespaced) return null;

  const selected = parseSearch(splitHref(href).search).ns;
  const select = (ns: string) => {
    const next = hrefIn(ns);
    if (next !== undefined) workspace.setHref(focusedTab(workspace.state.get().layout).id, next, 'push');
  };
  const names = [
    ...new Set([
      ...(namespaces.data?.map((one) => one.name) ?? []),
      ...(selected === undefined ? [] : [selected]),
    ]),
  ];
  return (
    <>
      <button
        ref={button}
        type="button"
        className="picker w-only"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void load()}
        onClick={() => setOpen((was) => !was)}
      >
        <span className="vh">Namespace: </span>
        <span className="muted thin" aria-hidden="true">
          ns
        </span>
        <span className="trunc">{selected ?? everything}</span>
        <ChevronsUpDown className="chevs" size={13} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {isOpen && (
        <Suspense>
          <PickerMenu
            anchor={button}
            label="Namespaces"
            placeholder="Search namespaces..."
            emptyText={namespaces.isFetching ? 'Loading...' : 'No namespaces found'}
            entries={[
              { id: '', text: everything, content: <span className="grow">{everything}</span> },
              ...names.map((name) => ({
                id: name,
                text: name,
                content: <span className="grow trunc">{name}</span>,
              })),
            ]}
            selected={selected ?? ''}
            onSelect={select}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { Row } from '../../contract/live.ts';
import { sentenceOf } from '../../registry/execute.ts';
import { useApp } from '../app/context.ts';
import { kindOfObject } from '../kinds/declared.ts';
import { useLive } from '../data/live/use-live.ts';
import { useCell } from '../state/state.ts';
import { PlaceLink } from '../ui/Link.tsx';

/** The kind whose objects define kinds. */
const definitionKind = 'customresourcedefinition';

interface Definition {
  readonly crdName: string;
  readonly group: string;
  readonly kind: string;
}

/** What the rows of definitions say, by the ids of their columns in order. */
function definitionsIn(rows: Iterable<Row>, order: readonly string[]): Definition[] {
  const [name, group, kind] = ['name', 'group', 'kind'].map((id) => order.indexOf(id));
  const text = (cells: Row[1], at = -1) => String(cells[at] ?? '');
  return [...rows].map(([, cells]) => ({
    crdName: text(cells, name),
    group: text(cells, group),
    kind: text(cells, kind),
  }));
}

interface SidebarCustomProps {
  readonly clusterId: number;
  /** The place that shows, as `tabKey` gives it. */
  readonly here: string;
  readonly onChoose: () => void;
}

/**
 * The accordion of the cluster's own resources: the kind of each definition. Asked for once it is open, and followed
 * from then on.
 */
export function SidebarCustom({ clusterId, here, onChoose }: SidebarCustomProps) {
  const { live, queries, registry } = useApp();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { data, error } = useQuery({ ...queries.definitions(clusterId), enabled: isOpen });
  const list = useLive(isOpen ? { clusterId, kind: definitionKind } : undefined, isOpen);
  const order = useCell(live.connection, (connection) => connection.columns[definitionKind]);
  const followed =
    list?.complete === true && order !== undefined ? definitionsIn(list.rows.values(), order) : undefined;
  const asked = data?.map(({ metadata, spec }) => ({
    crdName: metadata.name,
    group: spec.group,
    kind: spec.names.kind,
  }));
  const definitions = followed ?? asked;
  // What has a file has a place of its own.
  const kinds = (definitions ?? [])
    .filter(({ group, kind }) => kindOfObject(`${group}/`, kind) === undefined)
    .sort((a, b) => a.kind.localeCompare(b.kind, 'en'));
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const said =
    definitions === undefined && error !== null
      ? sentenceOf(error)
      : definitions === undefined
        ? 'Loading...'
        : kinds.length === 0
          ? 'No custom resources'
          : undefined;
  return (
    <div>
      <h3>CRDs</h3>
      <button
        type="button"
        className="nav accordion"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Chevron size={14} strokeWidth={1.75} aria-hidden="true" />
        <span className="trunc">Custom Resources</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {said !== undefined && (
          <p className="side-none" role="status">
            {said}
          </p>
        )}
        {kinds.map(({ crdName, kind }) => {
          const href = registry.href('custom.list', { clusterId: String(clusterId), crdName });
          const isHere = href === here;
          return (
            <PlaceLink
              key={crdName}
              href={href}
              className={`nav within ${isHere ? 'on' : ''}`}
              aria-current={isHere ? 'page' : undefined}
              title={crdName}
              onClick={onChoose}
            >
              <span className="trunc">{kind}</span>
            </PlaceLink>
          );
        })}
      </div>
    </div>
  );
}

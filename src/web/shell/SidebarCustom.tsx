import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { sentenceOf } from '../../registry/execute.ts';
import { useApp } from '../app/context.ts';
import { kindOfObject } from '../data/kinds.ts';
import { PlaceLink } from '../ui/Link.tsx';

interface SidebarCustomProps {
  readonly clusterId: number;
  /** The place that shows, as `tabKey` gives it. */
  readonly here: string;
  readonly onChoose: () => void;
}

/** The accordion of the cluster's own resources: the kind of each definition. Asked for once it is open. */
export function SidebarCustom({ clusterId, here, onChoose }: SidebarCustomProps) {
  const { queries, registry } = useApp();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { data, error } = useQuery({ ...queries.definitions(clusterId), enabled: isOpen });
  // What has a file has a place of its own.
  const kinds = (data ?? [])
    .filter(({ spec }) => kindOfObject(`${spec.group}/`, spec.names.kind) === undefined)
    .sort((a, b) => a.spec.names.kind.localeCompare(b.spec.names.kind, 'en'));
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const said =
    data === undefined && error !== null
      ? sentenceOf(error)
      : data === undefined
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
        {kinds.map(({ metadata: { name: crdName }, spec }) => {
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
              <span className="trunc">{spec.names.kind}</span>
            </PlaceLink>
          );
        })}
      </div>
    </div>
  );
}

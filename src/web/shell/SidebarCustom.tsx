import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Optional } from '../kit/Optional.tsx';
import { sideEntry, sideHeading, sideName, sideNothing } from './sidebar-look.ts';
import { lazyPart } from '../kit/lazy-part.ts';

const CustomKinds = lazyPart(async () => (await import('./CustomKinds.tsx')).CustomKinds);

interface SidebarCustomProps {
  readonly clusterId: number;
  /** The place that shows, as `viewKey` gives it. */
  readonly here: string;
  readonly onChoose: () => void;
}

/**
 * The accordion of the cluster's own resources: the kind of each definition. Asked for once it is open, and followed
 * from then on.
 */
export function SidebarCustom({ clusterId, here, onChoose }: SidebarCustomProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const head = useRef<HTMLButtonElement>(null);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const coming = (
    <p className={sideNothing} role="status">
      Loading...
    </p>
  );
  return (
    <div>
      <h3 className={sideHeading}>CRDs</h3>
      <button
        ref={head}
        type="button"
        className={sideEntry({ kind: 'accordion' })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Chevron size={14} strokeWidth={1.75} aria-hidden="true" />
        <span className={sideName}>Custom Resources</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <Optional what="The list of custom resources" fallback={coming} onMissing={() => setOpen(false)}>
            <CustomKinds clusterId={clusterId} here={here} head={head} onChoose={onChoose} />
          </Optional>
        )}
      </div>
    </div>
  );
}

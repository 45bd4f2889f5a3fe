import { ChevronDown } from 'lucide-react';
import type { LogContainer } from './containers.ts';

/** What stands for every container in a choice. */
export const allContainers = '*';

const sorts: Readonly<Record<LogContainer['sort'], string>> = {
  main: '',
  init: ' (init)',
  sidecar: ' (sidecar)',
  ephemeral: ' (debug)',
};

interface ContainerSelectProps {
  readonly containers: readonly LogContainer[];
  readonly value: string;
  /** Offers all of them together as well. */
  readonly hasAll?: boolean;
  readonly onChoose: (name: string) => void;
}

/** The choice of a container. */
export function ContainerSelect({ containers, value, hasAll = false, onChoose }: ContainerSelectProps) {
  const isKnown = value === allContainers || containers.some(({ name }) => name === value);
  return (
    <span className="input sm select">
      <select aria-label="Container" value={value} onChange={(event) => onChoose(event.target.value)}>
        {hasAll && <option value={allContainers}>All containers</option>}
        {containers.map(({ name, sort }) => (
          <option key={name} value={name}>
            {name}
            {sorts[sort]}
          </option>
        ))}
        {!isKnown && <option value={value}>{value} (not there)</option>}
      </select>
      <ChevronDown className="chev" size={13} aria-hidden="true" />
    </span>
  );
}

import type { LogContainer } from './containers.ts';
import { LogChoice } from './LogControls.tsx';

/** The choice of all containers. */
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
    <LogChoice
      label="Container"
      value={value}
      choices={[
        ...(hasAll ? [{ value: allContainers, label: 'All containers' }] : []),
        ...containers.map(({ name, sort }) => ({ value: name, label: `${name}${sorts[sort]}` })),
        ...(isKnown ? [] : [{ value, label: `${value} (not there)` }]),
      ]}
      onChoose={onChoose}
    />
  );
}

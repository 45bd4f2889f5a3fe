import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { numberedNamespaces } from '../../../registry/numbered-namespaces.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { PickerMenu } from '../../kit/PickerMenu.tsx';
import { chooseNamespace } from '../../workspace/namespace.ts';
import { numberedOf } from '../../workspace/numbered.ts';
import { emptyTextOf } from '../../kit/empty-text.ts';

interface NamespaceMenuProps {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly clusterId: number;
  /** Undefined while all show. */
  readonly selected: string | undefined;
  readonly onClose: () => void;
}

/** The namespaces of a cluster to choose from: those with a number first, each with the key that shows it. */
export function NamespaceMenu({ anchor, clusterId, selected, onClose }: NamespaceMenuProps) {
  const { registry } = useCommands();
  const { queryClient, queries, kinds } = useData();
  const { workspace } = useWorkspace();
  const namespaces = useQuery(queries.namespaces(clusterId));
  const numbers = numberedOf({ queryClient, queries }, clusterId);
  const known = namespaces.data?.map(({ name }) => name) ?? [];
  const names = [...new Set([...known, ...(selected === undefined ? [] : [selected])])];
  const entry = (id: string, text: string, command: string | undefined) => ({
    id,
    text,
    content: (
      <>
        <span className="min-w-0 flex-1 truncate">{text}</span>
        {command !== undefined && (
          <span aria-hidden="true">
            <KeysOf id={command} />
          </span>
        )}
      </>
    ),
  });
  return (
    <PickerMenu
      anchor={anchor}
      label="Namespaces"
      placeholder="Search namespaces..."
      emptyText={emptyTextOf(
        namespaces,
        'No namespaces found',
        'The namespaces could not be loaded. Close and reopen this list to try again.',
      )}
      entries={[
        entry('', 'All namespaces', 'cluster.allNamespaces'),
        ...numbers.flatMap((name, at) =>
          name !== undefined && names.includes(name) ? [entry(name, name, numberedNamespaces[at])] : [],
        ),
        ...names.filter((name) => !numbers.includes(name)).map((name) => entry(name, name, undefined)),
      ]}
      selected={selected ?? ''}
      onSelect={(name) => chooseNamespace({ workspace, registry, kinds }, name === '' ? undefined : name)}
      onClose={onClose}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { numberedNamespaces } from '../../../registry/commands/numbered-namespaces.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWorkspace } from '../../workspace/port.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { PickerMenu } from '../../kit/PickerMenu.tsx';
import { chooseNamespace } from '../../workspace/namespace.ts';
import { numberedOf } from '../../workspace/numbered.ts';
import { useListDefaults } from './use-list-defaults.ts';
import { emptyTextOf } from '../../kit/empty-text.ts';

interface NamespaceMenuProps {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly clusterId: number;
  /** Undefined while all show. */
  readonly selected: string | undefined;
  readonly onClose: () => void;
}

/** The namespaces of a cluster to choose from: the person's favourites, then those with a number, each with the key that shows it. */
export function NamespaceMenu({ anchor, clusterId, selected, onClose }: NamespaceMenuProps) {
  const { registry } = useCommands();
  const { queryClient, queries, kinds } = useData();
  const { workspace } = useWorkspace();
  const namespaces = useQuery(queries.namespaces(clusterId));
  const numbers = numberedOf({ queryClient, queries }, clusterId);
  const known = namespaces.data?.map(({ name }) => name) ?? [];
  const favourites = useListDefaults(clusterId)?.favouriteNamespaces ?? [];
  const names = [...new Set([...known, ...(selected === undefined ? [] : [selected])])];
  const keyOf = (name: string) => {
    const at = numbers.indexOf(name);
    return at === -1 ? undefined : numberedNamespaces[at];
  };
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
        ...favourites.filter((name) => names.includes(name)).map((name) => entry(name, name, keyOf(name))),
        ...numbers.flatMap((name) =>
          name !== undefined && names.includes(name) && !favourites.includes(name)
            ? [entry(name, name, keyOf(name))]
            : [],
        ),
        ...names
          .filter((name) => !numbers.includes(name) && !favourites.includes(name))
          .map((name) => entry(name, name, undefined)),
      ]}
      selected={selected ?? ''}
      onSelect={(name) => chooseNamespace({ workspace, registry, kinds }, name === '' ? undefined : name)}
      onClose={onClose}
    />
  );
}

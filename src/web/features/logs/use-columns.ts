import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useData } from '../../data/port.ts';
import { columnLabel, columnsStore } from './columns.ts';
import { createFieldIndex, type KnownField } from './field-index.ts';
import type { FieldPath } from './json.ts';
import type { ShownColumn } from './LogColumns.tsx';
import type { ShownLog } from './use-log.ts';

interface ColumnsOptions {
  /** New lines change the width of columns only while the person is at the end of the log. */
  readonly isAtEnd: boolean;
  /** The columns named in the address. */
  readonly inAddress: readonly FieldPath[] | undefined;
  /** The workload for which a choice is remembered. */
  readonly memory: string | undefined;
  /** Takes a choice into the address; undefined for none. */
  readonly onChoose: (columns: readonly FieldPath[] | undefined) => void;
}

/** The columns of a log's lines of JSON, and what there is to choose from. */
export interface LogColumnsState {
  readonly chosen: readonly FieldPath[];
  readonly columns: readonly ShownColumn[];
  readonly fields: () => readonly KnownField[];
  readonly hasLevels: boolean;
  readonly hasJson: boolean;
  readonly choose: (columns: readonly FieldPath[]) => void;
}

/** Learns the fields of a log's lines as they come; a choice is in the address, and remembered for the workload. */
export function useColumns({ buffer, version }: ShownLog, options: ColumnsOptions): LogColumnsState {
  const { isAtEnd, inAddress, memory, onChoose } = options;
  const { queries } = useData();
  const userId = useQuery(queries.session).data?.id;
  const index = useMemo(
    () => createFieldIndex(),
    // oxlint-disable-next-line react/exhaustive-deps -- another log has other fields
    [buffer],
  );
  // A choice that the address does not show, since it never did, is read anew as well.
  const [choices, setChoices] = useState(0);
  // The known fields as a text, so that lines are drawn again only if the fields changed.
  const [learnt, setLearnt] = useState('');
  const remembered = useMemo(
    () =>
      userId === undefined || memory === undefined ? [] : columnsStore.read(localStorage, userId, memory),
    // oxlint-disable-next-line react/exhaustive-deps -- what was just chosen is stored anew
    [userId, memory, inAddress, choices],
  );
  const chosen = inAddress ?? remembered;
  const chosenText = JSON.stringify(chosen);
  useEffect(() => {
    if (isAtEnd) index.look(buffer);
    const widths = (JSON.parse(chosenText) as readonly FieldPath[]).map((path) => index.widthOf(path));
    setLearnt(JSON.stringify({ widths, hasLevels: index.hasLevels, hasJson: index.hasJson }));
  }, [index, buffer, version, isAtEnd, chosenText]);
  const columns = useMemo(
    () =>
      (JSON.parse(chosenText) as readonly FieldPath[]).map(
        (path): ShownColumn => ({ path, label: columnLabel(path), width: index.widthOf(path) }),
      ),
    // oxlint-disable-next-line react/exhaustive-deps -- it says when the widths are other ones
    [index, chosenText, learnt],
  );
  return {
    chosen,
    columns,
    fields: () => index.fields(),
    hasLevels: index.hasLevels,
    hasJson: index.hasJson || chosen.length > 0,
    choose(paths) {
      if (userId !== undefined && memory !== undefined)
        columnsStore.write(localStorage, userId, memory, paths);
      setChoices((count) => count + 1);
      onChoose(paths.length === 0 ? undefined : paths);
    },
  };
}

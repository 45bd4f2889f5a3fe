import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { useData } from '../../data/port.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { Flag } from '../../kit/marks.tsx';
import { Icon } from '../../kit/icons.tsx';
import { iconOfKind } from '../../core/kinds/listed.ts';
import type { PaletteOpening } from './opening.ts';
import { paletteChip } from './chip.ts';

const chip = paletteChip({ isExtra: true });

/** The subject of the palette: the selection or object at the moment it was opened, and the cluster. */
export const ContextChips = memo(function ContextChips({ opening }: { readonly opening: PaletteOpening }) {
  const { queries } = useData();
  const cluster = useQuery(queries.clusters).data?.find(({ id }) => id === opening.clusterId);
  const refs = opening.subject.type === 'objects' ? opening.subject.refs : undefined;
  const title = kindById(refs?.[0].kind ?? '')?.title.toLowerCase() ?? 'objects';
  return (
    <>
      {refs !== undefined && (
        <span className={chip}>
          <span className="sr-only">Acts on </span>
          <Icon name={iconOfKind(refs[0].kind)} size={13} />
          <span className="min-w-0 truncate">
            {refs.length === 1 ? refs[0].name : `${refs.length} ${title} selected`}
          </span>
        </span>
      )}
      {cluster !== undefined && (
        <span className={chip}>
          <span className="sr-only">in </span>
          <Flag colour={cluster.colour} />
          <span className="min-w-0 truncate">{cluster.name}</span>
        </span>
      )}
    </>
  );
});

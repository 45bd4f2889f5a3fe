import type { AttentionAffected } from '../../../contract/dashboard.ts';
import { affectedWords } from '../../core/kinds/affected.ts';
import { iconOfKind } from '../../core/kinds/listed.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { qualifiedName, refIn } from '../../features/actions/acting.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Icon } from '../../kit/icons.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';

/** The number of objects that wait for that of a line, short in a narrow card: the sentence beside it stays whole. */
export function AffectedCount({ affected }: Pick<AffectedListProps, 'affected'>) {
  const { noun, verb } = affectedWords(affected);
  return (
    <span>
      {affected.count}
      <span className="@max-[40rem]:sr-only"> {noun}</span> {verb}
      <span className="@max-[40rem]:sr-only"> for it</span>
    </span>
  );
}

/** The number of further objects with the same problem by the same cause. */
export function AlikeCount({ alike }: { readonly alike: AttentionAffected }) {
  return (
    <span>
      <span aria-hidden="true">+</span>
      {alike.count}
      <span className="@max-[40rem]:sr-only"> with the same cause</span>
    </span>
  );
}

interface AffectedListProps {
  readonly clusterId: number;
  readonly affected: AttentionAffected;
  /** The sentence that says what they are. */
  readonly label: string;
}

/** The objects for which a line stands. */
export function AffectedList({ clusterId, affected, label }: AffectedListProps) {
  const { objects, count } = affected;
  return (
    <ul
      className="col-span-full row-start-2 flex flex-wrap gap-x-3 pt-0.5 pb-1.5 @max-[40rem]:col-[2/-1] @max-[40rem]:row-start-3"
      aria-label={label}
    >
      {objects.map((one) => (
        <li key={`${one.kind} ${qualifiedName(one)}`} className="flex min-h-6 min-w-0 items-center gap-1.5">
          <span className="text-text-3" title={kindLabel(one.kind)}>
            <Icon name={iconOfKind(one.kind)} />
            <span className="sr-only">{kindLabel(one.kind)}</span>
          </span>
          <ObjectLink to={refIn(clusterId, one)}>
            <MiddleCut text={qualifiedName(one)} />
          </ObjectLink>
        </li>
      ))}
      {count > objects.length && (
        <li className="flex min-h-6 items-center text-text-2">and {count - objects.length} more</li>
      )}
    </ul>
  );
}

import type { AttentionAffected } from '../../../contract/dashboard.ts';
import { affectedText, affectedWords } from '../../core/kinds/affected.ts';
import { iconOfKind } from '../../core/kinds/listed.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { qualifiedName, refIn } from '../../features/actions/acting.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { Icon } from '../../kit/icons.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';

/** The number of objects for which a line stands, short in a narrow card: the sentence beside it stays whole. */
export function AffectedCount({ affected }: Pick<AffectedListProps, 'affected'>) {
  const { noun, verb, rest, short } = affectedWords(affected);
  return (
    <span>
      {affected.count}
      {[noun, verb, rest].map((word) => (
        <span key={word} className={word === short ? '' : '@max-[60rem]:sr-only'}>
          {' '}
          {word}
        </span>
      ))}
    </span>
  );
}

interface AffectedListProps {
  readonly clusterId: number;
  readonly affected: AttentionAffected;
}

/** The objects for which a line stands. */
export function AffectedList({ clusterId, affected }: AffectedListProps) {
  const { objects, count } = affected;
  return (
    <ul
      className="col-span-full row-start-2 flex min-w-0 flex-wrap gap-x-3 pt-0.5 pb-1.5 @max-[40rem]:col-[2/-1] @max-[40rem]:row-start-3"
      aria-label={affectedText(affected)}
    >
      {objects.map((one) => (
        <li key={`${one.kind} ${qualifiedName(one)}`} className="flex min-h-6 min-w-0 items-center gap-1.5">
          <span className="text-text-3" title={kindLabel(one.kind)}>
            <Icon name={iconOfKind(one.kind)} />
            <span className="sr-only">{kindLabel(one.kind)}</span>
          </span>
          <ObjectLink to={refIn(clusterId, one)} className="min-w-0">
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

import { Ban, FilePen, Plus, Rocket, Scaling } from 'lucide-react';
import type { DashboardChange } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { qualifiedName, refIn } from '../../features/actions/acting.ts';
import { kindById } from '../../core/kinds/declared.ts';
import { kindLabel } from '../../core/kinds/names.ts';
import { ObjectLink } from '../../frame/ObjectLink.tsx';
import { MiddleCut } from '../../kit/MiddleCut.tsx';
import { Card } from '../../kit/Card.tsx';
import { changeWords } from './model.ts';

/** A kind in few letters: a line holds the name of its object as well. */
const shortLabel = (kind: string) => kindById(kind)?.abbreviation ?? kindLabel(kind);

/** The icon of a change, by its type. */
const icons = {
  created: Plus,
  edited: FilePen,
  'rolled-out': Rocket,
  scaled: Scaling,
  cordoned: Ban,
} as const satisfies Readonly<Record<DashboardChange['what'], unknown>>;

const line = [
  'grid min-h-row grid-cols-[0.875rem_minmax(0,1fr)_max-content] items-center gap-2 px-3',
  'narrow:min-h-row-touch [&>svg]:text-text-3',
].join(' ');
/** Only the object's name gives way; a narrow card has it all on several lines. */
const sentenceLook = [
  'flex min-w-0 gap-1.25 truncate [&>:not(a)]:flex-none',
  '@max-[40rem]:flex-wrap @max-[40rem]:py-[0.1875rem] @max-[40rem]:whitespace-normal',
].join(' ');

interface ChangesCardProps {
  readonly clusterId: number;
  readonly changes: readonly DashboardChange[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** The latest changes of the objects that people edit, newest first. */
export function ChangesCard({ clusterId, changes, now }: ChangesCardProps) {
  if (changes.length === 0) return null;
  return (
    <Card title="Changes">
      <ul className="pb-1">
        {changes.map((change) => {
          const { who, did, to } = changeWords(change, shortLabel(change.on.kind));
          const Icon = icons[change.what];
          return (
            <li key={`${change.on.kind} ${qualifiedName(change.on)}`} className={line}>
              <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
              <span className={sentenceLook} title={`${who} ${did} ${qualifiedName(change.on)} ${to}`.trim()}>
                <b className="font-semibold">{who}</b>
                <span className="text-text-2">{did}</span>
                <ObjectLink to={refIn(clusterId, change.on)} className="min-w-12">
                  <MiddleCut text={qualifiedName(change.on)} />
                </ObjectLink>
                {to !== '' && <span className="text-text-2">{to}</span>}
              </span>
              <span className="text-right text-text-3">{formatAge(Math.max(0, now / 1000 - change.at))}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

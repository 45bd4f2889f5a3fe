import { Ban, FilePen, Plus, Rocket, Scaling } from 'lucide-react';
import type { DashboardChange } from '../../../contract/dashboard.ts';
import { formatAge } from '../../../kube/age.ts';
import { placeOf, refIn } from '../../actions/acting.ts';
import { kindLabel } from '../../kinds/names.ts';
import { ObjectLink } from '../../resource/detail/ObjectLink.tsx';
import { MiddleCut } from '../../ui/MiddleCut.tsx';
import { Card } from './Card.tsx';
import { changeWords } from './model.ts';

/** A kind in few letters: a line holds the name of its object as well. */
const shortLabel = (kind: string) => (kind === 'hpa' ? 'HPA' : kindLabel(kind));

/** What stands before a change, by what it was. */
const icons = {
  created: Plus,
  edited: FilePen,
  'rolled-out': Rocket,
  scaled: Scaling,
  cordoned: Ban,
} as const satisfies Readonly<Record<DashboardChange['what'], unknown>>;

interface ChangesCardProps {
  readonly clusterId: number;
  readonly changes: readonly DashboardChange[];
  /** The server's clock, ms. */
  readonly now: number;
}

/** What happened last to the objects that people change, newest first. */
export function ChangesCard({ clusterId, changes, now }: ChangesCardProps) {
  if (changes.length === 0) return null;
  return (
    <Card title="Changes">
      <ul className="changes">
        {changes.map((change) => {
          const { who, did, to } = changeWords(change, shortLabel(change.on.kind));
          const Icon = icons[change.what];
          return (
            <li key={`${change.on.kind} ${placeOf(change.on)}`}>
              <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
              <span className="change trunc" title={`${who} ${did} ${placeOf(change.on)} ${to}`.trim()}>
                <b>{who}</b>
                <span className="sec">{did}</span>
                <ObjectLink to={refIn(clusterId, change.on)}>
                  <MiddleCut text={placeOf(change.on)} />
                </ObjectLink>
                {to !== '' && <span className="sec">{to}</span>}
              </span>
              <span className="num muted">{formatAge(Math.max(0, now / 1000 - change.at))}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

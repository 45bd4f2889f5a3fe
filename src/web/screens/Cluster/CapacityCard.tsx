import type { Dashboard, UsageState } from '../../../contract/dashboard.ts';
import { UsageBar, usageTone } from '../../ui/UsageBar.tsx';
import { Card } from './Card.tsx';
import { type CapacityText, capacityText, storageText } from './model.ts';

interface CapacityCardProps {
  readonly capacity: Dashboard['capacity'];
  readonly storage: Dashboard['storage'];
  readonly usage: UsageState | null;
}

/** What of the nodes' capacity is used and requested, and what of the volumes is claimed. */
export function CapacityCard({ capacity, storage, usage }: CapacityCardProps) {
  if (capacity === null && storage === null) return null;
  return (
    <Card title="Capacity">
      <ul className="capacities">
        {capacity !== null && (
          <>
            <Line name="CPU" text={capacityText(capacity.cpu, 'cores')} />
            <Line name="Memory" text={capacityText(capacity.memory, 'bytes')} />
            <Line name="Pods" text={capacityText(capacity.pods, 'pods')} />
          </>
        )}
        {storage !== null && <Line name="Storage" text={storageText(storage)} isPlain />}
      </ul>
      {usage !== null && usage.status !== 'live' && usage.message !== null && (
        <p className="card-none sub">{usage.message}</p>
      )}
    </Card>
  );
}

interface LineProps {
  readonly name: string;
  readonly text: CapacityText;
  /** All of it taken is as good as half of it. */
  readonly isPlain?: true;
}

function Line({ name, text, isPlain }: LineProps) {
  const tone = isPlain === true ? '' : usageTone(text.share);
  return (
    <li>
      <div className="row">
        <b className="semi grow">{name}</b>
        <span className={tone === 'bad' ? 'crit' : tone === 'warn' ? 'hot' : ''}>{text.percent}</span>
      </div>
      <UsageBar
        share={text.share}
        mark={text.mark}
        isPlain={isPlain}
        label={[`${name}: ${text.percent}`, text.amount, text.requested].filter(Boolean).join(', ')}
      />
      <p className="row sub">
        <span className="grow">{text.amount}</span>
        {text.requested}
      </p>
    </li>
  );
}

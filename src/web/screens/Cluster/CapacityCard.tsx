import type { Dashboard } from '../../../contract/dashboard.ts';
import { UsageBar, usageTone, figureLook } from '../../kit/UsageBar.tsx';
import { Card } from '../../kit/Card.tsx';
import { type CapacityText, capacityText, partlyMeasured, storageText } from './model.ts';

interface CapacityCardProps {
  readonly of: Pick<Dashboard, 'capacity' | 'storage' | 'usage' | 'nodes'>;
}

/** The used and requested shares of the nodes' capacity, and the claimed share of the volumes. */
export function CapacityCard({ of: { capacity, storage, usage, nodes } }: CapacityCardProps) {
  if (capacity === null && storage === null) return null;
  const unread = usage !== null && usage.status !== 'live' ? usage.message : null;
  const note = unread ?? partlyMeasured(nodes ?? []);
  return (
    <Card title="Capacity">
      <ul className="flex flex-col gap-2.5 px-3 pb-2">
        {capacity !== null && (
          <>
            <Line name="CPU" text={capacityText(capacity.cpu, 'cores')} />
            <Line name="Memory" text={capacityText(capacity.memory, 'bytes')} />
            <Line name="Pods" text={capacityText(capacity.pods, 'pods')} />
          </>
        )}
        {storage !== null && <Line name="Storage" text={storageText(storage)} isPlain />}
      </ul>
      {note !== undefined && (
        <p className="flex items-center gap-1.5 px-3 pt-1 pb-2 text-xs text-text-3">{note}</p>
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
      <div className="flex min-w-0 items-center gap-1.5">
        <b className="min-w-0 flex-1 font-semibold">{name}</b>
        <span className={figureLook[tone]}>{text.percent}</span>
      </div>
      <UsageBar
        share={text.share}
        mark={text.mark}
        isPlain={isPlain}
        label={[`${name}: ${text.percent}`, text.amount, text.requested].filter(Boolean).join(', ')}
      />
      <p className="flex min-w-0 items-center gap-1.5 text-xs text-text-3">
        <span className="min-w-0 flex-1">{text.amount}</span>
        {text.requested}
      </p>
    </li>
  );
}

import { useId } from 'react';
import type { Dashboard, UsageState } from '../../../contract/dashboard.ts';
import { UsageBar, usageTone } from '../../ui/UsageBar.tsx';
import { capacityText } from './model.ts';

interface CapacityCardProps {
  readonly capacity: NonNullable<Dashboard['capacity']>;
  readonly usage: UsageState | null;
}

/** What of the nodes' capacity is used and requested. */
export function CapacityCard({ capacity, usage }: CapacityCardProps) {
  const id = useId();
  const lines = [
    { name: 'CPU', text: capacityText(capacity.cpu, 'cores') },
    { name: 'Memory', text: capacityText(capacity.memory, 'bytes') },
    { name: 'Pods', text: capacityText(capacity.pods, 'pods') },
  ];
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>Capacity</h2>
      <ul className="capacities">
        {lines.map(({ name, text }) => {
          const tone = usageTone(text.share);
          return (
            <li key={name}>
              <div className="row">
                <b className="semi grow">{name}</b>
                <span className={tone === 'bad' ? 'crit' : tone === 'warn' ? 'hot' : ''}>{text.percent}</span>
              </div>
              <UsageBar
                share={text.share}
                mark={text.mark}
                label={[`${name}: ${text.percent}`, text.amount, text.requested].filter(Boolean).join(', ')}
              />
              <p className="row sub">
                <span className="grow">{text.amount}</span>
                {text.requested}
              </p>
            </li>
          );
        })}
      </ul>
      {usage !== null && usage.status !== 'live' && usage.message !== null && (
        <p className="card-none sub">{usage.message}</p>
      )}
    </section>
  );
}

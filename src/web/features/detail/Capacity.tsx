import type { JoinedValues } from '../../../contract/live.ts';
import { formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { UsageBar, usageTone } from '../../kit/UsageBar.tsx';
import { Section } from '../../kit/Section.tsx';

interface CapacityProps {
  readonly object: KubeObject;
  readonly joined: JoinedValues;
}

interface WithCapacity extends KubeObject {
  readonly status?: {
    readonly capacity?: Readonly<Record<string, string>>;
    readonly allocatable?: Readonly<Record<string, string>>;
  };
}

const numberText = (value: number) => String(value);

/** The capacity of a node, its allocatable part, and its usage. */
export function Capacity({ object, joined }: CapacityProps) {
  const { capacity = {}, allocatable = {} } = (object as WithCapacity).status ?? {};
  const lines = [
    { name: 'CPU', key: 'cpu', used: joined.usage?.cpu, text: formatCores },
    { name: 'Memory', key: 'memory', used: joined.usage?.memory, text: formatBytes },
    { name: 'Pods', key: 'pods', used: joined.podsOfNode, text: numberText },
    { name: 'Ephemeral storage', key: 'ephemeral-storage', used: undefined, text: formatBytes },
  ].flatMap(({ key, ...line }) => {
    const most = parseQuantity(allocatable[key]);
    return most === undefined ? [] : [{ ...line, most, all: parseQuantity(capacity[key]) ?? most }];
  });
  if (lines.length === 0) return null;
  const { usage } = joined;
  return (
    <Section title="Capacity" about={usage?.status === 'live' ? 'used of what pods may take' : undefined}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(12rem,1fr))] gap-x-6 gap-y-2.5">
        {lines.map(({ name, used, most, all, text }) => {
          const share = used === undefined || used === null || most === 0 ? undefined : used / most;
          const tone = usageTone(share);
          return (
            <li key={name}>
              <div className="flex min-w-0 items-center gap-1.5">
                <b className="min-w-0 flex-1 font-semibold">{name}</b>
                {share !== undefined && (
                  <span
                    data-tone={tone === '' ? undefined : tone}
                    className="data-tone:font-semibold data-tone:text-tone-fg"
                  >
                    {Math.round(share * 100)}%
                  </span>
                )}
              </div>
              {share !== undefined && (
                <UsageBar share={share} label={`${name}: ${Math.round(share * 100)} percent used`} />
              )}
              <p className="text-xs text-text-3">
                {used === undefined || used === null ? text(most) : `${text(used)} of ${text(most)}`}
                {all !== most && `, ${text(all)} in all`}
              </p>
            </li>
          );
        })}
      </ul>
      {usage !== undefined && usage.status !== 'live' && usage.message !== null && (
        <p className="text-xs text-text-3">{usage.message}</p>
      )}
    </Section>
  );
}

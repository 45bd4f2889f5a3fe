import { Fragment } from 'react';
import type { JoinedValues } from '../../../contract/live.ts';
import { formatAge } from '../../../kube/age.ts';
import { coresText, formatBytes, formatCores } from '../../../kube/format-quantity.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kind.ts';
import { Section } from '../../kit/Section.tsx';
import { gapAfter } from './chart.ts';
import { usageLines } from './limits.ts';
import { summaryOf } from './summary.ts';
import { UsageChart } from './UsageChart.tsx';

interface UsageSectionProps {
  readonly usage: NonNullable<JoinedValues['usage']>;
  readonly kind: Pick<AnyKind, 'usage'>;
  readonly object: KubeObject;
}

const cell = 'py-0.5 pr-5 text-left';
/** Rows of the table of figures. */
const mostRows = 40;

/** The CPU and memory usage of an object, over the time in which somebody looked at it. */
export function UsageSection({ usage, kind, object }: UsageSectionProps) {
  const { history, pods } = usage;
  if (usage.status === 'loading') return null;
  if ([...history.cpu, ...history.memory].every((value) => value === null)) {
    const otherwise = pods === 0 ? 'None of its pods is measured now.' : 'Nothing is measured yet.';
    return (
      <Section title="Usage">
        <p className="text-xs text-text-3">
          {usage.message ?? (usage.status === 'live' ? otherwise : 'Usage is not known.')}
        </p>
      </Section>
    );
  }
  const series = [
    {
      name: 'CPU',
      resource: 'cpu' as const,
      values: history.cpu,
      format: coresText,
    },
    { name: 'Memory', resource: 'memory' as const, values: history.memory, format: formatBytes },
  ];
  const about =
    pods === undefined
      ? undefined
      : pods === 0
        ? 'none of its pods is measured now'
        : pods === 1
          ? 'of 1 pod'
          : `of ${pods} pods together`;
  return (
    <Section title="Usage" about={about}>
      {usage.status !== 'live' && usage.message !== null && (
        <p className="text-xs text-text-3">{usage.message}</p>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(16rem,1fr))] gap-x-5 gap-y-3">
        {series.map(({ name, resource, values, format }) => {
          const lines = usageLines(kind.usage, object, resource, pods);
          const summary = summaryOf(name, { times: history.times, values }, lines, format);
          return (
            <figure key={name} className="min-w-0">
              <UsageChart times={history.times} values={values} lines={lines} summary={summary} />
              <figcaption className="pt-1 text-(length:--text-xs) text-text-2">{summary}</figcaption>
            </figure>
          );
        })}
      </div>
      <details className="pt-2 text-(length:--text-xs)">
        <summary>Figures</summary>
        <table className="mt-1">
          <thead>
            <tr>
              <th scope="col" className={cell}>
                Time
              </th>
              <th scope="col" className={cell}>
                CPU, cores
              </th>
              <th scope="col" className={cell}>
                Memory
              </th>
            </tr>
          </thead>
          <tbody>
            {history.times
              .map((time, index) => ({
                time,
                gap: time - (history.times[index - 1] ?? time),
                cpu: history.cpu[index],
                memory: history.memory[index],
              }))
              .slice(-mostRows)
              .reverse()
              .map(({ time, gap, cpu, memory }) => (
                <Fragment key={time}>
                  <tr>
                    <td className={cell}>{new Date(time * 1000).toLocaleTimeString()}</td>
                    <td className={cell}>
                      {cpu === null || cpu === undefined ? 'not measured' : formatCores(cpu)}
                    </td>
                    <td className={cell}>
                      {memory === null || memory === undefined ? 'not measured' : formatBytes(memory)}
                    </td>
                  </tr>
                  {gap > gapAfter && (
                    <tr>
                      <td className={`text-text-2 ${cell}`} colSpan={3}>
                        Nobody looked for {formatAge(gap)}
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
          </tbody>
        </table>
      </details>
    </Section>
  );
}

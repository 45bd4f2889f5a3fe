import '../styles/metrics.css';
import { Fragment } from 'react';
import type { JoinedValues } from '../../contract/live.ts';
import { formatAge } from '../../kube/age.ts';
import { coresText, formatBytes, formatCores } from '../../kube/format-quantity.ts';
import type { KubeObject } from '../../kube/object.ts';
import { Section } from '../resource/detail/Section.tsx';
import { gapAfter } from './chart.ts';
import { usageLines } from './limits.ts';
import { summaryOf } from './summary.ts';
import { UsageChart } from './UsageChart.tsx';

interface UsageSectionProps {
  readonly usage: NonNullable<JoinedValues['usage']>;
  readonly kindId: string;
  readonly object: KubeObject;
}

/** Rows of the table of figures. */
const mostRows = 40;

/** What an object uses of processor and memory, over the time that anybody looked. */
export function UsageSection({ usage, kindId, object }: UsageSectionProps) {
  const { history, pods } = usage;
  if (usage.status === 'loading') return null;
  if ([...history.cpu, ...history.memory].every((value) => value === null)) {
    const otherwise = pods === 0 ? 'None of its pods is measured now.' : 'Nothing is measured yet.';
    return (
      <Section title="Usage">
        <p className="sub">
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
      {usage.status !== 'live' && usage.message !== null && <p className="sub">{usage.message}</p>}
      <div className="usage-charts">
        {series.map(({ name, resource, values, format }) => {
          const lines = usageLines(kindId, object, resource, pods);
          const summary = summaryOf(name, { times: history.times, values }, lines, format);
          return (
            <figure key={name}>
              <UsageChart times={history.times} values={values} lines={lines} summary={summary} />
              <figcaption>{summary}</figcaption>
            </figure>
          );
        })}
      </div>
      <details className="usage-figures">
        <summary>Figures</summary>
        <table className="tbl-plain">
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">CPU, cores</th>
              <th scope="col">Memory</th>
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
                    <td>{new Date(time * 1000).toLocaleTimeString()}</td>
                    <td>{cpu === null || cpu === undefined ? 'not measured' : formatCores(cpu)}</td>
                    <td>{memory === null || memory === undefined ? 'not measured' : formatBytes(memory)}</td>
                  </tr>
                  {gap > gapAfter && (
                    <tr>
                      <td className="sec" colSpan={3}>
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

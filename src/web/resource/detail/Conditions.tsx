import { Fragment } from 'react';
import { formatAge } from '../../../kube/age.ts';
import type { Condition, KubeObject } from '../../../kube/object.ts';
import { StatusText } from '../../ui/marks.tsx';
import { conditionTone } from './condition-tone.ts';
import { Section } from './Section.tsx';

interface ConditionsProps {
  readonly object: KubeObject;
  /** The server's clock, ms. */
  readonly now: number;
}

/** `status.conditions`, the worst first. */
export function Conditions({ object, now }: ConditionsProps) {
  const { status } = object as { readonly status?: { readonly conditions?: readonly Condition[] } };
  const conditions = [...(status?.conditions ?? [])].sort(
    (a, b) => Number(conditionTone(b) === 'warn') - Number(conditionTone(a) === 'warn'),
  );
  if (conditions.length === 0) return null;
  return (
    <Section title="Conditions">
      <table className="plain conditions">
        <thead>
          <tr>
            {['Type', 'Status', 'Reason', 'Since'].map((heading) => (
              <th key={heading} scope="col">
                <span className="vh">{heading}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {conditions.map((condition) => {
            const since = Date.parse(condition.lastTransitionTime ?? '');
            const tone = conditionTone(condition);
            const { message = '' } = condition;
            // What is well says so in one line.
            const isLoud = tone === 'warn' && message !== '';
            return (
              <Fragment key={condition.type}>
                <tr className={isLoud ? 'goes-on' : undefined}>
                  <th scope="row">{condition.type}</th>
                  <td>
                    <StatusText tone={tone} label={condition.status} />
                  </td>
                  <td className="reason trunc" title={message === '' ? undefined : message}>
                    {condition.reason ?? <span className="dim">–</span>}
                    {!isLoud && message !== '' && <span className="muted"> {message}</span>}
                  </td>
                  <td className="num sec">{Number.isNaN(since) ? '–' : formatAge((now - since) / 1000)}</td>
                </tr>
                {isLoud && (
                  <tr>
                    <td className="sec break" colSpan={4}>
                      {message}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}

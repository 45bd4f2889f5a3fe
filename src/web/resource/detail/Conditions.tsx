import { Fragment } from 'react';
import { formatAge } from '../../../kube/age.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { KindFacts } from '../../../registry/kind-facts.ts';
import { StatusText } from '../../ui/marks.tsx';
import { conditionLines } from './condition-tone.ts';
import { Section } from './Section.tsx';

interface ConditionsProps {
  readonly kind: Pick<KindFacts, 'group' | 'kind' | 'custom'>;
  readonly object: KubeObject;
  /** The server's clock, ms. */
  readonly now: number;
}

/** The conditions of an object and of its parts, the worst first. */
export function Conditions({ kind, object, now }: ConditionsProps) {
  const conditions = conditionLines(kind, object);
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
          {conditions.map(({ of, type, status = 'True', reason, message = '', since, tone }, index) => {
            // What is well says so in one line.
            const isLoud = (tone === 'warn' || tone === 'bad') && message !== '';
            return (
              // Nothing keeps an object from having two conditions of one type.
              <Fragment key={`${of} ${type} ${index}`}>
                <tr className={isLoud ? 'goes-on' : undefined}>
                  <th scope="row">
                    {of !== '' && <span className="sec">{of}: </span>}
                    {type}
                  </th>
                  <td>
                    <StatusText tone={tone} label={status} />
                  </td>
                  <td className="reason trunc" title={message === '' ? undefined : message}>
                    {reason !== '' ? reason : <span className="dim">–</span>}
                    {!isLoud && message !== '' && <span className="muted"> {message}</span>}
                  </td>
                  <td className="num sec">{since === undefined ? '–' : formatAge(now / 1000 - since)}</td>
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

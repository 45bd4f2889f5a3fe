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
            <th scope="col">Type</th>
            <th scope="col">Status</th>
            <th scope="col">Reason</th>
            <th scope="col" className="num">
              Since
            </th>
          </tr>
        </thead>
        <tbody>
          {conditions.map((condition) => {
            const since = Date.parse(condition.lastTransitionTime ?? '');
            return (
              <tr key={condition.type}>
                <th scope="row">{condition.type}</th>
                <td>
                  <StatusText tone={conditionTone(condition)} label={condition.status} />
                </td>
                <td>
                  {condition.reason ?? <span className="dim">–</span>}
                  {condition.message !== undefined && condition.message !== '' && (
                    <p className="sub">{condition.message}</p>
                  )}
                </td>
                <td className="num sec">{Number.isNaN(since) ? '–' : formatAge((now - since) / 1000)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}

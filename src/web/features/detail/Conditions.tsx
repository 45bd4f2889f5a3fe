import { Fragment } from 'react';
import { formatAge } from '../../../kube/age.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { StatusText } from '../../kit/marks.tsx';
import { conditionLines } from './condition-tone.ts';
import { Section } from '../../kit/Section.tsx';

interface ConditionsProps {
  readonly kind: Pick<KindFacts, 'group' | 'kind' | 'custom'>;
  readonly object: KubeObject;
  /** The server's clock, ms. */
  readonly now: number;
}

const lineLook = 'group/line hover:bg-row-hover';
const cellLook = 'px-2 align-top first:pl-0 last:pr-0';
/** A line below, but for the last. */
const openBorder = 'border-b border-hairline group-last/line:border-b-0';

/** The conditions of an object and of its parts, the worst first. */
export function Conditions({ kind, object, now }: ConditionsProps) {
  const conditions = conditionLines(kind, object);
  if (conditions.length === 0) return null;
  return (
    <Section title="Conditions">
      <table className="w-full border-collapse text-(length:--text-sm)">
        <thead>
          <tr>
            {['Type', 'Status', 'Reason', 'Since'].map((heading) => (
              <th key={heading} scope="col" className="px-2 py-0 first:pl-0 last:pr-0">
                <span className="sr-only">{heading}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {conditions.map(({ of, type, status = 'True', reason, message = '', since, tone }, index) => {
            // A healthy condition needs one line only.
            const isLoud = (tone === 'warn' || tone === 'bad') && message !== '';
            const cell = isLoud ? `${cellLook} pt-1.5` : `${cellLook} ${openBorder} py-1.5`;
            return (
              // Nothing keeps an object from having two conditions of one type.
              <Fragment key={`${of} ${type} ${index}`}>
                <tr className={lineLook}>
                  <th scope="row" className={`${cell} text-left font-medium whitespace-nowrap`}>
                    {of !== '' && <span className="text-text-2">{of}: </span>}
                    {type}
                  </th>
                  <td className={cell}>
                    <StatusText tone={tone} label={status} />
                  </td>
                  <td
                    className={`${cell} w-[99%] max-w-0 overflow-hidden text-ellipsis whitespace-nowrap narrow:wrap-anywhere narrow:whitespace-normal`}
                    title={message === '' ? undefined : message}
                  >
                    {reason !== '' ? reason : <span className="font-normal text-text-3">–</span>}
                    {!isLoud && message !== '' && <span className="text-text-3"> {message}</span>}
                  </td>
                  <td className={`${cell} text-right text-text-2`}>
                    {since === undefined ? '–' : formatAge(now / 1000 - since)}
                  </td>
                </tr>
                {isLoud && (
                  <tr className={lineLook}>
                    <td className={`${openBorder} pb-1.5 wrap-anywhere text-text-2`} colSpan={4}>
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

import type { KubeObject } from '../../../kube/object.ts';
import { Breakable } from '../../ui/Breakable.tsx';
import { StatusText } from '../../ui/marks.tsx';
import { containerLines } from './containers.ts';
import { Section } from './Section.tsx';

interface ContainersProps {
  readonly object: KubeObject;
  /** The server's clock, ms. */
  readonly now: number;
}

/** The containers of a pod with their states, or those a workload's pods will have. */
export function Containers({ object, now }: ContainersProps) {
  const lines = containerLines(object, now);
  if (lines.length === 0) return null;
  return (
    <Section title="Containers" about={lines.length}>
      <ul className="containers">
        {lines.map(({ name, isInit, image, status, note, restarts = 0, ports, resources }) => (
          <li key={`${isInit ? 'init ' : ''}${name}`}>
            <div className="row wrap">
              <b className="semi">{name}</b>
              {isInit && <span className="badge">init</span>}
              {status !== undefined && <StatusText {...status} />}
              {restarts > 0 && (
                <span className="sec">{restarts === 1 ? '1 restart' : `${restarts} restarts`}</span>
              )}
            </div>
            <div className="mono break">
              <Breakable text={image} />
            </div>
            {note !== undefined && <p className="lines sec">{note}</p>}
            {(ports.length > 0 || resources.length > 0) && (
              <p className="sub">{[...ports, ...resources].join(' · ')}</p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

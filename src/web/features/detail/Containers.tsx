import { imagePage } from '../../../kube/image-page.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { Badge } from '../../kit/Badge.tsx';
import { Breakable } from '../../kit/Breakable.tsx';
import { Linked } from '../../kit/SafeLink.tsx';
import { StatusText } from '../../kit/marks.tsx';
import { containerLines } from './containers.ts';
import { Section } from '../../kit/Section.tsx';

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
      <ul>
        {lines.map(({ name, isInit, image, status, note, restarts = 0, ports, resources }) => (
          <li
            key={`${isInit ? 'init ' : ''}${name}`}
            className="not-first:mt-2 not-first:border-t not-first:border-hairline not-first:pt-2"
          >
            <div className="flex min-w-0 flex-wrap items-center gap-1.5">
              <b className="font-semibold wrap-anywhere">{name}</b>
              {isInit && <Badge>init</Badge>}
              {status !== undefined && <StatusText {...status} />}
              {restarts > 0 && (
                <span className="text-text-2">{restarts === 1 ? '1 restart' : `${restarts} restarts`}</span>
              )}
            </div>
            <div className="mono wrap-anywhere">
              <Linked to={imagePage(image)}>
                <Breakable text={image} />
              </Linked>
            </div>
            {note !== undefined && <p className="wrap-anywhere whitespace-pre-line text-text-2">{note}</p>}
            {(ports.length > 0 || resources.length > 0) && (
              <p className="text-xs text-text-3">{[...ports, ...resources].join(' · ')}</p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

import type { ReactNode } from 'react';
import type { ObjectRef } from '../../../registry/command.ts';
import { objectPath } from '../../data/object-path.ts';
import { PlaceLink } from '../../ui/Link.tsx';

interface ObjectLinkProps {
  readonly to: ObjectRef | undefined;
  readonly children: ReactNode;
}

/** The name of an object, as a link where the console has a page for it. */
export function ObjectLink({ to, children }: ObjectLinkProps) {
  const path = to === undefined ? undefined : objectPath(to);
  return path === undefined ? (
    children
  ) : (
    <PlaceLink className="link" href={path}>
      {children}
    </PlaceLink>
  );
}

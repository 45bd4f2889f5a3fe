import type { ReactNode } from 'react';
import type { ObjectRef } from '../../registry/commands/invocation.ts';
import { objectPath } from '../data/object-path.ts';
import { linkLook, PlaceLink } from '../kit/Link.tsx';

interface ObjectLinkProps {
  readonly to: ObjectRef | undefined;
  /** Looks like the text around it until it is pointed at: its column says that it leads somewhere. */
  readonly isPlain?: boolean;
  readonly children: ReactNode;
  /** Classes that the surroundings add: margin, flex, width. */
  readonly className?: string;
}

/** The name of an object, as a link where the console has a page for it. */
export function ObjectLink({ to, isPlain = false, className = '', children }: ObjectLinkProps) {
  const path = to === undefined ? undefined : objectPath(to);
  return path === undefined ? (
    children
  ) : (
    <PlaceLink className={`${isPlain ? 'text-inherit hover:underline' : linkLook} ${className}`} href={path}>
      {children}
    </PlaceLink>
  );
}

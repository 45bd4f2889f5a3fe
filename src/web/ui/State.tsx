import type { ReactNode } from 'react';

interface StateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly role?: 'status' | 'alert';
  /** 1 where it is all the screen says. */
  readonly level?: 1 | 2;
}

/** What shows where there is nothing to show: says what, where and what next. */
export function State({ icon, title, children, actions, role = 'status', level = 2 }: StateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="state" role={role}>
      {icon}
      <Heading>{title}</Heading>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  );
}

import type { ReactNode } from 'react';

interface StateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly role?: 'status' | 'alert';
}

/** What shows where there is nothing to show: says what, where and what next. */
export function State({ icon, title, children, actions, role = 'status' }: StateProps) {
  return (
    <div className="state" role={role}>
      {icon}
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  );
}

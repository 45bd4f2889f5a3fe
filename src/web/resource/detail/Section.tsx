import { type ReactNode, useId } from 'react';

interface SectionProps {
  readonly title: string;
  /** Muted behind the title. */
  readonly about?: ReactNode;
  readonly children: ReactNode;
}

/** One section of a detail page. */
export function Section({ title, about, children }: SectionProps) {
  const id = useId();
  return (
    <section className="sect" aria-labelledby={id}>
      <h2 id={id}>
        {title} {about !== undefined && <span className="muted">{about}</span>}
      </h2>
      {children}
    </section>
  );
}

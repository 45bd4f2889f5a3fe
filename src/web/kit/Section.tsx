import { type ReactNode, useId } from 'react';

/** The room of a section and the line below it. */
export const sectionLook = 'border-b border-hairline px-3 pt-2.5 pb-3';

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
    <section className={sectionLook} aria-labelledby={id}>
      <h2 id={id} className="mb-1.5 text-xs font-semibold">
        {title} {about !== undefined && <span className="font-normal text-text-3">{about}</span>}
      </h2>
      {children}
    </section>
  );
}

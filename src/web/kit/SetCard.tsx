import { type ReactNode, useId } from 'react';
import { cardLook } from './card.ts';

/** Cards of settings below each other. */
export function SetList({ children }: { readonly children: ReactNode }) {
  return <div className="flex max-w-216 flex-col gap-3">{children}</div>;
}

/** A card is named by its heading, or has none and a name of its own. */
type SetCardProps = (
  | { readonly title: string; readonly label?: never }
  | { readonly title?: never; readonly label: string }
) & {
  /** The name of the section in an address. */
  readonly section?: string;
  readonly children: ReactNode;
};

/** A card of settings, or of something that is tried out. */
export function SetCard({ title, label, section, children }: SetCardProps) {
  const id = useId();
  return (
    <section
      className={`flex flex-col gap-3 px-4 pt-3.5 pb-4 ${cardLook}`}
      data-section={section}
      {...(title === undefined ? { 'aria-label': label } : { 'aria-labelledby': id })}
    >
      {title !== undefined && (
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
      )}
      {children}
    </section>
  );
}

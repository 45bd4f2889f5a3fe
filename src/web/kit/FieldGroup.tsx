import type { FieldsetHTMLAttributes, ReactNode, Ref } from 'react';

interface FieldGroupProps extends FieldsetHTMLAttributes<HTMLFieldSetElement> {
  readonly label: ReactNode;
  readonly ref?: Ref<HTMLFieldSetElement>;
}

/** Fields that belong together, one below the other, under a name of their own. */
export function FieldGroup({ label, className = '', children, ...rest }: FieldGroupProps) {
  return (
    <fieldset {...rest} className={`flex min-w-0 flex-col gap-1.5 ${className}`}>
      <legend className="pb-1 text-(length:--text-xs) font-medium text-text-2">{label}</legend>
      {children}
    </fieldset>
  );
}

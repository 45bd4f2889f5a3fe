import { ChevronDown } from 'lucide-react';
import type {
  HTMLAttributes,
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'react';
import { cva, type VariantProps } from 'class-variance-authority';

/** The box around something that is typed or chosen; it takes the focus ring in place of its border. */
export const inputLook = cva(
  [
    'rounded-sm border border-control bg-surface',
    'focus-within:border-transparent focus-within:outline-2 focus-within:outline-offset-0 focus-within:outline-focus',
    'has-[>:disabled]:not-aria-busy:border-border has-[>:disabled]:not-aria-busy:bg-sunken has-[>:disabled]:not-aria-busy:text-text-disabled',
    'data-invalid:border-bad',
  ],
  {
    variants: {
      size: {
        sm: 'flex h-control-sm min-w-0 items-center gap-1.5 px-1.5 text-(length:--text-xs) narrow:h-9 narrow:text-(length:--text-md)',
        md: 'flex h-control-md min-w-0 items-center gap-1.5 px-2 narrow:h-9 narrow:text-(length:--text-md)',
        lg: 'flex h-control-lg min-w-0 items-center gap-1.5 px-2.5 text-(length:--text-md)',
        area: 'mono block w-full resize-y p-2 leading-4.5 placeholder:text-text-3 placeholder:opacity-100',
      },
      /** Something that can be dropped here is held over it. */
      isOver: { true: 'outline-2 -outline-offset-4 outline-accent outline-dashed' },
    },
    defaultVariants: { size: 'md' },
  },
);

/** A field inside a box: it fills the box and has no look of its own. */
export const innerInput =
  'h-full min-w-0 flex-1 border-0 bg-transparent p-0 text-ellipsis outline-0 placeholder:text-text-3 placeholder:opacity-100';

interface InputBoxProps extends HTMLAttributes<HTMLSpanElement> {
  readonly size?: 'sm' | 'md' | 'lg';
  readonly isInvalid?: boolean;
}

/** The box of a field: what stands in it is an `Input`, and icons or buttons beside it. */
export function InputBox({ size, isInvalid = false, className, ...rest }: InputBoxProps) {
  return <span {...rest} className={inputLook({ size, className })} data-invalid={isInvalid || undefined} />;
}

interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly ref?: Ref<HTMLInputElement>;
}

/** A line of text inside of an `InputBox`. */
export function Input({ className = '', ...rest }: InputProps) {
  return <input {...rest} className={`${innerInput} ${className}`} />;
}

interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly isInvalid?: boolean;
  readonly isOver?: VariantProps<typeof inputLook>['isOver'];
}

/** Several lines of a file. */
export function TextArea({ isInvalid = false, isOver, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      {...rest}
      className={inputLook({ size: 'area', isOver, className })}
      aria-invalid={isInvalid || undefined}
      data-invalid={isInvalid || undefined}
    />
  );
}

interface NativeSelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  /** Of the box. */
  readonly className?: string;
}

/** The browser's own select in a box, small: for bars, where a label stands in the way. */
export function NativeSelect({ className, children, ...rest }: NativeSelectProps) {
  return (
    <InputBox size="sm" className={className}>
      <select
        {...rest}
        className={`${innerInput} appearance-none has-[>option:disabled:checked]:text-text-3 [&>option]:bg-overlay [&>option]:text-text`}
      >
        {children}
      </select>
      <ChevronDown className="pointer-events-none ml-auto text-text-3" size={13} aria-hidden="true" />
    </InputBox>
  );
}

interface CheckLineProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  readonly children: ReactNode;
}

/** A box to check with its words, both of which take the press. `className` is the line's. */
export function CheckLine({ children, className = '', ...input }: CheckLineProps) {
  return (
    <label
      className={`inline-flex min-h-6 items-center gap-1.25 text-(length:--text-xs) whitespace-nowrap text-text-2 ${className}`}
    >
      <input {...input} type="checkbox" />
      {children}
    </label>
  );
}

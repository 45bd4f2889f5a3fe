import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

export const buttonVariants = [
  'primary',
  'secondary',
  'success',
  'error',
  'danger',
  'warning',
  'info',
  'light',
  'dark',
  'transparent',
  'outline',
] as const;
export type ButtonVariant = (typeof buttonVariants)[number];
export const buttonSizes = ['sm', 'md', 'lg'] as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant;
  readonly size?: (typeof buttonSizes)[number];
  readonly icon?: ReactNode;
  readonly iconSide?: 'left' | 'right';
  readonly isLoading?: boolean;
  /** What a loading button says. */
  readonly loadingText?: string;
  /** Why it cannot be pressed; shown as its tooltip. */
  readonly reason?: string | undefined;
  /** Does what its dialog asks about: mod+Enter presses it from anywhere in there. */
  readonly acts?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** The action button. While loading it shows a spinner, cannot be pressed, and is never narrower than before. */
export function Button({
  variant = 'primary',
  size = 'md',
  icon,
  iconSide = 'left',
  isLoading = false,
  loadingText = 'Loading...',
  reason,
  acts = false,
  className = '',
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  const isOff = disabled === true || isLoading || reason !== undefined;
  const content = (
    <>
      {iconSide === 'left' && icon}
      {children}
      {iconSide === 'right' && icon}
    </>
  );
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- the caller's type, `button` by default
      type={type}
      className={`btn ${size === 'md' ? '' : size} b-${variant} ${className}`}
      disabled={isOff}
      aria-busy={isLoading || undefined}
      data-acts={acts ? '' : undefined}
      title={reason ?? rest.title}
    >
      {isLoading ? (
        // Both in one place: what it says otherwise is not seen, and keeps its room.
        <span className="busy">
          <span>
            <LoaderCircle className="spin" size={14} aria-hidden="true" />
            {loadingText}
          </span>
          <span>{content}</span>
        </span>
      ) : (
        content
      )}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'iconSide' | 'children'> {
  /** Its name; with its keys it is the tooltip. */
  readonly label: string;
  readonly keyHint?: string | undefined;
  readonly children: ReactNode;
}

/** A button of an icon alone: named, with a tooltip that tells its keys. */
export function IconButton({ label, keyHint, className = '', children, ...rest }: IconButtonProps) {
  return (
    <Button
      variant="transparent"
      loadingText=""
      {...rest}
      className={`icon ${className}`}
      aria-label={label}
      data-tip={keyHint === undefined ? label : `${label}  ${keyHint}`}
    >
      {children}
    </Button>
  );
}

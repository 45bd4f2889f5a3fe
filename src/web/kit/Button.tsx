import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cva } from 'class-variance-authority';
import { PlaceLink, type PlaceLinkProps } from './Link.tsx';

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
/** `line`: in the status line, where a narrow window has room for its icon only. */
type ButtonSize = (typeof buttonSizes)[number] | 'line';

/** Pointed at, solid and soft surfaces darken a little. */
const darkens = 'not-disabled:hover:brightness-96';
/** Disabled it looks empty; what is busy keeps its look: it was pressed, and is not out of reach. */
const empties =
  'disabled:not-aria-busy:border-border disabled:not-aria-busy:bg-sunken aria-disabled:border-border aria-disabled:bg-sunken';

/** The look of everything that is pressed like a button, links among them. */
export const buttonLook = cva(
  [
    'inline-flex flex-none items-center justify-center rounded-sm border leading-none font-medium whitespace-nowrap',
    'transition-[background-color,border-color] duration-fast active:not-disabled:translate-y-[0.5px]',
    'disabled:not-aria-busy:cursor-not-allowed disabled:not-aria-busy:text-text-disabled',
    'aria-disabled:cursor-help aria-disabled:text-text-disabled',
    'aria-busy:disabled:cursor-progress forced-colors:disabled:border-[GrayText] forced-colors:disabled:text-[GrayText]',
    'forced-colors:aria-pressed:border-3 forced-colors:aria-pressed:border-double forced-colors:aria-pressed:border-[Highlight]',
  ],
  {
    variants: {
      variant: {
        primary: `border-transparent bg-accent text-accent-on hover:bg-accent-hover forced-colors:border-[Highlight] ${empties}`,
        secondary: `border-control bg-surface text-text hover:bg-row-hover ${empties}`,
        success: `border-transparent bg-ok text-ok-on forced-colors:border-[Highlight] ${darkens} ${empties}`,
        error: `border-bad-border bg-bad-bg text-bad-fg ${darkens} ${empties}`,
        danger: `border-transparent bg-bad text-bad-on forced-colors:border-[Highlight] ${darkens} ${empties}`,
        warning: `border-warn-border bg-warn-bg text-warn-fg ${darkens} ${empties}`,
        info: `border-info-border bg-info-bg text-info-fg ${darkens} ${empties}`,
        light: `border-border bg-fill text-text ${darkens} ${empties}`,
        dark: `border-transparent bg-text text-surface ${darkens} ${empties}`,
        transparent:
          'border-transparent text-text-2 hover:bg-row-hover hover:text-text disabled:not-aria-busy:bg-transparent',
        outline: `border-accent text-accent-text ${darkens} ${empties}`,
      },
      size: {
        sm: 'h-control-sm gap-1.25 text-(length:--text-xs) narrow:h-9',
        md: 'h-control-md gap-1.5 text-(length:--text-sm) narrow:h-9',
        lg: 'h-control-lg gap-2 text-(length:--text-md) narrow:h-9',
        line: 'h-control-sm gap-1.25 text-(length:--text-xs) narrow:h-11 narrow:border-transparent narrow:bg-transparent low:h-full',
      },
      /** As wide as it is high, for an icon alone. */
      isIcon: { true: 'narrow:w-9' },
      /** As wide as what it stands in. */
      isWide: { true: 'w-full' },
    },
    compoundVariants: [
      { size: 'sm', isIcon: false, class: 'px-2' },
      { size: 'md', isIcon: false, class: 'px-2.5' },
      { size: 'lg', isIcon: false, class: 'px-3.5' },
      { size: 'line', isIcon: false, class: 'px-2 narrow:w-11 narrow:px-0' },
      { size: 'sm', isIcon: true, class: 'w-control-sm' },
      { size: 'md', isIcon: true, class: 'w-control-md' },
      { size: 'lg', isIcon: true, class: 'w-control-lg' },
      { size: 'line', isIcon: true, class: 'w-control-sm' },
    ],
    defaultVariants: { variant: 'primary', size: 'md', isIcon: false },
  },
);

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly isWide?: boolean;
  readonly icon?: ReactNode;
  readonly iconSide?: 'left' | 'right';
  readonly isLoading?: boolean;
  /** While it is loading or has a reason it takes no press, but keeps the focus that it has when that begins. */
  readonly keepsFocus?: boolean;
  /** The label while it is loading. */
  readonly loadingText?: string;
  /** Why it cannot be pressed; shown as its tooltip. */
  readonly reason?: string | undefined;
  /** With a reason: it keeps the focus and a press, which tells who can give the permission that is missing. */
  readonly onRefused?: (() => void) | undefined;
  /** Does what its dialog asks about: mod+Enter presses it from anywhere in there. */
  readonly acts?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Props of `Button`, and whether it contains nothing but an icon. */
interface AnyButtonProps extends ButtonProps {
  readonly isIcon?: boolean;
}

/** The action button. While loading it shows a spinner, takes no press, and is never narrower than before. */
export function Button({
  variant,
  size,
  isIcon = false,
  isWide = false,
  icon,
  iconSide = 'left',
  isLoading = false,
  keepsFocus = false,
  loadingText = 'Loading...',
  reason,
  onRefused,
  acts = false,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: AnyButtonProps) {
  const isOff = disabled === true || (isLoading && !keepsFocus) || reason !== undefined;
  const isRefused = reason !== undefined && (onRefused !== undefined || keepsFocus) && !isLoading;
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
      type={isRefused ? 'button' : type}
      onClick={isRefused ? onRefused : isLoading ? undefined : rest.onClick}
      className={buttonLook({ variant, size, isIcon, isWide, className })}
      disabled={isOff && !isRefused}
      aria-disabled={isRefused || undefined}
      aria-busy={isLoading || undefined}
      data-acts={acts ? '' : undefined}
      data-variant={variant ?? 'primary'}
      title={reason ?? rest.title}
    >
      {isLoading ? (
        // Both in one place: what it says otherwise is not seen, and keeps its room.
        <span className="grid justify-items-center *:col-start-1 *:row-start-1 *:flex *:items-center *:gap-1.5">
          <span>
            <LoaderCircle className="animate-spin" size={14} aria-hidden="true" />
            {loadingText}
          </span>
          <span className="invisible">{content}</span>
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
  /** The text of the tooltip where the label is longer than a person who sees its line needs. */
  readonly tip?: string;
  readonly keyHint?: string | undefined;
  readonly children: ReactNode;
}

/** A button of an icon alone: named, with a tooltip that tells its keys. */
export function IconButton({ label, tip = label, keyHint, children, ...rest }: IconButtonProps) {
  return (
    <Button
      variant="transparent"
      loadingText=""
      {...rest}
      isIcon
      aria-label={label}
      data-tip={keyHint === undefined ? tip : `${tip}  ${keyHint}`}
    >
      {children}
    </Button>
  );
}

interface ButtonLinkProps extends PlaceLinkProps {
  readonly variant?: ButtonVariant;
  readonly size?: (typeof buttonSizes)[number];
  readonly isIcon?: boolean;
}

/** A link to a place of this console that looks like a button. */
export function ButtonLink({ variant, size, isIcon, className, ...link }: ButtonLinkProps) {
  return <PlaceLink {...link} className={buttonLook({ variant, size, isIcon, className })} />;
}

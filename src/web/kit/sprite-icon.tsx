import type { SVGProps } from 'react';

/** Props of an icon besides the attributes of an `svg`: its width and height, px; 24 by default. */
export type IconProps = SVGProps<SVGSVGElement> & { readonly size?: number | string };

/**
 * The component of an icon of lucide's by its name (`chevron-down`), drawn from the sprite that the build puts into the
 * page (`src/build/icon-sprite.ts`): its shapes cost no JavaScript. Looks and attributes are
 * those of `lucide-react`.
 */
export function spriteIcon(name: string) {
  return function SpriteIcon({ size = 24, className, ...rest }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        className={`lucide lucide-${name} ${className ?? ''}`.trim()}
        {...rest}
      >
        <use href={`#icon-${name}`} />
      </svg>
    );
  };
}

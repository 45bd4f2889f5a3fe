import { DropdownMenu } from 'radix-ui';
import { KeysOf } from '../keyboard/Keys.tsx';
import { Icon } from '../kit/icons.tsx';
import { menuItem, menuLine } from '../kit/menu.ts';

/** The command that asks, while a menu is open, why something is missing in it. */
export const whyNotInMenu = 'help.whyNotInMenu';

interface WhyNotItemProps {
  /** Whether the menu leaves something out that the person lacks a right for. */
  readonly isLacking: boolean;
  readonly onSelect: () => void;
}

/** The entry of every menu that leaves something out for want of a right: asks what is missing, and who can grant it. */
export function WhyNotItem({ isLacking, onSelect }: WhyNotItemProps) {
  if (!isLacking) return null;
  return (
    <>
      <DropdownMenu.Separator className={menuLine} />
      <DropdownMenu.Item className={menuItem()} onSelect={onSelect}>
        <Icon name="help" />
        <span className="min-w-0 flex-1">Why can I not …</span>
        <KeysOf id={whyNotInMenu} />
      </DropdownMenu.Item>
    </>
  );
}

import { Button } from '../../kit/Button.tsx';

interface AsideToggleProps {
  /** Name of the rows. */
  readonly label: string;
  /** How many there are; undefined while that is not known. */
  readonly count: number | undefined;
  readonly isShown: boolean;
  readonly onToggle: () => void;
}

/** Shows and leaves out the rows that a list leaves out at first. */
export function AsideToggle({ label, count, isShown, onToggle }: AsideToggleProps) {
  return (
    <Button size="sm" variant={isShown ? 'light' : 'transparent'} aria-pressed={isShown} onClick={onToggle}>
      {label} <span className="text-text-2">{count}</span>
    </Button>
  );
}

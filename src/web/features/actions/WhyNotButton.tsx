import { Button } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { type RefusedAct, useWhyNot } from './use-why-not.ts';

/** Stands where something is not shown for want of a permission: says who can grant it. */
export function WhyNotButton({ refused }: { readonly refused: RefusedAct }) {
  const explain = useWhyNot();
  return (
    <Button
      size="sm"
      variant="secondary"
      icon={<Icon name="help" size={13} />}
      onClick={() => explain(refused)}
    >
      Who can grant it?
    </Button>
  );
}

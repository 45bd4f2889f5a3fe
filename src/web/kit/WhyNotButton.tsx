import type { Lack } from '../../contract/problem-schema.ts';
import { questionAbout, type RefusalQuestion } from '../../registry/commands/refusal-question.ts';
import { Button } from './Button.tsx';
import { Icon } from './icons.tsx';
import { type RefusedAct, useWhyNot } from './use-why-not.ts';

/** Stands where something is not shown for want of a permission: says who can grant it. */
export function WhyNotButton({ refused }: { readonly refused: RefusedAct | RefusalQuestion }) {
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

interface WhyNotLackProps {
  /** The act that cannot be done, in words. */
  readonly what: string;
  readonly lack: Lack | undefined;
}

/** The same for what an answer of the API says is missing for one of several things; nothing where nothing is. */
export function WhyNotLack({ what, lack }: WhyNotLackProps) {
  return lack === undefined ? null : <WhyNotButton refused={questionAbout(lack, what)} />;
}

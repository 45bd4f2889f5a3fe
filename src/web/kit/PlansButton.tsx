import { useCommands } from '../core/commands.ts';
import { Button } from './Button.tsx';

/** Stands where a limit of the plan is reached: shows the plans, or who can choose one. */
export function PlansButton() {
  const { services } = useCommands();
  return (
    <Button size="sm" variant="secondary" onClick={() => services.subscription.showPlans()}>
      See the plans
    </Button>
  );
}

import { useCompanySubscription } from '../../data/use-subscription.ts';
import { Button } from '../../kit/Button.tsx';
import { Dialog } from '../../kit/Dialog.tsx';
import { Glyph } from '../../kit/marks.tsx';
import { Note } from '../../kit/Note.tsx';
import { whoChooses } from './limits.ts';
import { PlanCards } from './PlanCards.tsx';

/** The plans to somebody who is no Owner: what there is, and who can choose one. */
export function PlansForMembers({ onClose }: { readonly onClose: () => void }) {
  const owners = useCompanySubscription().data?.owners ?? [];
  return (
    <Dialog
      title="Select a Subscription Plan"
      width="wide"
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1" />
          <Button acts onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Note tone="info" role="status">
        <Glyph tone="info" size={13} />
        <div>{whoChooses(owners)}</div>
      </Note>
      <PlanCards />
    </Dialog>
  );
}

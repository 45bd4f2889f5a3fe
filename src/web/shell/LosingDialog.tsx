import { type UnsavedTabs, useWorkspace } from '../workspace/port.ts';
import { Button } from '../kit/Button.tsx';
import { Dialog } from '../kit/Dialog.tsx';
import { useTitleOf } from './use-title-of.ts';

interface LosingDialogProps {
  readonly losing: UnsavedTabs;
  readonly onClose: () => void;
}

/** The unsaved work that would be lost, tab by tab, and whether to leave. */
export function LosingDialog({ losing: { tabs, go, isWay }, onClose }: LosingDialogProps) {
  const titleOf = useTitleOf();
  const { held, workspace } = useWorkspace();
  return (
    <Dialog
      role="alertdialog"
      isDangerous
      title={
        isWay ? 'Leave this page?' : tabs.length === 1 ? 'Close this tab?' : `Close ${tabs.length} tabs?`
      }
      description={<p>Unsaved work there would be lost:</p>}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {isWay ? 'Stay' : 'Keep'}
          </Button>
          <Button
            variant="danger"
            acts
            onClick={() => {
              onClose();
              go();
            }}
          >
            {isWay ? 'Leave anyway' : 'Close anyway'}
          </Button>
        </>
      }
    >
      <ul>
        {tabs.map((tab) => (
          <li key={tab}>
            <b className="font-semibold">{titleOf(workspace.hrefOf(tab))}</b>: {held.get().get(tab)?.what}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
